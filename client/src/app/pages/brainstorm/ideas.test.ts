import { expect, it } from 'vitest';
import {
  FIRST_GENERATORS,
  FIRST_SENTENCES,
  fillSentence,
  MAX_WORDS,
  parseWords,
  readGenerators,
} from './ideas.ts';

const lists = [{ name: 'Colour', words: ['red', 'blue'] }];

it('fills every place with a word, never the same twice while others are left', () => {
  expect(fillSentence('{colour} and {Colour }, then {colour}', lists, () => 0)).toBe(
    'red and blue, then red',
  );
  expect(fillSentence('a {shape} {}', lists, () => 0)).toBe('a {shape} {}');
});

it('leaves no place open in the first sentences', () => {
  for (const sentence of FIRST_SENTENCES) {
    expect(fillSentence(sentence, FIRST_GENERATORS, () => 0.99)).not.toMatch(/[{}]/);
  }
});

it('reads what it can of what is stored', () => {
  expect(
    readGenerators([null, 3, { name: 'a', words: ['x', 1] }, { name: '', words: [] }, { words: [] }]),
  ).toEqual([{ name: 'a', words: ['x'] }]);
});

it('reads words line by line, up to a limit', () => {
  expect(parseWords(' a \n\nb')).toEqual(['a', 'b']);
  expect(parseWords('x\n'.repeat(MAX_WORDS + 5))).toHaveLength(MAX_WORDS);
});
