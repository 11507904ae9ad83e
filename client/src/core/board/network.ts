import { randomFrom } from '../random.ts';
import type { Point } from '../scene/display/matrix.ts';

/**
 * Places and links between them, from a seed: places keep apart, every place can be reached from every other, and links
 * never cross.
 */

/** Most places of one network. */
export const MAX_NETWORK_PLACES = 80;
/** Rounds in which places move to the middle of the ground that is nearest to them. */
const RELAXATIONS = 6;
/** Points of the ground by which that is measured, along its longer side. */
const SAMPLES = 48;

export interface NetworkSettings {
  readonly seed: string;
  readonly count: number;
  /** Links beyond those that join all places, as a share of those that could be had, 0 to 1. */
  readonly density: number;
}

export interface Network {
  readonly places: readonly Point[];
  /** Pairs of places by number, the smaller number first. */
  readonly links: readonly (readonly [number, number])[];
}

/** A network in a rectangle at the origin. @param area in millimetres */
export function makeNetwork(
  area: { readonly w: number; readonly h: number },
  { seed, count, density }: NetworkSettings,
): Network {
  const random = randomFrom(seed);
  const wanted = Math.min(MAX_NETWORK_PLACES, Math.max(1, Math.floor(count)));
  let places: readonly Point[] = Array.from({ length: wanted }, () => ({
    x: random() * area.w,
    y: random() * area.h,
  }));
  for (let round = 0; round < RELAXATIONS; round++) places = relaxed(places, area);
  return { places, links: linksOf(places, density) };
}

/** Moves every place to the middle of the ground that is nearer to it than to the others. */
function relaxed(places: readonly Point[], area: { w: number; h: number }): Point[] {
  const sums = places.map(() => ({ x: 0, y: 0, count: 0 }));
  const step = Math.max(area.w, area.h) / SAMPLES;
  for (let y = step / 2; y < area.h; y += step) {
    for (let x = step / 2; x < area.w; x += step) {
      const sum = sums[nearestTo(places, { x, y })];
      if (!sum) continue;
      sum.x += x;
      sum.y += y;
      sum.count++;
    }
  }
  return places.map((place, at) => {
    const { x, y, count } = sums[at] ?? { x: 0, y: 0, count: 0 };
    return count === 0 ? place : { x: x / count, y: y / count };
  });
}

const between = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

function nearestTo(places: readonly Point[], point: Point): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [at, place] of places.entries()) {
    const away = (place.x - point.x) ** 2 + (place.y - point.y) ** 2;
    if (away < least) [best, least] = [at, away];
  }
  return best;
}

/**
 * Shortest links first, none across another: those that join parts not yet joined, then as many of the others as the
 * density asks for.
 */
function linksOf(places: readonly Point[], density: number): [number, number][] {
  const candidates: { a: number; b: number; length: number }[] = [];
  for (const [b, to] of places.entries()) {
    for (const [a, from] of places.slice(0, b).entries())
      candidates.push({ a, b, length: between(from, to) });
  }
  candidates.sort((one, other) => one.length - other.length || one.a - other.a || one.b - other.b);
  const part = places.map((_, at) => at);
  const joining: [number, number][] = [];
  const others: [number, number][] = [];
  const free = ([a, b]: readonly [number, number]) =>
    ![...joining, ...others].some((link) => crosses(places, [a, b], link)) && !passesBy(places, a, b);
  for (const { a, b } of candidates) {
    const [from, to] = [part[a] ?? a, part[b] ?? b];
    if (from === to) continue;
    // A link of a shortest tree is never crossed by another of it.
    joining.push([a, b]);
    for (const [at, of] of part.entries()) if (of === to) part[at] = from;
  }
  const known = new Set(joining.map(String));
  for (const { a, b } of candidates) {
    if (!known.has(String([a, b])) && free([a, b])) others.push([a, b]);
  }
  return [...joining, ...others.slice(0, Math.round(others.length * Math.min(1, Math.max(0, density))))];
}

function crosses(
  places: readonly Point[],
  [a, b]: readonly [number, number],
  [c, d]: readonly [number, number],
): boolean {
  if (a === c || a === d || b === c || b === d) return false;
  const at = (index: number): Point => places[index] ?? { x: 0, y: 0 };
  const side = (from: Point, to: Point, of: Point) =>
    Math.sign((to.x - from.x) * (of.y - from.y) - (to.y - from.y) * (of.x - from.x));
  return (
    side(at(a), at(b), at(c)) !== side(at(a), at(b), at(d)) &&
    side(at(c), at(d), at(a)) !== side(at(c), at(d), at(b))
  );
}

/** Share of a link's length within which a third place would seem to lie on it. */
const NEAR = 0.18;

function passesBy(places: readonly Point[], a: number, b: number): boolean {
  const [from, to] = [places[a], places[b]];
  if (!from || !to) return false;
  const length = between(from, to);
  return places.some((place, at) => {
    if (at === a || at === b || length === 0) return false;
    const along = ((place.x - from.x) * (to.x - from.x) + (place.y - from.y) * (to.y - from.y)) / length ** 2;
    if (along <= 0 || along >= 1) return false;
    const foot = { x: from.x + (to.x - from.x) * along, y: from.y + (to.y - from.y) * along };
    return between(place, foot) < NEAR * length;
  });
}
