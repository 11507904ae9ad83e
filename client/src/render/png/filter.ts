/** PNG's filters: a row is stored as its difference from its neighbours. */

/** The filters used, by their numbers in PNG: the pixel to the left, the pixel above. */
export const SUB = 1;
export const UP = 2;

/** One in this many pixels is sampled to choose a row's filter. */
const SAMPLE_STEP = 13;

/**
 * Filters pixels in place, each row with the filter that leaves less.
 * @param pixels RGBA, four bytes in one number; afterwards the differences
 * @returns the filter of each row
 */
export function filterRows(pixels: Int32Array, width: number, height: number): Uint8Array {
  const filters = new Uint8Array(height);
  // From the end, so that the reference pixels are still unchanged.
  for (let row = height - 1; row >= 0; row--) {
    const start = row * width;
    const filter = row > 0 && leftByUp(pixels, start, width) < leftBySub(pixels, start, width) ? UP : SUB;
    filters[row] = filter;
    if (filter === UP) takeAbove(pixels, start, width);
    else takeLeft(pixels, start, width);
  }
  return filters;
}

function takeAbove(pixels: Int32Array, start: number, width: number): void {
  const end = start + width;
  for (let at = start; at < end; at++) {
    pixels[at] = difference(pixels[at] as number, pixels[at - width] as number);
  }
}

function takeLeft(pixels: Int32Array, start: number, width: number): void {
  const end = start + width;
  let left = 0;
  for (let at = start; at < end; at++) {
    const value = pixels[at] as number;
    pixels[at] = difference(value, left);
    left = value;
  }
}

function leftByUp(pixels: Int32Array, start: number, width: number): number {
  let sum = 0;
  for (let at = start + 1; at < start + width; at += SAMPLE_STEP) {
    sum += weight(difference(pixels[at] as number, pixels[at - width] as number));
  }
  return sum;
}

function leftBySub(pixels: Int32Array, start: number, width: number): number {
  let sum = 0;
  for (let at = start + 1; at < start + width; at += SAMPLE_STEP) {
    sum += weight(difference(pixels[at] as number, pixels[at - 1] as number));
  }
  return sum;
}

/** Byte by byte, without borrow between bytes. */
function difference(value: number, from: number): number {
  return ((value | 0x80808080) - (from & 0x7f7f7f7f)) ^ (~(value ^ from) & 0x80808080);
}

/** Sum of the absolute values of a difference's four bytes. */
function weight(value: number): number {
  return (
    Math.abs((value << 24) >> 24) +
    Math.abs((value << 16) >> 24) +
    Math.abs((value << 8) >> 24) +
    Math.abs(value >> 24)
  );
}
