import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { gridShape, visibleRows } from './grid-window.ts';

it('fills the width and shows every row somewhere', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4000 }),
      fc.double({ min: 0.3, max: 3, noNaN: true }),
      fc.integer({ min: 1, max: 5000 }),
      (width, ratio, count) => {
        const shape = gridShape(width, ratio, count);
        expect(shape.perRow * shape.tileWidth + (shape.perRow - 1) * shape.gap).toBeLessThanOrEqual(
          Math.max(width, shape.tileWidth),
        );
        expect(shape.perRow * shape.rows).toBeGreaterThanOrEqual(count);
        const view = 800;
        for (let top = 0; top <= shape.height; top += view) {
          const [first, last] = visibleRows(shape, top, view);
          expect(first * shape.rowHeight).toBeLessThanOrEqual(top);
          expect(last === shape.rows - 1 || (last + 1) * shape.rowHeight >= top + view).toBe(true);
        }
      },
    ),
    { numRuns: 60 },
  );
});

it('shows few rows of many', () => {
  const shape = gridShape(1000, 1.4, 5000);
  const [first, last] = visibleRows(shape, 20_000, 900);
  expect(last - first).toBeLessThan(8);
});
