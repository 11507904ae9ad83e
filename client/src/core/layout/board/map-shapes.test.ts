import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CELL_KINDS, countOf } from '../../board/grid.ts';
import { placeGrid } from '../../board/placing.ts';
import { MapShapes, mapShapes } from './map-shapes.ts';

const MOST = 4;
const maps = fc
  .record({
    cells: fc.constantFrom(...CELL_KINDS),
    cols: fc.integer({ min: 1, max: 8 }),
    rows: fc.integer({ min: 1, max: 8 }),
  })
  .chain((grid) =>
    fc.record({
      grid: fc.constant(placeGrid(grid, { x: 1, y: 2, w: 60, h: 40 }, 0)),
      first: fc.uint8Array({ minLength: countOf(grid), maxLength: countOf(grid), max: MOST }),
      strokes: fc.array(
        fc.record({ cells: fc.array(fc.nat(countOf(grid) - 1), { maxLength: 5 }), terrain: fc.nat(MOST) }),
        { maxLength: 6 },
      ),
    }),
  );

describe('shapes of a map that is painted', () => {
  test('are after every stroke those of a map that was never another', () => {
    fc.assert(
      fc.property(maps, ({ grid, first, strokes }) => {
        let cells = first;
        for (const { cells: changed, terrain } of [{ cells: [], terrain: 0 }, ...strokes]) {
          cells = cells.slice();
          for (const cell of changed) cells[cell] = terrain;
          const kept = mapShapes(grid, cells);
          const fresh = new MapShapes(grid);
          fresh.show(cells);
          expect(kept.lines).toEqual(fresh.lines);
          for (let number = 1; number <= MOST; number++)
            expect(kept.terrain(number)).toEqual(fresh.terrain(number));
        }
      }),
    );
  });

  test('are the same objects where no cell changed', () => {
    const grid = placeGrid({ cells: 'hex-flat', cols: 4, rows: 4 }, { x: 0, y: 0, w: 40, h: 40 }, 0);
    const cells = new Uint8Array(16).fill(1, 0, 4).fill(2, 4, 8).fill(3, 8);
    const shapes = mapShapes(grid, cells);
    const before = [1, 2, 3].map((number) => shapes.terrain(number));
    const changed = cells.slice();
    changed[0] = 2;
    const after = [1, 2, 3].map((number) => mapShapes(grid, changed).terrain(number));
    expect(after[2]).toBe(before[2]);
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test('areas of single cells stay, however many colours there are, but for those whose cells changed', () => {
    const grid = placeGrid({ cells: 'square', cols: 20, rows: 20 }, { x: 0, y: 0, w: 40, h: 40 }, 0);
    const shapes = new MapShapes(grid);
    const byColour = new Map(Array.from({ length: 300 }, (_, cell) => [`colour ${cell}`, new Set([cell])]));
    const before = shapes.cellAreas(byColour);
    byColour.set('colour 7', new Set([7, 399]));
    const after = shapes.cellAreas(byColour);
    const changed = [...after].flatMap(([colour, area]) => (area === before.get(colour) ? [] : [colour]));
    expect(changed).toEqual(['colour 7']);
  });
});
