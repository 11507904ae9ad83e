import type { Point } from '../scene/display/matrix.ts';
import type { Box } from '../scene/zones/definition.ts';

/** Places for the names of discs that lines join: beside each disc where the fewest lines and other names are. */

/** Side of its disc that a name lies on. */
export type NameSide = 'below' | 'above' | 'right' | 'left';

export interface NamePlace {
  readonly side: NameSide;
  readonly box: Box;
}

/** The lines between discs, by the indexes of their ends. */
type Links = readonly (readonly [number, number])[];

/** Room between a disc and a name beside it, in sizes of a disc. */
const BESIDE = 0.15;
/** Badness of a disc, a line and another name under a name. */
const [DISC, LINE, NAME] = [30, 10, 10];

function boxAt(side: NameSide, { x, y }: Point, size: number, w: number, h: number): Box {
  const off = size * (0.5 + BESIDE);
  if (side === 'right') return { x: x + off, y: y - h / 2, w, h };
  if (side === 'left') return { x: x - off - w, y: y - h / 2, w, h };
  return { x: x - w / 2, y: side === 'below' ? y + size / 2 : y - size / 2 - h, w, h };
}

/** The part of a box that letters of this width take. */
function inked(side: NameSide, { x, y, w, h }: Box, width: number): Box {
  const wide = Math.min(w, width);
  const from = side === 'right' ? x : side === 'left' ? x + w - wide : x + (w - wide) / 2;
  return { x: from, y, w: wide, h };
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** True if a straight line between two points passes through a box. */
export function crosses(from: Point, to: Point, { x, y, w, h }: Box): boolean {
  let [first, last] = [0, 1];
  for (const [start, step, low, high] of [
    [from.x, to.x - from.x, x, x + w],
    [from.y, to.y - from.y, y, y + h],
  ] as const) {
    if (step === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const ends = [(low - start) / step, (high - start) / step].sort((a, b) => a - b);
    first = Math.max(first, ends[0] ?? 0);
    last = Math.min(last, ends[1] ?? 1);
  }
  return first <= last;
}

/**
 * @param names width of each name, in the unit of the discs
 * @param room for a name
 * @param within names stay inside it where they can
 */
export function namePlaces(
  discs: readonly Point[],
  size: number,
  links: Links,
  names: readonly number[],
  room: { readonly w: number; readonly h: number },
  within: { readonly w: number; readonly h: number },
): NamePlace[] {
  const taken: Box[] = [];
  const round = discs.map(({ x, y }): Box => ({ x: x - size / 2, y: y - size / 2, w: size, h: size }));
  return discs.map((disc, index) => {
    const choices = (['below', 'above', 'right', 'left'] as const).flatMap((side, order) => {
      const box = boxAt(side, disc, size, room.w, room.h);
      const inside = box.x >= 0 && box.y >= 0 && box.x + box.w <= within.w && box.y + box.h <= within.h;
      if (!inside && side !== 'below') return [];
      const ink = inked(side, box, names[index] ?? 0);
      const lines = links.filter(([a, b]) => {
        const [from, to] = [discs[a], discs[b]];
        return from && to && crosses(from, to, ink);
      }).length;
      const others = round.filter((one, at) => at !== index && overlap(ink, one)).length;
      const words = taken.filter((one) => overlap(ink, one)).length;
      return [{ place: { side, box }, ink, bad: lines * LINE + others * DISC + words * NAME + order }];
    });
    const [first, ...rest] = choices as [(typeof choices)[number], ...typeof choices];
    const best = rest.reduce((least, one) => (one.bad < least.bad ? one : least), first);
    taken.push(best.ink);
    return best.place;
  });
}
