import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { replaceWords } from './replace-words.ts';

test('whole words are replaced in any case, and a capital stays one', () => {
  expect(replaceWords('Troop by troop: troopers, TROOP!', 'troop', 'unit')).toBe(
    'Unit by unit: troopers, Unit!',
  );
  expect(replaceWords('war  band (a+b)', 'war band', 'unit')).toBe('unit (a+b)');
  expect(replaceWords('a troop', 'troop', 'Unit')).toBe('a unit');
  expect(replaceWords('a troop', 'troop', 'VIP')).toBe('a VIP');
  expect(replaceWords('a.b acb', 'a.b', 'x')).toBe('x acb');
});

test('nothing is left to replace afterwards, and a text without the words stays', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('troop', 'Troop'), (text, words) => {
      const once = replaceWords(`${text} ${words} ${text}`, words, 'unit');
      expect(replaceWords(once, words, 'unit')).toBe(once);
      expect(replaceWords(text.replace(/troop/gi, ''), words, 'unit')).toBe(text.replace(/troop/gi, ''));
    }),
  );
});
