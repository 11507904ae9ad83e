import { expect, test } from 'vitest';
import { HYPHENATION_LANGUAGES } from '../text/hyphenation/hyphenation.ts';
import { TranslationError } from './error.ts';
import {
  addedLanguage,
  checkSourceLanguage,
  isSameLanguage,
  languageName,
  languageTag,
  MAX_LANGUAGES,
  USUAL_LANGUAGES,
} from './languages.ts';

test.each([
  ['de', 'de'],
  [' pt_BR ', 'pt-br'],
  ['zh-hant-TW', 'zh-hant-tw'],
  ['iw', 'he'],
])('%s is the language tag %s', (text, tag) => {
  expect(languageTag(text)).toBe(tag);
});

test.each(['', 'german please', 'd', 'de-', '<b>', 'x-klingon', `de-${'abcdefgh-'.repeat(5)}a1`])(
  '%s is not a language tag',
  (text) => {
    expect(() => languageTag(text)).toThrow(TranslationError);
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

test.each([
  ['de', 'de-1996'],
  ['de-DE', 'de'],
  ['zh', 'zh-Hans'],
  ['zh-TW', 'zh-hant'],
  ['pt', 'pt-pt'],
  ['en', 'en-US'],
])('%s and %s are one language', (a, b) => {
  expect(isSameLanguage(a, b)).toBe(true);
  expect(isSameLanguage(b, a)).toBe(true);
});

test.each([
  ['de', 'de-at'],
  ['pt', 'pt-br'],
  ['en-gb', 'en-us'],
  ['zh-hans', 'zh-hant'],
  ['sr', 'sr-latn'],
  ['de', 'x?'],
])('%s and %s are two languages', (a, b) => {
  expect(isSameLanguage(a, b)).toBe(false);
});

test('no two usual languages are one, nor are two that words are divided by', () => {
  for (const list of [USUAL_LANGUAGES, HYPHENATION_LANGUAGES.map(({ id }) => id)]) {
    for (const one of list) expect(list.filter((other) => isSameLanguage(one, other))).toEqual([one]);
  }
});

test('any language is found by its English name, and letters that name none are refused', () => {
  expect(addedLanguage('Arabic', 'en', [])).toBe('ar');
  expect(addedLanguage('thai', 'en', [])).toBe('th');
  expect(addedLanguage('Brazilian Portuguese', 'en', [])).toBe('pt-br');
  expect(addedLanguage('tlh', 'en', [])).toBe('tlh');
  expect(() => addedLanguage('xx', 'en', [])).toThrow('“xx” is not a language tag');
  expect(() => addedLanguage('Elvish', 'en', [])).toThrow('is not a language tag');
});

test('a language is added once, by whichever of its tags, and not beside the text that is in it', () => {
  expect(addedLanguage(' german ', 'en-gb', ['fr'])).toBe('de');
  expect(addedLanguage('de-AT', 'de-1996', [])).toBe('de-at');
  expect(() => addedLanguage('German', 'de-1996', [])).toThrow('The rulebook itself is in German.');
  expect(() => addedLanguage('de-DE', 'en-gb', ['fr', 'de'])).toThrow('has a translation into German');
  const full = Array.from({ length: MAX_LANGUAGES }, (_, at) => `qa${String.fromCharCode(97 + (at % 20))}`);
  expect(() => addedLanguage('de', 'en', full)).toThrow(`at most ${MAX_LANGUAGES}`);
});

test('the text of a rulebook gets no language that it is translated into', () => {
  expect(() => checkSourceLanguage('de-1996', ['fr', 'de'])).toThrow('remove that translation first');
  expect(() => checkSourceLanguage('de-1996', ['fr', 'de-at'])).not.toThrow();
});
