/** Time for which a finger rests before it asks for the menu, in milliseconds. */
const LONG_PRESS_MS = 500;
/** Way that a resting finger trembles, in CSS pixels. */
const TREMOR_PX = 8;

type Touched = Pick<PointerEvent, 'pointerType' | 'clientX' | 'clientY'>;

/** The finger that goes up clicks on nothing: the menu lies under it by then. */
function swallowClick(): void {
  const swallow = (event: TouchEvent) => event.preventDefault();
  document.addEventListener('touchend', swallow, { once: true, capture: true, passive: false });
}

/** A finger that rests on something asks for its menu. Not every browser makes a `contextmenu` event of it. */
export class LongPress {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #from = { x: 0, y: 0 };

  /** A pointer goes down. Another one that is down already asks for something else. */
  down({ pointerType, clientX: x, clientY: y }: Touched, run: (x: number, y: number) => void): void {
    const another = this.#timer !== undefined;
    this.end();
    if (pointerType !== 'touch' || another) return;
    this.#from = { x, y };
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      swallowClick();
      run(x, y);
    }, LONG_PRESS_MS);
  }

  move({ clientX: x, clientY: y }: Touched): void {
    if (Math.hypot(x - this.#from.x, y - this.#from.y) > TREMOR_PX) this.end();
  }

  /** It has gone up, or the browser has taken it. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
