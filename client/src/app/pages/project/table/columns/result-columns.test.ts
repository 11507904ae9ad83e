import { expect, test } from 'vitest';
import { isResult, RESULT_COLUMNS, resultText } from './result-columns.tsx';

test('a card’s results are shares of what could have happened', () => {
  const card = {
    component: 'c',
    card: 'k',
    versions: 1,
    games: 2,
    pieces: 4,
    drawn: 3,
    played: 2,
    discarded: 1,
    held: 0,
    heldMs: 0,
    won: { hits: 1, n: 2 },
  };
  const texts = RESULT_COLUMNS.map(({ key }) => resultText(card, key));
  expect(texts).toEqual(['75 % of 4', '67 % of 3', '33 % of 3', '50 % of 2']);
  expect(RESULT_COLUMNS.map(({ key }) => resultText(undefined, key))).toEqual(['', '', '', '']);
  expect(RESULT_COLUMNS.every(({ key }) => isResult(key))).toBe(true);
  expect(isResult('constructor')).toBe(false);
});
