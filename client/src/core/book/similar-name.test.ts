import { expect, test } from 'vitest';
import { similarName } from './similar-name.ts';

const NAMES = ['Neap tide', 'Spring tide', 'Cockle', 'Great whelk', 'Ebb'];

test('a card that was renamed is found by most of its letters', () => {
  expect(similarName('Neap tides', NAMES)).toBe('Neap tide');
  expect(similarName('neap-tide', NAMES)).toBe('Neap tide');
  expect(similarName('The great whelk', NAMES)).toBe('Great whelk');
  expect(similarName('Cokle', NAMES)).toBe('Cockle');
});

test('a name that is like none has no replacement', () => {
  for (const name of ['Lighthouse', '?', '', 'Zzz']) expect(similarName(name, NAMES)).toBeUndefined();
  expect(similarName('Ebb', [])).toBeUndefined();
});
