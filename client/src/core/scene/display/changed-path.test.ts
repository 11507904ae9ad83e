import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CELL_KINDS, countOf } from '../../board/grid.ts';
import { areaPath } from '../../board/outlines.ts';
import { cellCentre, cellPolygon, placeGrid } from '../../board/placing.ts';
import { changedPlaces, changedSides } from './changed-path.ts';
import type { PathCommand } from './display-list.ts';
import type { Point } from './matrix.ts';

/** The number of times that a path winds around a point. */
function winding(commands: readonly PathCommand[], { x, y }: Point): number {
  let [turns, start, last] = [0, { x: 0, y: 0 }, { x: 0, y: 0 }];
  const side = (to: Point): void => {
    const left = (to.x - last.x) * (y - last.y) - (x - last.x) * (to.y - last.y);
    if (last.y <= y && to.y > y && left > 0) turns++;
    if (last.y > y && to.y <= y && left < 0) turns--;
    last = to;
  };
  for (const command of commands) {
    if (command[0] === 'L') side({ x: command[1], y: command[2] });
    else side(start);
    if (command[0] === 'M')
      [start, last] = [
        { x: command[1], y: command[2] },
        { x: command[1], y: command[2] },
      ];
  }
  side(start);
  return turns;
}

const outside = (
  boxes: readonly { x: number; y: number; w: number; h: number }[],
  { x, y }: Point,
): boolean => boxes.every((box) => x < box.x || y < box.y || x > box.x + box.w || y > box.y + box.h);

const points = fc.record({ x: fc.integer({ min: 0, max: 12 }), y: fc.integer({ min: 0, max: 12 }) });
const loop = fc
  .tuple(fc.array(points, { minLength: 1, maxLength: 9 }), fc.boolean())
  .map(([corners, closed]): PathCommand[] => [
    ...corners.map(({ x, y }, at): PathCommand => [at === 0 ? 'M' : 'L', x, y]),
    ...(closed ? [['Z'] as const] : []),
  ]);
const paths = fc.array(loop, { maxLength: 4 }).map((loops) => loops.flat());
/** Two paths that have much in common. */
const pairs = fc
  .tuple(
    paths,
    fc.nat(40),
    fc.nat(6),
    fc.oneof(paths, fc.array(points.map(({ x, y }): PathCommand => ['L', x, y]))),
  )
  .map(([path, at, count, instead]) => {
    const changed = path.toSpliced(at % (path.length + 1), count, ...instead);
    // A path begins by moving.
    const first = changed[0];
    if (first?.[0] === 'L') changed[0] = ['M', first[1], first[2]];
    return [path, changed[0]?.[0] === 'Z' ? changed.slice(1) : changed] as const;
  })
  .filter(([, changed]) => changed.length === 0 || changed[0]?.[0] === 'M');

describe('what changed between two paths', () => {
  test('outside of the boxes both wind around every point alike', () => {
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        const boxes = changedSides(before, after) ?? [];
        for (let x = -0.5; x < 14; x++) {
          for (let y = -0.5; y < 14; y++) {
            const point = { x, y };
            if (outside(boxes, point)) expect(winding(after, point)).toBe(winding(before, point));
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  test('of a map, one changed cell is a box about that cell and those that its sides run along', () => {
    const terrains = fc.record({
      cells: fc.constantFrom(...CELL_KINDS),
      cols: fc.integer({ min: 1, max: 9 }),
      rows: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(
        terrains.chain((grid) =>
          fc.tuple(
            fc.constant(grid),
            fc.uint8Array({ minLength: countOf(grid), maxLength: countOf(grid), max: 1 }),
            fc.nat(countOf(grid) - 1),
          ),
        ),
        ([grid, cells, changed]) => {
          const placed = placeGrid(grid, { x: 0, y: 0, w: 100, h: 100 }, 0);
          const before = areaPath(placed, (cell) => cells[cell] === 1);
          const after = areaPath(placed, (cell) => (cells[cell] === 1) !== (cell === changed));
          const boxes = changedSides(before, after) ?? [];
          expect(outside(boxes, cellCentre(placed, changed))).toBe(false);
          if (grid.cells.startsWith('hex')) {
            // Sides of hexagons never run on straight, so nothing but the cell is in the box.
            const corners = cellPolygon(placed, changed);
            const [box] = boxes;
            expect(boxes).toHaveLength(1);
            expect(box?.w).toBeLessThanOrEqual(
              Math.max(...corners.map(({ x }) => x)) - Math.min(...corners.map(({ x }) => x)) + 0.01,
            );
          }
        },
      ),
    );
  });

  test('a path that bends is not compared', () => {
    const bent: PathCommand[] = [['M', 0, 0], ['C', 0, 1, 1, 1, 1, 0], ['Z']];
    expect(changedSides(bent, [['M', 0, 0], ['L', 1, 1], ['Z']])).toBeUndefined();
  });

  test('places that only one list has are found, as often as they are', () => {
    expect(changedPlaces([1, 1, 2, 2, 2, 2, 3, 3], [3, 3, 2, 2, 4, 4])).toEqual([1, 1, 2, 2, 4, 4]);
    expect(changedPlaces([1, 2], [1, 2])).toEqual([]);
  });
});
