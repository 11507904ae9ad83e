/** The signed-in user: nothing starts before it is known, and every change is reported. */

import type { User } from '@sdk/auth';
import { beforeEach, expect, test, vi } from 'vitest';

const world = vi.hoisted(() => ({
  auth: { currentUser: null as unknown, authStateReady: () => Promise.resolve() },
  claims: {} as Record<string, unknown>,
  changed: () => {},
}));
vi.mock('../server/firebase.ts', () => ({ getServices: () => ({ auth: world.auth }) }));
vi.mock('@sdk/auth', () => ({
  getIdTokenResult: async () => ({ claims: world.claims }),
  onIdTokenChanged: (_: unknown, observer: () => void) => {
    world.changed = observer;
  },
}));

const user = (displayName: string) =>
  ({
    uid: 'ann',
    email: 'ann@example.com',
    displayName,
    emailVerified: false,
    metadata: { creationTime: 'Wed, 24 Sep 2025 00:00:00 GMT' },
    providerData: [{ providerId: 'password' }, { providerId: 'google.com' }],
  }) as unknown as User;

beforeEach(() => {
  world.auth.currentUser = null;
  world.claims = {};
  vi.resetModules();
});

test('the start waits until it is known whether somebody is signed in', async () => {
  const { sessionStarted, sessionUser, startSession } = await import('./session.ts');
  let known = () => {};
  world.auth.authStateReady = () =>
    new Promise((resolve) => {
      known = resolve;
    });
  world.claims = { admin: true };
  let started = false;
  void sessionStarted().then(() => {
    started = true;
  });
  const starting = startSession();
  await new Promise(setImmediate);
  expect(started).toBe(false);
  world.auth.currentUser = user('Ann');
  known();
  await starting;
  expect(started).toBe(true);
  expect(sessionUser()).toEqual({
    uid: 'ann',
    email: 'ann@example.com',
    displayName: 'Ann',
    emailVerified: false,
    createdAt: Date.UTC(2025, 8, 24),
    providers: ['password', 'google.com'],
    admin: true,
  });
});

test('signing in, a changed profile and signing out are told, what changes nothing is not', async () => {
  const { observeSession, sessionUser, startSession } = await import('./session.ts');
  world.auth.authStateReady = () => Promise.resolve();
  await startSession();
  const seen: (string | undefined)[] = [];
  const stop = observeSession(() => seen.push(sessionUser()?.displayName));
  for (const next of [user('Ann'), user('Ann'), user('Ann Lee'), null]) {
    world.auth.currentUser = next;
    world.changed();
    await new Promise(setImmediate);
  }
  expect(seen).toEqual(['Ann', 'Ann Lee', undefined]);
  stop();
  world.auth.currentUser = user('Ann');
  world.changed();
  expect(seen).toHaveLength(3);
});

test('a guest of a table is no user: nothing is fetched for one, not even before the claims are read', async () => {
  const { guestOfTable, sessionUser, observeSession, startSession } = await import('./session.ts');
  world.auth.authStateReady = () => Promise.resolve();
  await startSession();
  const users: unknown[] = [];
  observeSession(() => users.push(sessionUser()));
  const gus = { ...user('Gus'), uid: 'gus', email: null, providerData: [] } as unknown as User;
  world.claims = { guest: true };
  world.auth.currentUser = gus;
  world.changed();
  expect([sessionUser(), guestOfTable()?.displayName]).toEqual([null, 'Gus']);
  await new Promise(setImmediate);
  expect([sessionUser(), guestOfTable()?.displayName]).toEqual([null, 'Gus']);
  expect(users.every((one) => one === null)).toBe(true);
  // An account that has no way in of its own, but is nobody's guest, is a user.
  world.claims = {};
  world.auth.currentUser = { ...gus, uid: 'anon' } as unknown as User;
  world.changed();
  await new Promise(setImmediate);
  expect([sessionUser()?.uid, guestOfTable()]).toEqual(['anon', null]);
  world.claims = { guest: true };
  world.auth.currentUser = { ...user('Gus'), uid: 'linked' } as unknown as User;
  world.changed();
  await new Promise(setImmediate);
  expect([sessionUser(), guestOfTable()?.uid]).toEqual([null, 'linked']);
});
