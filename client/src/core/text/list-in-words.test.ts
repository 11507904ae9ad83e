import { expect, test } from 'vitest';
import { listInWords } from './list-in-words.ts';

test.each([
  [[], ''],
  [['Ann'], 'Ann'],
  [['Ann', 'Bob'], 'Ann and Bob'],
  [['Ann', 'Bob', 'Eve'], 'Ann, Bob and Eve'],
])('%j is the list “%s”', (names, words) => {
  expect(listInWords(names)).toBe(words);
});
