import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TrackNumbers, trackNumbers } from './track-numbers.ts';

const COUNTING: TrackNumbers = { by: 'counting', from: 1, step: 1, every: 1, formula: '' };
const byFormula = (count: number, formula: string) =>
  trackNumbers(count, { ...COUNTING, by: 'formula', formula });

test('places are counted on, and not all of them show it', () => {
  const { labels, titles } = trackNumbers(5, { ...COUNTING, from: 0, step: 5, every: 2 });
  expect(labels).toEqual(['0', '', '10', '', '20']);
  expect(titles).toEqual(['0', '5', '10', '15', '20']);
  expect(trackNumbers(3, { ...COUNTING, step: 0 }).titles).toEqual(['1', '2', '3']);
});

test('a formula numbers them: triangular numbers, a countdown, letters between, only the fives', () => {
  expect(byFormula(5, 'n * (n + 1) / 2').labels).toEqual(['1', '3', '6', '10', '15']);
  expect(byFormula(4, 'count - n').labels).toEqual(['3', '2', '1', '0']);
  expect(byFormula(3, "n == count ? 'Goal' : n")).toEqual({
    labels: ['1', '2', 'Goal'],
    titles: ['1', '2', 'Goal'],
  });
  expect(byFormula(10, "n % 5 == 0 ? n : ''").labels.filter(Boolean)).toEqual(['5', '10']);
});

test('names stay apart where numbers repeat, and a formula with a fault leaves places blank', () => {
  expect(byFormula(4, 'n % 2').titles).toEqual(['1', '2', '3', '4']);
  expect(byFormula(2, 'n +')).toEqual({ labels: ['', ''], titles: ['1', '2'] });
});

test('whatever the formula is, every place has a name of its own', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.string({ maxLength: 20 }), (count, formula) => {
      const { labels, titles } = byFormula(count, formula);
      expect(labels).toHaveLength(count);
      expect(new Set(titles).size).toBe(count);
    }),
  );
});
