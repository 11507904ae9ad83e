import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprint } from './fingerprint.ts';
import { changedSince, type PrintRun, readMarks, runsIn, writeMarks } from './print-runs.ts';

const run = (number: number, marks: Record<string, string>): PrintRun => ({
  number,
  marks: new Map(Object.entries(marks)),
});

test('a card has changed when its newest print looked different', () => {
  const runs = [run(2, { b: 'B2' }), run(1, { a: 'A1', b: 'B1' })];
  const now = new Map(Object.entries({ a: 'A1', b: 'B2', c: 'C1' }));
  expect(changedSince(runs, 2, now)).toEqual(['c']);
  // Since the first run the second card has changed as well.
  expect(changedSince(runs, 1, now)).toEqual(['b', 'c']);
  expect(changedSince([], 9, now)).toEqual(['a', 'b', 'c']);
});

test('a print in one language says nothing of what lies on paper in another', () => {
  const german = { ...run(2, { a: 'A2' }), language: 'de' };
  const runs = [run(1, { a: 'A1' }), german];
  expect(changedSince(runsIn(runs, 'de'), 2, new Map([['a', 'A2']]))).toEqual([]);
  expect(changedSince(runsIn(runs, undefined), 2, new Map([['a', 'A1']]))).toEqual([]);
  expect(changedSince(runsIn(runs, 'fr'), 2, new Map([['a', 'A1']]))).toEqual(['a']);
});

test('marks come back as they were written', () => {
  const marks = fc.dictionary(
    fc.stringMatching(/^[A-Za-z0-9]{1,20}$/),
    fc.stringMatching(/^[a-z0-9]{1,12}$/),
  );
  fc.assert(
    fc.property(marks, (all) => {
      const map = new Map(Object.entries(all));
      expect(readMarks(writeMarks(map))).toEqual(map);
    }),
  );
});

test('texts that differ anywhere have different fingerprints', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(fingerprint(a) === fingerprint(b)).toBe(a === b);
    }),
  );
  const long = 'x'.repeat(20_000);
  const seen = new Set(Array.from({ length: 500 }, (_, index) => fingerprint(`${long}${index}`)));
  expect(seen.size).toBe(500);
});
