import { expect, it } from 'vitest';
import { pathHere, returnTo } from './return-to.ts';

it.each([
  ['/decks/abc?x=1', '/decks/abc?x=1'],
  ['/print#marks', '/print#marks'],
  ['', '/decks'],
  ['https://evil.test', '/decks'],
  ['//evil.test', '/decks'],
  ['/\\evil.test', '/decks'],
  ['/\t/evil.test', '/decks'],
  ['/.//evil.test', '/decks'],
  ['/decks/..//evil.test', '/decks'],
  ['javascript:alert(1)', '/decks'],
])('%s leads to %s', (to, expected) => {
  expect(returnTo(new URLSearchParams({ to }))).toBe(expected);
});

it.each([
  ['https://cards.test/account?a=b', '/account?a=b'],
  ['/account', '/account'],
  [null, '/login'],
  ['https://evil.test/account', '/login'],
  ['https://cards.test@evil.test/', '/login'],
  ['https://cards.test//evil.test/', '/login'],
  ['https://cards.test/.//evil.test/', '/login'],
  ['blob:https://cards.test/account', '/login'],
  ['javascript:alert(1)', '/login'],
])('the link of a mail to %s goes on to %s', (address, expected) => {
  expect(pathHere(address, '/login', 'https://cards.test')).toBe(expected);
});
