/** A guest who signs up keeps the account, and with it seats and games, unless the account is lost. */

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { describeError } from '../server/messages.ts';

const world = vi.hoisted(() => ({
  auth: { currentUser: null as unknown },
  /** The answer of each step; an error is thrown. */
  answers: new Map<string, unknown>(),
  steps: [] as string[],
}));
const step = async (name: string): Promise<unknown> => {
  world.steps.push(name);
  const answer = world.answers.get(name);
  if (answer instanceof Error) throw answer;
  return answer;
};

vi.mock('../server/firebase.ts', () => ({ getServices: () => ({ auth: world.auth }) }));
vi.mock('../server/database.ts', () => ({ callFunction: (name: string) => step(name) }));
vi.mock('@sdk/auth', () => ({
  EmailAuthProvider: { credential: (email: string) => email },
  OAuthProvider: class {},
  getIdToken: (_user: unknown, renewed = false) => step(renewed ? 'getIdToken' : 'stored token'),
  getIdTokenResult: async () => ({ claims: { guest: true } }),
  signInWithCustomToken: async () => ({ user: await step('signInWithCustomToken') }),
  linkWithCredential: async () => ({ user: await step('linkWithCredential') }),
  linkWithRedirect: () => step('linkWithRedirect'),
  signInWithRedirect: () => step('signInWithRedirect'),
}));
vi.stubGlobal('sessionStorage', { setItem: () => undefined });
vi.stubGlobal('__OFFICIAL_SDK__', false);

const { signUpGuest } = await import('./guest-account.ts');
const { signUpGuestAt } = await import('./provider-sign-in.ts');

const failure = (code: string, message = code) => Object.assign(new Error(message), { code });
const GUEST = { uid: 'gus', providerData: [{ providerId: 'password' }] };
const PROVIDER = { id: 'oidc.example', name: 'Example' };
const STEPS = ['getIdToken', 'guestToken', 'signInWithCustomToken'];

beforeEach(() => {
  world.auth.currentUser = GUEST;
  world.steps.length = 0;
  world.answers.clear();
  for (const name of ['signInWithCustomToken', 'linkWithCredential']) world.answers.set(name, GUEST);
  world.answers.set('guestToken', { token: 'token' });
});

test('the account of the guest becomes one of their own', async () => {
  expect(await signUpGuest('gus@example.com', 'a long enough one')).toBe(GUEST);
  expect(world.steps).toEqual([...STEPS, 'linkWithCredential', 'keepGuestGames', 'getIdToken']);
});

test('an account that is made but still counts as a guest’s is finished by logging in', async () => {
  world.answers.set('keepGuestGames', failure('functions/internal', 'internal'));
  await expect(signUpGuest('gus@example.com', 'a long enough one')).rejects.toThrow(
    'Your account was created, but one step is left. Log in to finish it.',
  );
});

/** Failures that leave the account as it is, with the step that fails. */
const KEPT: readonly (readonly [string, Error])[] = [
  ...STEPS.flatMap((name) =>
    [
      'auth/network-request-failed',
      'auth/too-many-requests',
      'auth/quota-exceeded',
      'auth/internal-error',
    ].map((code) => [name, failure(code)] as const),
  ),
  ['guestToken', failure('functions/internal', 'internal')],
  ['guestToken', failure('functions/unavailable')],
  ['guestToken', failure('functions/resource-exhausted')],
];

describe.each(KEPT)('when %s fails with %s', (name, error) => {
  beforeEach(() => void world.answers.set(name, error));

  test('signing up with an address stops, and no other account takes the place of the guest’s', async () => {
    await expect(signUpGuest('gus@example.com', 'a long enough one')).rejects.toBe(error);
    expect(world.steps.at(-1)).toBe(name);
  });

  test('signing up at a provider stops before the page is left', async () => {
    await expect(signUpGuestAt(PROVIDER, '/')).rejects.toBe(error);
    expect(world.steps.at(-1)).toBe(name);
  });
});

const LOST: readonly (readonly [string, string])[] = [
  ['getIdToken', 'auth/user-token-expired'],
  ['getIdToken', 'auth/user-disabled'],
  ['getIdToken', 'auth/invalid-user-token'],
  ['guestToken', 'functions/unauthenticated'],
  ['signInWithCustomToken', 'auth/user-not-found'],
  ['signInWithCustomToken', 'auth/user-token-expired'],
  ['signInWithCustomToken', 'auth/user-disabled'],
];

describe.each(LOST)('when %s says %s, the account is lost', (name, code) => {
  beforeEach(() => void world.answers.set(name, failure(code)));

  test('an address makes a new account', async () => {
    expect(await signUpGuest('gus@example.com', 'a long enough one')).toBeUndefined();
  });

  test('a provider signs in without it', async () => {
    await signUpGuestAt(PROVIDER, '/');
    expect(world.steps).toEqual([...STEPS.slice(0, STEPS.indexOf(name) + 1), 'signInWithRedirect']);
  });
});

test('a session that has ended meanwhile makes a new account', async () => {
  world.auth.currentUser = null;
  expect(await signUpGuest('gus@example.com', 'a long enough one')).toBeUndefined();
  expect(world.steps).toEqual([]);
});

test.each([
  ['auth/network-request-failed', 'x', 'The server cannot be reached. Check your connection and try again.'],
  ['auth/too-many-requests', 'x', 'Too many attempts. Wait a few minutes and try again.'],
  ['functions/internal', 'internal', 'The server gave no answer. Check your connection and try again.'],
  ['functions/internal', 'INTERNAL', 'The server gave no answer. Check your connection and try again.'],
  ['functions/internal', 'The disk is full.', 'The disk is full.'],
])('the form says of %s (%s): %s', (code, message, words) => {
  expect(describeError(failure(code, message))).toBe(words);
});
