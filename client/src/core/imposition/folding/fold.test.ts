import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FoldLine, foldLines, panelsOf, seenFromBack } from './fold.ts';

const INCH = 25.4;
const kinds = fc.constantFrom('none' as const, 'two' as const, 'four' as const, 'six' as const);
const side = fc.double({ min: 50, max: 1_000, noNaN: true });

const lengthOf = ({ x1, y1, x2, y2 }: FoldLine): number => Math.hypot(x2 - x1, y2 - y1);

describe('folding boards', () => {
  test('18 × 18 inches in four: panels of 9 inches, three folds and a slit that meet in the middle', () => {
    const size = { w: 18 * INCH, h: 18 * INCH };
    expect(panelsOf('four', size)).toEqual(
      [
        [0, 0],
        [9, 0],
        [0, 9],
        [9, 9],
      ].map(([x = 0, y = 0]) => ({ x: x * INCH, y: y * INCH, w: 9 * INCH, h: 9 * INCH })),
    );
    const lines = foldLines('four', size);
    expect(lines.filter(({ kind }) => kind === 'slit')).toEqual([
      { kind: 'slit', x1: 228.6, y1: 228.6, x2: 228.6, y2: 457.2 },
    ]);
    expect(lines.filter(({ kind }) => kind === 'fold')).toHaveLength(3);
    for (const line of lines) expect(lengthOf(line)).toBeCloseTo(228.6, 9);
  });

  test('two panels divide the longer side', () => {
    const across = foldLines('two', { w: 9 * INCH, h: 18 * INCH });
    expect(across).toEqual([{ kind: 'fold', x1: 0, y1: 228.6, x2: 228.6, y2: 228.6 }]);
  });

  test('panels cover the board, and every line is an edge between two of them', () => {
    fc.assert(
      fc.property(kinds, side, side, (kind, w, h) => {
        const panels = panelsOf(kind, { w, h });
        const area = panels.reduce((sum, panel) => sum + panel.w * panel.h, 0);
        expect(area).toBeCloseTo(w * h, 4);
        const lines = foldLines(kind, { w, h });
        for (const { x1, y1, x2, y2 } of lines) {
          const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
          const touching = panels.filter(
            (one) =>
              x >= one.x - 1e-6 &&
              x <= one.x + one.w + 1e-6 &&
              y >= one.y - 1e-6 &&
              y <= one.y + one.h + 1e-6,
          );
          expect(touching).toHaveLength(2);
        }
        // Folds alone hold all panels together without a ring, which could not fold.
        expect(lines.filter((line) => line.kind === 'fold')).toHaveLength(panels.length - 1);
      }),
    );
  });

  test('seen from the back, lines are mirrored, and twice mirrored they are as before', () => {
    const size = { w: 300, h: 200 };
    const lines = foldLines('six', size);
    expect(seenFromBack(lines, size).map(({ x1 }) => x1)).toEqual(lines.map(({ x1 }) => 300 - x1));
    expect(seenFromBack(seenFromBack(lines, size), size)).toEqual(lines);
  });
});
