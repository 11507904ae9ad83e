import type { Point } from '../scene/display/matrix.ts';

/** Places for new objects on the table, side by side and one row after another, so that none lies on another. */

/** Room of an object on the table, in the game's units. */
export interface Footprint {
  readonly w: number;
  readonly h: number;
}

/** The game's unit, in millimetres. */
const UNIT_MM = 25.4;
/** Free room between two objects. */
export const GAP = 0.5;
/** Small pieces take as much room as this, so that hands can tell them apart. */
const LEAST = 2;
/** Most objects of a row, and the most that a row is wide. */
const MOST_A_ROW = 10;
const WIDEST = 48;

/** Room of a card of this size, in millimetres. */
export const footprintOf = ({ w, h }: Footprint): Footprint => ({
  w: Math.max(LEAST, w / UNIT_MM),
  h: Math.max(LEAST, h / UNIT_MM),
});

/** Rows that begin at x = 0 and follow one another from `z` on, towards the player (`-1`) or away from them (`1`). */
export class Rows {
  #edge: number;

  constructor(
    z: number,
    readonly towards: -1 | 1,
  ) {
    this.#edge = z;
  }

  /** Middles of this many objects that are all alike, in rows of their own. `x` and `y` are the game's x and z. */
  take(count: number, { w, h }: Footprint): Point[] {
    const step = w + GAP;
    const across = Math.max(1, Math.min(MOST_A_ROW, Math.floor((WIDEST + GAP) / step)));
    const deep = h + GAP;
    const first = this.#edge + this.towards * (deep / 2);
    const places = Array.from({ length: count }, (_, at) => ({
      x: (at % across) * step,
      y: first + this.towards * Math.floor(at / across) * deep,
    }));
    this.#edge += this.towards * Math.ceil(count / across) * deep;
    return places;
  }
}
