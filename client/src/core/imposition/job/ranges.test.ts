import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRanges } from './ranges.ts';

test.each([
  ['', [undefined, undefined, undefined, undefined]],
  ['2', [0, undefined, 0, 0]],
  ['1-2, 4', [undefined, undefined, 0, undefined]],
  ['3-', [0, 0, undefined, undefined]],
  ['2x3', [0, 3, 0, 0]],
  ['1 - 2 x 2; 4', [2, 2, 0, undefined]],
  ['1 2', [undefined, undefined, 0, 0]],
  ['1–2×0', [0, 0, 0, 0]],
])('reads “%s”', (text, copies) => {
  expect(readRanges(text, 4)).toEqual(copies);
});

test.each([
  ['5', /no card 5: the last one is card 4/],
  ['2-9', /no card 9/],
  ['0', /“0” is not a card/],
  ['3-1', /“3-1” is not a card/],
  ['fox', /“fox” is not a card or a range of cards: write 1-5, 8 or 12x3/],
  ['1x1000', /is not a card/],
])('refuses “%s”', (text, message) => {
  expect(() => readRanges(text, 4)).toThrow(message);
});

test('what is written is what is chosen', () => {
  const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 9 })));
  fc.assert(
    fc.property(parts, (chosen) => {
      const text = chosen.map(([card, copies]) => `${card}x${copies}`).join(', ');
      const wanted = new Map(chosen.map(([card, copies]) => [card - 1, copies]));
      const read = readRanges(text, 50);
      if (chosen.length === 0) return;
      expect(read).toEqual(read.map((_, index) => wanted.get(index) ?? 0));
    }),
  );
});
