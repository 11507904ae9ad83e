import { expect, it } from 'vitest';
import { isAdmin, MAX_LISTED_ADMINS } from './admin-role.ts';

const ada = { uid: 'u1', email: 'Ada@example.org', admin: false };

it.each([
  ['the claim', { ...ada, admin: true }, [], true],
  ['an id in the list', ada, ['u1'], true],
  ['an address in the list, whatever its case', ada, ['aDA@example.org'], true],
  ['another id', ada, ['u2', 'U1'], false],
  ['no list', ada, undefined, false],
  ['an empty address', { uid: 'u2', email: '', admin: false }, [''], false],
  ['nobody', null, ['u1'], false],
  ['a sixth entry', ada, ['a', 'b', 'c', 'd', 'e', 'u1'], false],
])('%s', (_, user, listed, expected) => {
  expect(isAdmin(user, listed)).toBe(expected);
});

it('looks at five entries', () => {
  expect(MAX_LISTED_ADMINS).toBe(5);
});
