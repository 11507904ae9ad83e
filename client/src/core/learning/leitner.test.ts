import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answered,
  BOXES,
  boxCounts,
  CARDS_A_DAY,
  dayOf,
  dueCards,
  type Mark,
  readMark,
  writeMark,
} from './leitner.ts';

const ids = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);

test('a card that is always known climbs to the last box and is asked ever more rarely', () => {
  let mark: Mark | undefined;
  const asked: number[] = [];
  for (let day = 0; day < 60; day++) {
    if (dueCards(['c'], mark ? { c: mark } : {}, day).length === 0) continue;
    asked.push(day);
    mark = answered(mark, true, day);
  }
  expect(asked).toEqual([0, 1, 4, 11, 25, 39, 53]);
  expect(mark?.box).toBe(BOXES);
  expect(answered(mark, false, 60)).toEqual({ box: 1, day: 60 });
});

test('what is not known is asked again on the same day, after the others', () => {
  expect(dueCards(['a', 'b'], { a: answered(undefined, false, 5) }, 5)).toEqual(['b', 'a']);
  expect(dueCards(['a', 'b'], { a: answered(undefined, true, 5) }, 5)).toEqual(['b']);
});

test('cards that are not known take turns until each is known', () => {
  const cards = ids(CARDS_A_DAY);
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (replies) => {
      const marks: Record<string, Mark> = {};
      const asked: string[] = [];
      for (const known of replies) {
        const due = dueCards(cards, marks, 5, asked);
        const [next] = due;
        if (!next) return;
        // None of the others has waited longer.
        const waited = due.map((id) => asked.lastIndexOf(id));
        expect(Math.min(...waited)).toBe(waited[0]);
        marks[next] = answered(marks[next], known, 5);
        asked.push(next);
      }
    }),
  );
});

test('low boxes come before high ones and before new cards', () => {
  const marks = { a: { box: 4, day: 0 }, b: { box: 2, day: 0 } };
  expect(dueCards(['new', 'a', 'b'], marks, 20)).toEqual(['b', 'a', 'new']);
});

test('no day asks more cards than it takes, whatever the answers, and all are asked in the end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 90 }),
      fc.array(fc.boolean(), { maxLength: 30 }),
      (count, replies) => {
        const cards = ids(count);
        const marks: Record<string, Mark> = {};
        const seen = new Set<string>();
        let reply = 0;
        for (let day = 100; seen.size < count; day++) {
          expect(day).toBeLessThan(200);
          const today = new Set<string>();
          // Whoever answers as chance has it comes to an end all the same.
          for (let next = dueCards(cards, marks, day)[0]; next; next = dueCards(cards, marks, day)[0]) {
            today.add(next);
            seen.add(next);
            marks[next] = answered(marks[next], replies[reply++] ?? true, day);
          }
          expect(today.size).toBeLessThanOrEqual(CARDS_A_DAY);
        }
        expect(boxCounts(cards, marks).reduce((sum, one) => sum + one, 0)).toBe(count);
        expect(boxCounts(cards, marks)[0]).toBe(0);
      },
    ),
  );
});

test('marks are stored as text, and what is none is left out', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: BOXES }), fc.nat(99_999), (box, day) => {
      expect(readMark(writeMark({ box, day }))).toEqual({ box, day });
    }),
  );
  for (const text of ['', '6 10', '1', 'x y', '1 1 1']) expect(readMark(text)).toBeUndefined();
});

test('a day begins at midnight where one is', () => {
  const late = new Date(2026, 4, 3, 23, 59);
  expect(dayOf(new Date(2026, 4, 3, 0, 1))).toBe(dayOf(late));
  expect(dayOf(new Date(2026, 4, 4, 0, 1))).toBe(dayOf(late) + 1);
});
