import { expect, test } from 'vitest';
import { SimilarNames } from './similar-names.ts';

const NAMES = ['Neap tide', 'Spring tide', 'Cockle', 'Great whelk', 'Ebb'];
const similar = new SimilarNames(NAMES);

test('a card that was renamed is found by most of its letters', () => {
  expect(similar.find('Neap tides')).toBe('Neap tide');
  expect(similar.find('neap-tide')).toBe('Neap tide');
  expect(similar.find('The great whelk')).toBe('Great whelk');
  expect(similar.find('Cokle')).toBe('Cockle');
});

test('a name that is like none has no replacement', () => {
  for (const name of ['Lighthouse', '?', '', 'Zzz']) expect(similar.find(name)).toBeUndefined();
  expect(new SimilarNames([]).find('Ebb')).toBeUndefined();
});
