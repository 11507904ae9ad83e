import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CountedCard, curve, iconUse, lengths, MAX_BARS, tagCounts } from './statistics.ts';

const card = (text: string, copies = 1): CountedCard => ({ copies, text: () => text });

it('draws a curve without holes', () => {
  expect(curve([card('1', 2), card('4'), card('x'), card('')], 'k')).toEqual([
    { label: '1', count: 2 },
    { label: '2', count: 0 },
    { label: '3', count: 0 },
    { label: '4', count: 1 },
  ]);
});

it('counts tags and icons', () => {
  expect(tagCounts([card('fire, ice'), card('fire', 3), card('')], 'k')).toEqual([
    { label: 'fire', count: 4 },
    { label: 'ice', count: 1 },
  ]);
  expect(iconUse([card('Pay {Icons/coin.png, 0.9} and {coin}. {Bold:x} {{ 1 + 1 }}', 2)], ['k'])).toEqual([
    { label: 'coin', count: 2 },
    { label: 'Icons/coin.png', count: 2 },
  ]);
});

it('leaves no card out, whatever the cells', () => {
  const cards = fc.array(
    fc.tuple(
      fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.string()),
      fc.nat(9),
    ),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(cards, (list) => {
      const own = list.map(([text, copies]) => card(text, copies));
      const sum = (bars: readonly { count: number }[]) => bars.reduce((all, { count }) => all + count, 0);
      expect(sum(lengths(own, 'k'))).toBe(
        sum(list.filter(([text]) => text !== '').map(([, count]) => ({ count }))),
      );
      const numbers = list.filter(
        ([text]) => text.trim() !== '' && Number.isFinite(Number(text.trim().replace(',', '.'))),
      );
      expect(sum(curve(own, 'k'))).toBe(sum(numbers.map(([, count]) => ({ count }))));
      expect(tagCounts(own, 'k').length).toBeLessThanOrEqual(MAX_BARS);
    }),
  );
});
