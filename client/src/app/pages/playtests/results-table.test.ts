import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CardRow, cardRows, resultsTable, shareWords, sortedRows, timeWords } from './results-table.ts';

const share = fc
  .integer({ min: 0, max: 30 })
  .chain((n) => fc.record({ hits: fc.integer({ min: 0, max: n }), n: fc.constant(n) }));
const row = fc.record<CardRow>({
  key: fc.uuid(),
  name: fc.string({ minLength: 1, maxLength: 8 }),
  component: fc.constant('Spells'),
  games: fc.integer({ min: 1, max: 9 }),
  versions: fc.constant(1),
  pieces: fc.integer({ min: 0, max: 30 }),
  drawn: share,
  played: share,
  discarded: share,
  held: share,
  won: share,
  heldMs: fc.integer({ min: 0, max: 9_000_000 }),
});

test('rows keep all cards in any order, shares of nothing last', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.boolean(), (rows, descending) => {
      const sorted = sortedRows(rows, 'played', descending);
      expect(new Set(sorted)).toEqual(new Set(rows));
      const empty = sorted.map(({ played }) => played.n === 0);
      expect(empty.indexOf(true) === -1 || empty.slice(empty.indexOf(true)).every(Boolean)).toBe(true);
      const shares = sorted.filter(({ played }) => played.n > 0).map(({ played }) => played.hits / played.n);
      const ordered = [...shares].sort((a, b) => (descending ? b - a : a - b));
      expect(shares).toEqual(ordered);
      const { header, rows: lines } = resultsTable(rows);
      expect(lines.every((line) => line.length === header.length)).toBe(true);
    }),
  );
});

test('numbers are said with their size, and deleted cards are named as such', () => {
  expect(shareWords({ hits: 1, n: 10 })).toBe('10 % (2–40 %, n = 10)');
  expect(shareWords({ hits: 0, n: 0 })).toBe('–');
  expect([timeWords(40_000), timeWords(12 * 60_000), timeWords(65 * 60_000)]).toEqual([
    '40 s',
    '12 min',
    '1 h 05 min',
  ]);
  const card = {
    component: 'c',
    card: 'k',
    versions: 2,
    games: 1,
    pieces: 2,
    drawn: 2,
    played: 1,
    discarded: 0,
    held: 1,
    heldMs: 3_000,
    won: { hits: 1, n: 1 },
  };
  const named = new Map([['c', { name: 'Spells', cards: new Map([['k', 'Fox']]) }]]);
  expect(cardRows({ cards: [card] }, named)[0]).toMatchObject({
    name: 'Fox',
    component: 'Spells',
    heldMs: 1_500,
  });
  expect(cardRows({ cards: [card] }, new Map())[0]).toMatchObject({ name: 'Deleted card' });
});
