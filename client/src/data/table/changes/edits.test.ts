import { expect, test } from 'vitest';
import { copiesIn } from './edits.ts';

const cards = (...texts: string[]) =>
  texts.map((times, order) => ({ id: `c${order}`, order, copies: 2, cells: { times } }));

test('a column’s numbers become copies; empty cells and what is so already stay', () => {
  expect(copiesIn(cards('3', '', ' 2 ', '0'), 'times')).toEqual({
    intents: [
      { kind: 'field', card: 'c0', field: 'copies', value: 3 },
      { kind: 'field', card: 'c3', field: 'copies', value: 0 },
    ],
    faults: [],
  });
});

test('what is no number of copies is told once, with its text', () => {
  const { faults } = copiesIn(cards('1', 'many', 'many', '1.5'), 'times');
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    '“many” is no number of copies',
    '“1.5” is no number of copies',
  ]);
});
