import type { PathCommand } from './display-list.ts';
import type { Rect } from './matrix.ts';

/** Points of a path are told apart to a thousandth of a millimetre, less than anything shows. */
const STEPS_PER_MM = 1_000;
/** Paths beyond this many millimetres are not compared; keys of their points would not be exact. */
const FARTHEST_MM = 8_000;
const KEY = 2 * FARTHEST_MM * STEPS_PER_MM + 1;

/** Straight sides of a path by their ends, each with its number in one path less that in the other. */
class Sides {
  readonly #points: number[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #counts = new Map<number, number>();
  #far = false;

  /**
   * Counts the sides that begin or end between two commands: all others are the other path's as well. False for a path
   * that cannot be told by its sides: one that bends or lies far away.
   */
  add(commands: readonly PathCommand[], from: number, to: number, by: 1 | -1): boolean {
    let { start, last } = this.#before(commands, from);
    for (let at = from; at < to; at++) {
      const command = commands[at];
      if (!command || command[0] === 'C') return false;
      if (command[0] === 'L') {
        const point = this.#point(command[1], command[2]);
        this.#side(last, point, by);
        last = point;
        continue;
      }
      // A fill closes what is left open.
      this.#side(last, start, by);
      if (command[0] === 'M') start = this.#point(command[1], command[2]);
      last = start;
    }
    this.#rest(commands, to, start, last, by);
    return !this.#far;
  }

  /** The beginning and the end of the line under way before a command. */
  #before(commands: readonly PathCommand[], at: number): { start: number; last: number } {
    const before = commands[at - 1];
    let begun = at - 1;
    while (begun >= 0 && commands[begun]?.[0] !== 'M') begun--;
    const begin = commands[begun];
    if (!before || begin?.[0] !== 'M') return { start: -1, last: -1 };
    const start = this.#point(begin[1], begin[2]);
    const last = before[0] === 'M' || before[0] === 'L' ? this.#point(before[1], before[2]) : start;
    return { start, last };
  }

  /** The sides that lead on from a command: to the next point, and back to where the line began. */
  #rest(commands: readonly PathCommand[], from: number, start: number, last: number, by: 1 | -1): void {
    const next = commands[from];
    if (next?.[0] !== 'L') {
      this.#side(last, start, by);
      return;
    }
    this.#side(last, this.#point(next[1], next[2]), by);
    let end = from;
    while (commands[end + 1]?.[0] === 'L') end++;
    const final = commands[end];
    if (final?.[0] === 'L') this.#side(this.#point(final[1], final[2]), start, by);
  }

  #point(x: number, y: number): number {
    if (Math.abs(x) > FARTHEST_MM || Math.abs(y) > FARTHEST_MM) this.#far = true;
    const [a, b] = [Math.round(x * STEPS_PER_MM), Math.round(y * STEPS_PER_MM)];
    const key = a * KEY + b;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#points.length / 2;
      this.#points.push(x, y);
      this.#numbers.set(key, number);
    }
    return number;
  }

  #side(from: number, to: number, by: 1 | -1): void {
    if (from === to || from < 0 || to < 0) return;
    const key = from * KEY + to;
    const count = (this.#counts.get(key) ?? 0) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }

  /** Boxes around the sides that only one path has, one for all that hang together. */
  boxes(): Rect[] {
    const heads = new Map<number, number>();
    const headOf = (point: number): number => {
      let head = point;
      for (let next = heads.get(head); next !== undefined; next = heads.get(head)) head = next;
      return head;
    };
    for (const key of this.#counts.keys()) {
      const [a, b] = [headOf(Math.floor(key / KEY)), headOf(key % KEY)];
      if (a !== b) heads.set(a, b);
    }
    const reach = new Map<number, [number, number, number, number]>();
    for (const key of this.#counts.keys()) {
      for (const point of [Math.floor(key / KEY), key % KEY]) {
        const [x, y] = [this.#points[2 * point] ?? 0, this.#points[2 * point + 1] ?? 0];
        const head = headOf(point);
        const box = reach.get(head);
        if (!box) reach.set(head, [x, y, x, y]);
        else {
          box[0] = Math.min(box[0], x);
          box[1] = Math.min(box[1], y);
          box[2] = Math.max(box[2], x);
          box[3] = Math.max(box[3], y);
        }
      }
    }
    return [...reach.values()].map(([left, top, right, bottom]) => ({
      x: left,
      y: top,
      w: right - left,
      h: bottom - top,
    }));
  }
}

/**
 * Boxes outside of which two paths of straight sides cover the same; undefined for paths that cannot be compared. The sides
 * that only one of them has are closed lines, and outside of the box of a closed line it winds around nothing.
 */
export function changedSides(
  before: readonly PathCommand[],
  after: readonly PathCommand[],
): Rect[] | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && sameCommand(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && sameCommand(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  // The end that both have must not depend on where a line before it began.
  const open = after.findIndex((command, at) => at >= after.length - tail && command[0] === 'Z');
  if (open >= 0 && open + 1 < after.length && after[open + 1]?.[0] !== 'M') tail = 0;
  const sides = new Sides();
  return sides.add(before, head, before.length - tail, -1) && sides.add(after, head, after.length - tail, 1)
    ? sides.boxes()
    : undefined;
}

function sameCommand(a: PathCommand | undefined, b: PathCommand | undefined): boolean {
  if (a === b) return true;
  return (
    a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[0] !== 'C'
  );
}

/** Places, x then y for each, that only one of two lists has. */
export function changedPlaces(before: readonly number[], after: readonly number[]): number[] {
  const counts = new Map<number, { count: number; x: number; y: number }>();
  const add = (places: readonly number[], by: 1 | -1): void => {
    for (let at = 0; at + 1 < places.length; at += 2) {
      const [x, y] = [places[at] ?? 0, places[at + 1] ?? 0];
      const key = Math.round(x * STEPS_PER_MM) * KEY + Math.round(y * STEPS_PER_MM);
      const known = counts.get(key);
      if (known) known.count += by;
      else counts.set(key, { count: by, x, y });
    }
  };
  add(before, -1);
  add(after, 1);
  return [...counts.values()].flatMap(({ count, x, y }) => (count === 0 ? [] : [x, y]));
}
