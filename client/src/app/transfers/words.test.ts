import { expect, test } from 'vitest';
import { countedThings, keptInWords, usesInWords } from './words.ts';

test('things are told by name or number', () => {
  expect(countedThings('layouts', 1, 'Frame')).toBe('“Frame”');
  expect(countedThings('images', 1)).toBe('1 image');
  expect(countedThings('layouts', 3, 'Frame')).toBe('3 layouts');
});

test('uses are named, the many of them counted', () => {
  const uses = [
    { kind: 'component', name: 'Heroes' },
    { kind: 'link', name: '' },
    { kind: 'card', name: '' },
    { kind: 'place', name: 'Card “Fox” of “Zoo”' },
  ] as const;
  expect(usesInWords(uses.slice(0, 2))).toBe('component “Heroes” and its link, which is shared');
  expect(usesInWords(uses.slice(2))).toBe('a card and Card “Fox” of “Zoo”');
  expect(usesInWords(uses.slice(0, 3))).toBe(
    'component “Heroes”, its link, which is shared and 1 more place',
  );
  expect(usesInWords([{ kind: 'translation', name: 'de' }])).toBe('texts in German');
  expect(usesInWords(uses)).toBe('component “Heroes”, its link, which is shared and 2 more places');
});

test('what stays is told by its name, else by its id', () => {
  const kept = new Map([
    ['a', [{ kind: 'layout', name: 'Frame' }]],
    ['b', [{ kind: 'change', name: '' }]],
  ] as const);
  expect(keptInWords(kept, new Map([['a', 'fox.png']]))).toEqual([
    '“fox.png” is used by layout “Frame”.',
    '“b” is used by a change since.',
  ]);
});
