import fc from 'fast-check';
import { expect, test } from 'vitest';
import { combinations, countCombinations, readValues } from './enumerate.ts';

test('lists are typed with commas or lines, and count', () => {
  expect(readValues('Hearts, Spades ,,')).toEqual(['Hearts', 'Spades']);
  expect(readValues('one, two\nthree')).toEqual(['one, two', 'three']);
  expect(readValues('A, 2..4, 1..-1, K')).toEqual(['A', '2', '3', '4', '1', '0', '-1', 'K']);
  expect(readValues('7..7')).toEqual(['7']);
  expect(readValues('0..999999')).toHaveLength(5_001);
  expect(readValues(' ')).toEqual([]);
});

test('the last list changes the fastest; empty ones take no part', () => {
  const lists = [
    { name: 'Suit', values: ['♥', '♠'] },
    { name: 'Nothing', values: [] },
    { name: 'Rank', values: ['A', '2', '3'] },
  ];
  expect(combinations(lists).map((row) => row.join(''))).toEqual(['♥A', '♥2', '♥3', '♠A', '♠2', '♠3']);
  expect(combinations(lists, 2)).toHaveLength(2);
  expect(combinations([])).toEqual([]);
});

test('every combination is there once', () => {
  const list = fc.record({
    name: fc.constant('x'),
    values: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 4 }), (lists) => {
      const rows = combinations(lists);
      expect(rows).toHaveLength(countCombinations(lists));
      expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
    }),
  );
});
