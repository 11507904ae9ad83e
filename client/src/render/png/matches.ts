/** Finds earlier occurrences in filtered rows, whole pixels at a time. */

/** Largest distance of a match in deflate, in bytes. */
const WINDOW_BYTES = 32_768;
/** Longest match of whole pixels in deflate: 256 of 258 bytes. */
const MAX_PIXELS = 64;
/** Shortest match worth its distance; shorter ones cost as much as the pixels themselves. */
const MIN_FAR_PIXELS = 3;
const HASH_BITS = 15;
/** After every 16 misses the step grows by a pixel. */
const MISSES_PER_STEP_BITS = 4;

/** Matches of one stretch of rows, in order: index of the first pixel, length in pixels, distance in bytes. */
export interface Matches {
  readonly values: Int32Array;
  count: number;
}

/** Remembers the last place of each pair of pixels, across stretches of rows. */
export class MatchFinder {
  readonly #seen = new Int32Array(1 << HASH_BITS).fill(-1);
  readonly #pixels: Int32Array;
  readonly #width: number;

  constructor(pixels: Int32Array, width: number) {
    this.#pixels = pixels;
    this.#width = width;
  }

  /**
   * Matches of the rows from `first` up to `end`. None crosses the end of a row: the next row's filter byte lies there.
   * @param into has room for a match for every two pixels
   */
  find(first: number, end: number, into: Matches): void {
    const [pixels, seen, width] = [this.#pixels, this.#seen, this.#width];
    const values = into.values;
    let count = 0;
    for (let row = first; row < end; row++) {
      const start = row * width;
      const stop = start + width;
      let missed = 0;
      // A pair needs a pixel behind it.
      for (let at = start; at < stop - 1; ) {
        const value = pixels[at] as number;
        const next = pixels[at + 1] as number;
        if (at > start && value === pixels[at - 1] && next === value) {
          let length = 2;
          const most = Math.min(MAX_PIXELS, stop - at);
          while (length < most && pixels[at + length] === value) length++;
          values[count++] = at;
          values[count++] = length;
          values[count++] = 4;
          at += length;
          missed = 0;
          continue;
        }
        const slot = (Math.imul(value, 0x9e3779b1) ^ Math.imul(next, 0x85ebca6b)) >>> (32 - HASH_BITS);
        const before = seen[slot] as number;
        seen[slot] = at;
        if (before >= 0 && pixels[before] === value && pixels[before + 1] === next) {
          const beforeRow = Math.floor(before / width);
          const back = 4 * (at - before) + row - beforeRow;
          const most = Math.min(MAX_PIXELS, stop - at, (beforeRow + 1) * width - before);
          let length = 2;
          while (length < most && pixels[before + length] === pixels[at + length]) length++;
          if (length <= most && back <= WINDOW_BYTES && length >= MIN_FAR_PIXELS) {
            values[count++] = at;
            values[count++] = length;
            values[count++] = back;
            at += length;
            missed = 0;
            continue;
          }
        }
        // After repeated misses not every pixel is searched.
        at += 1 + (missed++ >> MISSES_PER_STEP_BITS);
      }
    }
    into.count = count;
  }
}
