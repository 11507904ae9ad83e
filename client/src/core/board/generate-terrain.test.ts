import { describe, expect, test } from 'vitest';
import { randomFrom } from '../random.ts';
import { SYMMETRIES, symmetricCells, symmetriesOf } from './area.ts';
import { generateTerrain, MAX_CLUMPING, quotasOf, type TerrainSettings } from './generate-terrain.ts';
import { CELL_KINDS, type CellGrid, countOf, neighbours } from './grid.ts';

const PLAIN: TerrainSettings = {
  seed: 'a',
  shares: new Map([
    [1, 50],
    [2, 30],
    [3, 20],
  ]),
  amounts: 'percent',
  clumping: 3,
  symmetry: 'none',
  apart: [],
  emptyOnly: false,
};
const HEXES: CellGrid = { cells: 'hex-pointy', cols: 12, rows: 9 };
const bare = (grid: CellGrid) => new Uint8Array(countOf(grid));
const counted = (cells: Uint8Array, terrain: number) => cells.filter((cell) => cell === terrain).length;

/** Settings and a grid that follow from a number. */
function anyCase(number: number): { grid: CellGrid; settings: TerrainSettings } {
  const random = randomFrom(`case ${number}`);
  const below = (most: number) => Math.floor(random() * most);
  const cells = CELL_KINDS[below(CELL_KINDS.length)] ?? 'square';
  const shares = new Map(Array.from({ length: 1 + below(5) }, (_, index) => [index + 1, below(60)]));
  const settings = { ...PLAIN, seed: String(number), shares, clumping: below(MAX_CLUMPING + 1) };
  return { grid: { cells, cols: 1 + below(14), rows: 1 + below(14) }, settings };
}

describe('terrain at random', () => {
  test('shares are kept to the cell, for a thousand seeds', () => {
    for (let number = 0; number < 1_000; number++) {
      const { grid, settings } = anyCase(number);
      const { cells, missing } = generateTerrain(grid, bare(grid), settings);
      expect(missing.size).toBe(0);
      for (const [terrain, quota] of quotasOf(settings.shares, countOf(grid)))
        expect(counted(cells, terrain), `terrain ${terrain} of ${number}`).toBe(quota);
    }
  });

  test('shares of 100 percent or more leave no cell empty', () => {
    const shares = new Map([
      [1, 33],
      [2, 33],
      [3, 34],
      [4, 70],
    ]);
    for (const cols of [1, 7, 10, 13])
      expect([...quotasOf(shares, cols * 11).values()].reduce((a, b) => a + b, 0)).toBe(cols * 11);
    expect(quotasOf(new Map([[1, 25]]), 10)).toEqual(new Map([[1, 3]]));
  });

  test('counts are kept to the cell where there is room, and what is beyond it is missing, for many seeds', () => {
    for (let number = 0; number < 500; number++) {
      const { grid, settings } = anyCase(number);
      const { cells, missing } = generateTerrain(grid, bare(grid), { ...settings, amounts: 'cells' });
      const wanted = [...settings.shares.values()].reduce((a, b) => a + b, 0);
      expect([...missing.values()].reduce((a, b) => a + b, 0)).toBe(Math.max(0, wanted - countOf(grid)));
      for (const [terrain, count] of settings.shares)
        expect(counted(cells, terrain) + (missing.get(terrain) ?? 0), `terrain ${terrain}`).toBe(count);
    }
  });

  test('the same seed makes the same map, another one another', () => {
    const make = (seed: string) => generateTerrain(HEXES, bare(HEXES), { ...PLAIN, seed }).cells;
    expect(make('fox')).toEqual(make('fox'));
    expect(make('fox')).not.toEqual(make('hare'));
  });

  test('what is kept apart never touches, and what finds no place is counted', () => {
    for (let number = 0; number < 200; number++) {
      const { grid, settings } = anyCase(number);
      const apart = [
        [1, 2],
        [3, 3],
      ] as const;
      const { cells, missing } = generateTerrain(grid, bare(grid), { ...settings, apart });
      for (const [cell, terrain] of cells.entries()) {
        const around = neighbours(grid, cell).map((other) => cells[other]);
        if (terrain === 1) expect(around).not.toContain(2);
        if (terrain === 3) expect(around).not.toContain(3);
      }
      for (const [terrain, quota] of quotasOf(settings.shares, countOf(grid)))
        expect(counted(cells, terrain) + (missing.get(terrain) ?? 0)).toBe(quota);
    }
  });

  test('a symmetric map looks the same from every side', () => {
    for (const cells of CELL_KINDS) {
      for (const symmetry of SYMMETRIES.filter((one) => symmetriesOf({ cells }).includes(one))) {
        const grid = { cells, cols: 11, rows: 11 };
        const made = generateTerrain(grid, bare(grid), { ...PLAIN, symmetry }).cells;
        for (const [cell, terrain] of made.entries())
          for (const other of symmetricCells(grid, cell, symmetry)) expect(made[other]).toBe(terrain);
      }
    }
  });

  test('cells that have a terrain keep it where only empty ones change', () => {
    const before = bare(HEXES);
    for (const cell of [0, 5, 50, 107]) before[cell] = 4;
    const { cells } = generateTerrain(HEXES, before, { ...PLAIN, emptyOnly: true, symmetry: 'turn-2' });
    expect([0, 5, 50, 107].map((cell) => cells[cell])).toEqual([4, 4, 4, 4]);
    expect(counted(cells, 4)).toBe(4);
  });

  test('more clumping puts more cells beside their like', () => {
    const alike = (clumping: number) => {
      let pairs = 0;
      for (let seed = 0; seed < 20; seed++) {
        const { cells } = generateTerrain(HEXES, bare(HEXES), { ...PLAIN, seed: String(seed), clumping });
        for (const [cell, terrain] of cells.entries())
          pairs += neighbours(HEXES, cell).filter((other) => cells[other] === terrain).length;
      }
      return pairs;
    };
    const [strewn, some, most] = [alike(0), alike(2), alike(MAX_CLUMPING)];
    expect(some).toBeGreaterThan(strewn * 1.2);
    expect(most).toBeGreaterThan(some);
  });
});
