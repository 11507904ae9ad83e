/** A seeded source of choices: the same seed makes the same run, so a failure can be replayed. */
export class Random {
  #state;

  /** @param {number} seed any 32-bit integer */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, not including, 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability) {
    return this.next() < probability;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.int(0, list.length - 1)];
  }

  /** Between `low` and `high` different elements, in the list's order. */
  some(list, low, high) {
    const count = Math.min(list.length, this.int(low, high));
    const taken = new Set();
    while (taken.size < count) taken.add(this.int(0, list.length - 1));
    return list.filter((_, index) => taken.has(index));
  }
}
