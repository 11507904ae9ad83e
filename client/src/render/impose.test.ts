import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_MARKS,
  DEFAULT_PAGE,
  ImpositionError,
  impose,
  type MarksSpec,
  type PageSpec,
  pageSize,
} from './impose.ts';

const POKER = { w: 63.5, h: 88.9 };
const side = fc.double({ min: 20, max: 120, noNaN: true });
const page: fc.Arbitrary<PageSpec> = fc.record({
  size: fc.constantFrom('a4', 'letter'),
  orientation: fc.constantFrom('portrait', 'landscape'),
  margin: fc.double({ min: 0, max: 25, noNaN: true }),
  gap: fc.double({ min: 0, max: 10, noNaN: true }),
});
const marks: fc.Arbitrary<MarksSpec> = fc.record({
  kind: fc.constantFrom('none', 'crop'),
  length: fc.double({ min: 0, max: 8, noNaN: true }),
  offset: fc.double({ min: 0, max: 4, noNaN: true }),
  width: fc.constant(0.1),
});
const copies = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 });
const SLACK = 1e-6;

describe('imposition', () => {
  test.each(['a4', 'letter'] as const)('nine poker cards fit on %s', (size) => {
    const plan = impose(
      POKER,
      Array.from({ length: 87 }, () => 1),
      { ...DEFAULT_PAGE, size },
      DEFAULT_MARKS,
    );
    expect([plan.columns, plan.rows]).toEqual([3, 3]);
    expect(plan.sheets).toHaveLength(10);
    expect(plan.sheets.at(-1)?.placements).toHaveLength(6);
  });

  test('the grid is centred', () => {
    const plan = impose(POKER, [1], DEFAULT_PAGE, DEFAULT_MARKS);
    expect(plan.sheets[0]?.placements[0]?.x).toBeCloseTo((210 - 3 * 63.5) / 2, 9);
    expect(plan.sheets[0]?.placements[0]?.y).toBeCloseTo((297 - 3 * 88.9) / 2, 9);
  });

  test('a card too large is refused with a way out', () => {
    expect(() => impose({ w: 250, h: 100 }, [1], DEFAULT_PAGE, DEFAULT_MARKS)).toThrow(ImpositionError);
    expect(() => impose({ w: 250, h: 100 }, [1], DEFAULT_PAGE, DEFAULT_MARKS)).toThrow(
      /250 × 100 mm does not fit on A4 portrait/,
    );
  });

  test('copies that would take too many sheets are refused', () => {
    expect(() => impose(POKER, [1e6], DEFAULT_PAGE, DEFAULT_MARKS)).toThrow(/check the copies/);
  });

  test('every copy is there exactly once, in order, none off the page, none on another', () => {
    fc.assert(
      fc.property(side, side, copies, page, marks, (w, h, counts, spec, mark) => {
        const size = pageSize(spec);
        const fits = w <= size.w - 2 * spec.margin && h <= size.h - 2 * spec.margin;
        if (!fits) return;
        const plan = impose({ w, h }, counts, spec, mark);
        const placed = plan.sheets.flatMap(({ placements }) =>
          placements.map(({ card, copy }) => [card, copy]),
        );
        expect(placed).toEqual(
          counts.flatMap((count, card) => Array.from({ length: count }, (_, copy) => [card, copy])),
        );
        for (const { placements } of plan.sheets) {
          for (const { x, y } of placements) {
            expect(x).toBeGreaterThanOrEqual(spec.margin - SLACK);
            expect(y).toBeGreaterThanOrEqual(spec.margin - SLACK);
            expect(x + w).toBeLessThanOrEqual(size.w - spec.margin + SLACK);
            expect(y + h).toBeLessThanOrEqual(size.h - spec.margin + SLACK);
          }
          for (const [index, a] of placements.entries()) {
            for (const b of placements.slice(index + 1)) {
              const apart =
                Math.abs(a.x - b.x) >= w + spec.gap - SLACK || Math.abs(a.y - b.y) >= h + spec.gap - SLACK;
              expect(apart).toBe(true);
            }
          }
        }
      }),
    );
  });

  test('marks lie on the lines of a cut, on no card, on the page', () => {
    fc.assert(
      fc.property(side, side, copies, page, marks, (w, h, counts, spec, mark) => {
        const size = pageSize(spec);
        if (w > size.w - 2 * spec.margin || h > size.h - 2 * spec.margin) return;
        for (const sheet of impose({ w, h }, counts, spec, mark).sheets) {
          for (const line of sheet.marks) {
            const upright = line.x1 === line.x2;
            const cuts = sheet.placements.flatMap(({ x, y }) => (upright ? [x, x + w] : [y, y + h]));
            expect(cuts.some((cut) => Math.abs(cut - (upright ? line.x1 : line.y1)) < 1e-3)).toBe(true);
            for (const value of [line.x1, line.x2]) expect(value >= 0 && value <= size.w).toBe(true);
            for (const value of [line.y1, line.y2]) expect(value >= 0 && value <= size.h).toBe(true);
            const middle = { x: (line.x1 + line.x2) / 2, y: (line.y1 + line.y2) / 2 };
            const inside = sheet.placements.some(
              ({ x, y }) =>
                middle.x > x + 0.01 &&
                middle.x < x + w - 0.01 &&
                middle.y > y + 0.01 &&
                middle.y < y + h - 0.01,
            );
            expect(inside).toBe(false);
          }
        }
      }),
    );
  });

  test('a full sheet without gaps has a mark at every end of every cut', () => {
    const [sheet] = impose(POKER, [9], DEFAULT_PAGE, DEFAULT_MARKS).sheets;
    // Four cuts across and four down, a mark at both ends of each.
    expect(sheet?.marks).toHaveLength(16);
  });
});
