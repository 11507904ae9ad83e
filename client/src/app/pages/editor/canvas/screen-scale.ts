/** CSS pixels of a millimetre, as every browser reckons: 96 to the inch, whatever the screen is. */
export const CSS_PX_PER_MM = 96 / 25.4;
/** A screen is never finer or coarser than this many times what the browser says. */
export const MAX_OFF = 2.5;

const KEY = 'tuckbox-screen-scale';

/** Physical pixels to one of the page: the screen's own ratio and the browser's zoom. */
const ratio = (): number => globalThis.devicePixelRatio || 1;

/** CSS pixels of a real millimetre on this screen: as it was measured, or what the browser says. */
export function screenPxPerMm(): number {
  try {
    const measured = Number(globalThis.localStorage?.getItem(KEY)) / ratio();
    const off = measured / CSS_PX_PER_MM;
    return off >= 1 / MAX_OFF && off <= MAX_OFF ? measured : CSS_PX_PER_MM;
  } catch {
    return CSS_PX_PER_MM;
  }
}

/** Keeps what was measured, on this machine; `undefined` goes back to what the browser says. */
export function keepScreenPxPerMm(measured: number | undefined): void {
  try {
    // Counted in the screen's own pixels it holds whatever the page is zoomed to.
    if (measured === undefined) globalThis.localStorage?.removeItem(KEY);
    else globalThis.localStorage?.setItem(KEY, String(measured * ratio()));
  } catch {
    // Without storage, real size remains the browser's estimate.
  }
}
