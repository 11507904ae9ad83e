import { randomFrom } from '../random.ts';
import { type Symmetry, symmetricCells } from './area.ts';
import { type CellGrid, countOf, neighbours } from './grid.ts';
import { EMPTY } from './terrain-data.ts';

/**
 * Terrain at random from a seed: shares are kept to the cell, terrains lie in patches, and those that must not touch do
 * not. The same grid, settings and seed give the same map.
 */

/** Most rounds of smoothing: how far patches reach, in cells. */
export const MAX_CLUMPING = 10;

/** Units of the amounts of terrains. */
export type TerrainAmounts = 'percent' | 'cells';

export interface TerrainSettings {
  readonly seed: string;
  /** Amount by terrain number. Percent beyond 100 in all are taken in proportion. */
  readonly shares: ReadonlyMap<number, number>;
  readonly amounts: TerrainAmounts;
  /** 0 strews single cells, `MAX_CLUMPING` gathers each terrain in few patches. */
  readonly clumping: number;
  readonly symmetry: Symmetry;
  /** Pairs of terrain numbers that never lie side by side; a terrain can be kept apart from itself. */
  readonly apart: readonly (readonly [number, number])[];
  /** Change empty cells only. */
  readonly emptyOnly: boolean;
}

export interface GeneratedTerrain {
  readonly cells: Uint8Array;
  /** Cells of each terrain that found no place, by its number. */
  readonly missing: ReadonlyMap<number, number>;
}

/** Fills a map. @param before terrain of its cells now */
export function generateTerrain(
  grid: CellGrid,
  before: Uint8Array,
  settings: TerrainSettings,
): GeneratedTerrain {
  const cells = settings.emptyOnly ? before.slice() : new Uint8Array(countOf(grid));
  const groups = groupsOf(grid, cells, settings.symmetry);
  const free = groups.reduce((sum, group) => sum + group.length, 0);
  const quotas = quotasOf(settings.shares, free, settings.amounts);
  const near = neighboursOf(grid);
  const touches = apartFrom(settings.apart);
  const random = randomFrom(settings.seed);
  const missing = new Map<number, number>();
  // The largest terrain comes last, as the ground that the others lie in.
  for (const [terrain, quota] of [...quotas].sort(([a, one], [b, other]) => one - other || a - b)) {
    const height = smoothed(near, random, settings.clumping);
    const order = groups
      .filter(([first]) => first !== undefined && cells[first] === EMPTY)
      .sort(([a = 0], [b = 0]) => (height[b] ?? 0) - (height[a] ?? 0) || a - b);
    const shunned = touches.get(terrain);
    let left = quota;
    for (const group of order) {
      if (left === 0) break;
      if (group.length > left || (shunned && !fits(group, terrain, cells, near, shunned))) continue;
      for (const cell of group) cells[cell] = terrain;
      left -= group.length;
    }
    if (left > 0) missing.set(terrain, left);
  }
  return { cells, missing };
}

/**
 * Whole numbers of cells by terrain. Those of percent are in proportion to them, and together as many as they ask for;
 * counts stand as they are.
 */
export function quotasOf(
  shares: ReadonlyMap<number, number>,
  free: number,
  amounts: TerrainAmounts = 'percent',
): Map<number, number> {
  const wanted = [...shares].filter(([, share]) => share > 0);
  if (amounts === 'cells') return new Map(wanted.map(([terrain, count]) => [terrain, Math.floor(count)]));
  const sum = wanted.reduce((all, [, share]) => all + share, 0);
  const whole = Math.max(100, sum);
  const exact = wanted.map(([terrain, share]) => ({ terrain, part: (share / whole) * free }));
  const quotas = new Map(exact.map(({ terrain, part }) => [terrain, Math.floor(part)]));
  const total = Math.round((sum / whole) * free);
  let left = total - [...quotas.values()].reduce((all, quota) => all + quota, 0);
  for (const { terrain, part } of exact.sort(
    (a, b) => (b.part % 1) - (a.part % 1) || a.terrain - b.terrain,
  )) {
    if (left <= 0) break;
    quotas.set(terrain, Math.floor(part) + 1);
    left--;
  }
  return quotas;
}

/** Empty cells that correspond to each other, each once; without symmetry every cell is alone. */
function groupsOf(grid: CellGrid, cells: Uint8Array, symmetry: Symmetry): number[][] {
  const seen = new Uint8Array(cells.length);
  const groups: number[][] = [];
  for (let cell = 0; cell < cells.length; cell++) {
    if (seen[cell] || cells[cell] !== EMPTY) continue;
    const group = symmetricCells(grid, cell, symmetry).filter((one) => !seen[one] && cells[one] === EMPTY);
    for (const one of group) seen[one] = 1;
    groups.push(group);
  }
  return groups;
}

/** Neighbours of every cell, six places each; -1 fills the rest. */
function neighboursOf(grid: CellGrid): Int32Array {
  const all = new Int32Array(countOf(grid) * PLACES).fill(-1);
  for (let cell = 0; cell < countOf(grid); cell++) all.set(neighbours(grid, cell), cell * PLACES);
  return all;
}
const PLACES = 6;

/** Random heights, evened out by their neighbours' in some rounds: high cells lie together. */
function smoothed(near: Int32Array, random: () => number, rounds: number): Float64Array {
  let heights = Float64Array.from({ length: near.length / PLACES }, random);
  for (let round = 0; round < Math.min(MAX_CLUMPING, rounds); round++) {
    const next = new Float64Array(heights.length);
    for (let cell = 0; cell < heights.length; cell++) {
      let [sum, count] = [heights[cell] ?? 0, 1];
      for (let place = cell * PLACES; place < (cell + 1) * PLACES; place++) {
        const other = near[place] ?? -1;
        if (other < 0) break;
        sum += heights[other] ?? 0;
        count++;
      }
      next[cell] = sum / count;
    }
    heights = next;
  }
  return heights;
}

function apartFrom(pairs: readonly (readonly [number, number])[]): Map<number, ReadonlySet<number>> {
  const all = new Map<number, Set<number>>();
  for (const [a, b] of pairs) {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      all.set(one, (all.get(one) ?? new Set()).add(other));
    }
  }
  return all;
}

/** True if no neighbour of the cells is shunned, nor they each other. */
function fits(
  group: readonly number[],
  terrain: number,
  cells: Uint8Array,
  near: Int32Array,
  shunned: ReadonlySet<number>,
): boolean {
  return group.every((cell) => {
    for (let place = cell * PLACES; place < (cell + 1) * PLACES; place++) {
      const other = near[place] ?? -1;
      if (other < 0) break;
      if (shunned.has(cells[other] ?? EMPTY)) return false;
      if (shunned.has(terrain) && group.includes(other)) return false;
    }
    return true;
  });
}
