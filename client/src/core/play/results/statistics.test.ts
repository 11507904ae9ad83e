import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fairness, wilson } from './chance.ts';
import { type CardStatistics, type Game, type SeatStatistics, summaryOf } from './statistics.ts';

const count = fc.integer({ min: 0, max: 60 });

test('an interval holds its share, narrows with more of the same, and stays between none and all', () => {
  fc.assert(
    fc.property(count, count, fc.integer({ min: 2, max: 20 }), (hits, more, times) => {
      const n = hits + more;
      const { low, high } = wilson(hits, n);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      if (n === 0) return;
      expect(low).toBeLessThanOrEqual(hits / n);
      expect(high).toBeGreaterThanOrEqual(hits / n);
      const wider = wilson(hits * times, n * times);
      expect(wider.high - wider.low).toBeLessThan(high - low);
      const mirrored = wilson(more, n);
      expect(mirrored.low).toBeCloseTo(1 - high, 12);
    }),
  );
  // Values of Wilson's formula as tables print them.
  expect(wilson(1, 10).low).toBeCloseTo(0.0179, 4);
  expect(wilson(1, 10).high).toBeCloseTo(0.4042, 4);
});

test('a test of dice knows fair ones, and is the same in any order of the sides', () => {
  expect(fairness([10, 10, 10, 10, 10, 10])?.p).toBe(1);
  // Quantiles of the distribution: 11.0705 for 5 degrees and 3.8415 for one, at 5 %.
  const off = (chi2: number, sides: number) => {
    const n = 600_000;
    const shift = Math.sqrt((chi2 * (n / sides)) / 2);
    return fairness([n / sides + shift, n / sides - shift, ...Array(sides - 2).fill(n / sides)]);
  };
  expect(off(11.0705, 6)?.p).toBeCloseTo(0.05, 4);
  expect(off(3.8415, 2)?.p).toBeCloseTo(0.05, 4);
  expect(off(0.4, 6)?.p).toBeCloseTo(0.9953, 4);
  expect(fairness([0, 0])).toBeUndefined();
  fc.assert(
    fc.property(fc.array(count, { minLength: 2, maxLength: 20 }), (counts) => {
      const [one, other] = [fairness(counts), fairness([...counts].reverse())];
      expect(one?.p ?? 0).toBeCloseTo(other?.p ?? 0, 10);
      if (one) {
        expect(one.p).toBeGreaterThanOrEqual(0);
        expect(one.p).toBeLessThanOrEqual(1);
      }
    }),
  );
});

const seat = fc.record<SeatStatistics>({
  seat: fc.integer({ min: 0, max: 4 }),
  name: fc.constant('Somebody'),
  turns: count,
  ms: count,
  acts: count,
  won: fc.boolean(),
  points: fc.option(fc.integer({ min: -50, max: 200 })),
});
const card = fc.record<CardStatistics>({
  component: fc.constantFrom('a', 'b'),
  cards: fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 1 }),
  version: fc.constantFrom('1', '2'),
  pieces: count,
  drawn: count,
  played: count,
  discarded: count,
  held: count,
  won: count,
  held_ms: count,
});
const game = fc.record<Game>({
  table: fc.constant('t'),
  name: fc.constant('Game'),
  statistics: fc.record({
    begun: count,
    ended: count,
    ms: count,
    acts: count,
    rounds: count,
    shuffles: count,
    seats: fc.uniqueArray(seat, { selector: ({ seat: no }) => no, maxLength: 5 }),
    first: fc.option(fc.integer({ min: 0, max: 4 })),
    dice: fc.array(
      fc.record({ sides: fc.constant(6), counts: fc.array(count, { minLength: 6, maxLength: 6 }) }),
      { maxLength: 1 },
    ),
    cards: fc.uniqueArray(card, {
      selector: ({ component, cards, version }) => `${component} ${cards.join()} ${version}`,
    }),
  }),
});

test('games add up: each is counted once, in any order, and shares have their sizes', () => {
  fc.assert(
    fc.property(fc.array(game, { maxLength: 6 }), (games) => {
      const found = summaryOf(games);
      const plain = (summary: ReturnType<typeof summaryOf>) => ({
        ...summary,
        cards: [...summary.cards].sort((a, b) => (a.component + a.card < b.component + b.card ? -1 : 1)),
      });
      const again = summaryOf([...games].reverse());
      expect(plain(again).cards).toEqual(plain(found).cards);
      expect([again.games, again.first, again.dice]).toEqual([found.games, found.first, found.dice]);
      const total = (of: (one: CardStatistics) => number) =>
        games.flatMap(({ statistics }) => statistics.cards).reduce((all, one) => all + of(one), 0);
      const summed = (of: (one: (typeof found.cards)[number]) => number) =>
        found.cards.reduce((all, one) => all + of(one), 0);
      expect(summed(({ drawn }) => drawn)).toBe(total(({ drawn }) => drawn));
      expect(summed(({ pieces }) => pieces)).toBe(total(({ pieces }) => pieces));
      expect(found.first.hits).toBeLessThanOrEqual(found.first.n);
      for (const { wins, games: played } of found.seats) {
        expect(wins.hits).toBeLessThanOrEqual(wins.n);
        expect(wins.n).toBeLessThanOrEqual(played);
        expect(played).toBeLessThanOrEqual(games.length);
      }
      for (const { games: played, versions } of found.cards) {
        expect(played).toBeLessThanOrEqual(games.length);
        expect(versions).toBeLessThanOrEqual(2);
      }
    }),
  );
  expect(summaryOf([]).ms).toBeUndefined();
});
