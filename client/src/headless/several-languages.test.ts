import { expect, test } from 'vitest';
import { fileInLanguage, namedLanguages } from './several-languages.ts';

test('languages are named between commas, each once', () => {
  expect(namedLanguages(undefined)).toEqual([undefined]);
  expect(namedLanguages('de')).toEqual(['de']);
  expect(namedLanguages(' de, fr,,de-DE,pt-br ')).toEqual(['de', 'fr', 'pt-br']);
  for (const none of ['', ' , ']) expect(() => namedLanguages(none)).toThrow('--language: name a language');
});

test('each language has a file of its own, beside the one that was named', () => {
  expect(fileInLanguage('out/game.pdf', 'pt-BR')).toBe('out/game-pt-br.pdf');
  expect(fileInLanguage('/tmp/a.b/game', 'de')).toBe('/tmp/a.b/game-de');
  expect(fileInLanguage('game.tar.zip', 'de')).toBe('game.tar-de.zip');
});
