import { expect, test } from 'vitest';
import { iconsIn } from './sources.ts';

test('icons in braces are named up to the first comma', () => {
  expect(
    iconsIn('Pay {coin.png}, {Icons/gem.svg, 0.9, 0.1} or { image:i1 ,2}; {cost}, {a.png{b.png}'),
  ).toEqual(['coin.png', 'Icons/gem.svg', 'image:i1', 'b.png']);
});

test('braces that do not close are passed over at once, whatever stands in them', () => {
  expect(iconsIn(`{${','.repeat(900_000)}`)).toEqual([]);
  expect(iconsIn('{'.repeat(900_000))).toEqual([]);
});
