import { expect, it } from 'vitest';
import { returnTo } from './return-to.ts';

it.each([
  ['/decks/abc?x=1', '/decks/abc?x=1'],
  ['', '/decks'],
  ['https://evil.test', '/decks'],
  ['//evil.test', '/decks'],
  ['/\\evil.test', '/decks'],
  ['javascript:alert(1)', '/decks'],
])('%s leads to %s', (to, expected) => {
  expect(returnTo(new URLSearchParams({ to }))).toBe(expected);
});
