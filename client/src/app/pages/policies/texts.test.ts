import { expect, test } from 'vitest';
import { parseProse } from '../../prose/parse.ts';
import { type Host, privacy, terms } from './texts.ts';

const PLAIN: Host = { operator: 'Salt Press', contact: 'ask@example.com', providers: [], sells: false };

test('a server that talks to nobody says nothing of others', () => {
  const words = privacy(PLAIN);
  expect(words).toMatch(/Salt Press \(ask@example\.com\)/);
  expect(words).not.toMatch(/Stripe|Google|Signing in elsewhere|pay/i);
});

test.each([
  [['Google'], /sign in with Google, you leave/],
  [['Google', 'Keycloak'], /sign in with Google or Keycloak, you leave/],
  [['Google', 'GitHub', 'Keycloak'], /sign in with Google, GitHub or Keycloak, you leave/],
])('who signs in with %j is told who learns of it', (providers, expected) => {
  expect(privacy({ ...PLAIN, providers })).toMatch(expected);
});

test('a server that sells plans says what Stripe gets', () => {
  expect(privacy({ ...PLAIN, sells: true })).toMatch(
    /Stripe\. When you go there, this server hands over your e-mail address and the number of your account/,
  );
});

test('lists stay whole, whatever is left out of them', () => {
  for (const providers of [[], ['Google']]) {
    for (const sells of [false, true]) {
      const lists = parseProse(privacy({ ...PLAIN, providers, sells })).filter(({ kind }) => kind === 'list');
      expect(lists, `${providers}, ${sells}`).toHaveLength(2);
    }
  }
});

test('without an operator the page asks for one', () => {
  const nobody = { operator: undefined, contact: undefined };
  expect(privacy({ ...PLAIN, ...nobody })).toMatch(/The operator has not entered a name/);
  expect(terms(nobody)).toMatch(/the operator may do with it/);
});
