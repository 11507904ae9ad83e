import { expect, test } from 'vitest';
import { RulebookError } from '../error.ts';
import { languageName, languageTag, USUAL_LANGUAGES } from './languages.ts';

test.each([
  ['de', 'de'],
  [' pt_BR ', 'pt-br'],
  ['zh-hant-TW', 'zh-hant-tw'],
  ['iw', 'he'],
])('%s is the language tag %s', (text, tag) => {
  expect(languageTag(text)).toBe(tag);
});

test.each(['', 'german please', 'd', 'de-', '<b>', 'x-klingon', `de-${'abcdefgh-'.repeat(5)}a1`])(
  '%s is no language tag',
  (text) => {
    expect(() => languageTag(text)).toThrow(RulebookError);
  },
);

test('the usual languages have names of their own', () => {
  const names = USUAL_LANGUAGES.map(languageName);
  expect(new Set(names).size).toBe(USUAL_LANGUAGES.length);
  for (const [at, tag] of USUAL_LANGUAGES.entries()) {
    expect(languageTag(tag)).toBe(tag);
    expect(names[at]).not.toBe(tag);
  }
});
