import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { average, chanceOf, chanceOfAtLeast } from './odds.ts';

const drawings = fc
  .record({ cards: fc.integer({ min: 1, max: 400 }), some: fc.double({ min: 0, max: 1, noNaN: true }) })
  .chain(({ cards, some }) =>
    fc.record({
      cards: fc.constant(cards),
      wanted: fc.constant(Math.floor(some * cards)),
      hand: fc.integer({ min: 1, max: Math.min(cards, 12) }),
    }),
  );

test('chances of a deck are those of counting its hands', () => {
  // 4 aces in 52: no ace among 5 in C(48, 5) of C(52, 5) hands.
  expect(chanceOf({ cards: 52, wanted: 4, hand: 5 }, 0)).toBeCloseTo(1_712_304 / 2_598_960, 10);
  expect(chanceOfAtLeast({ cards: 52, wanted: 4, hand: 5 }, 1)).toBeCloseTo(0.341_158, 6);
  expect(chanceOfAtLeast({ cards: 5, wanted: 5, hand: 3 }, 3)).toBeCloseTo(1, 10);
  expect(chanceOfAtLeast({ cards: 5, wanted: 2, hand: 3 }, 3)).toBe(0);
});

test('chances add up to one and to the average', () => {
  fc.assert(
    fc.property(drawings, (drawing) => {
      const all = Array.from({ length: drawing.hand + 1 }, (_, count) => chanceOf(drawing, count));
      expect(all.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 8);
      expect(all.reduce((sum, one, count) => sum + one * count, 0)).toBeCloseTo(average(drawing), 8);
    }),
  );
});
