import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STARTING_TERRAINS, type Terrain } from '../../scene/board/terrain.ts';
import { CELL_KINDS, type CellGrid, countOf } from '../grid.ts';
import { ACCEPTED_PIECES, MAX_HELD, MAX_ORDER, SPACE_ROLES, SPACE_TURNINGS } from '../space.ts';
import { decodeTerrain, encodeTerrain, terrainNumber } from '../terrain-data.ts';
import type { TiledSpace } from './object-spaces.ts';
import { readTiled } from './read-tiled.ts';
import { tilePixels, writeTiled } from './write-tiled.ts';

const share = fc.double({ min: 0, max: 0.5, noNaN: true });
const spaces = fc.uniqueArray(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 8 }),
    role: fc.constantFrom(...SPACE_ROLES),
    x: share,
    y: share,
    w: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
    h: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
    rotation: fc.integer({ min: -359, max: 359 }),
    turning: fc.constantFrom(...SPACE_TURNINGS),
    turn: fc.integer({ min: -359, max: 359 }),
    accepts: fc.subarray([...ACCEPTED_PIECES]),
    holds: fc.integer({ min: 0, max: MAX_HELD }),
    order: fc.integer({ min: 0, max: MAX_ORDER }),
    // Links to objects that are not there are dropped.
    links: fc.constantFrom([], [0]),
  }),
  { maxLength: 4, selector: ({ name }) => name },
);
const maps = fc
  .record({
    cells: fc.constantFrom(...CELL_KINDS),
    cols: fc.integer({ min: 1, max: 9 }),
    rows: fc.integer({ min: 1, max: 9 }),
  })
  .chain((grid) =>
    fc.record({
      grid: fc.constant<CellGrid>(grid),
      terrain: fc.uint8Array({ minLength: countOf(grid), maxLength: countOf(grid), max: 8 }),
      spaces,
    }),
  );

/** Names of the cells' terrains. */
const namesOf = (grid: CellGrid, terrains: readonly Terrain[], data: string): (string | undefined)[] =>
  Array.from(
    decodeTerrain(grid, data),
    (number) => terrains.find(({ symbol }) => terrainNumber(symbol) === number)?.name,
  );

test('a map that was written for Tiled is read as it was: cells, terrains by name, spaces by place', () => {
  fc.assert(
    fc.property(maps, ({ grid, terrain, spaces: out }) => {
      const data = encodeTerrain(grid, terrain);
      // Through text, as a file is.
      const read = readTiled(JSON.parse(JSON.stringify(writeTiled(grid, STARTING_TERRAINS, data, out))));
      expect(read.grid).toEqual(grid);
      expect(read.remarks).toEqual([]);
      expect(namesOf(read.grid, read.terrains, read.data)).toEqual(namesOf(grid, STARTING_TERRAINS, data));
      expect(read.spaces).toHaveLength(out.length);
      for (const [at, space] of out.entries()) expectSame(read.spaces[at], space);
    }),
  );
});

function expectSame(read: TiledSpace | undefined, { name, role, x, y, w, h, ...traits }: TiledSpace): void {
  expect(read).toMatchObject(traits);
  expect(read?.name).toBe(name);
  const middle = (from: number, length: number): number => from + length / 2;
  expect(middle(read?.x ?? 0, read?.w ?? 0)).toBeCloseTo(middle(x, w), 9);
  expect(middle(read?.y ?? 0, read?.h ?? 0)).toBeCloseTo(middle(y, h), 9);
  expect(read?.role).toBe(role);
  if (role !== 'spot') expect(read?.w).toBeCloseTo(w, 9);
}

test('a terrain that the map does not have any more is no tile', () => {
  const read = readTiled(
    writeTiled({ cells: 'square', cols: 2, rows: 1 }, STARTING_TERRAINS.slice(0, 1), 'AB', []),
  );
  expect(decodeTerrain(read.grid, read.data)).toEqual(Uint8Array.of(1, 0));
});

test('each tile is a cell in its colour, and clear around it', () => {
  for (const cells of CELL_KINDS) {
    const { width, height, pixels } = tilePixels({ cells }, STARTING_TERRAINS.slice(0, 2));
    const at = (x: number, y: number): number[] => [
      ...pixels.slice((y * width + x) * 4, (y * width + x) * 4 + 4),
    ];
    expect(at(Math.floor(width / 4), Math.floor(height / 2))).toEqual([0xe9, 0xe2, 0xb6, 255]);
    expect(at(Math.floor((width * 3) / 4), Math.floor(height / 2))).toEqual([0xb4, 0xcf, 0xa0, 255]);
    expect(at(0, 0)[3]).toBe(cells.startsWith('hex') ? 0 : 255);
  }
});
