import { beforeEach, expect, it } from 'vitest';
import { getAuth, signInWithEmailAndPassword, type User } from './auth.ts';
import { type AppCore, createCore, removeCore } from './internal/app-core.ts';
import {
  addPasskey,
  listPasskeys,
  reauthenticateWithPasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from './passkeys.ts';
import { FakePlatform, json, type SeenRequest } from './testing/fake-platform.ts';

let platform: FakePlatform;
let core: AppCore;
let uid: string;
let seen: SeenRequest[];

/** A small auth service with one account. */
function serve(request: SeenRequest): Response {
  seen.push(request);
  const path = new URL(request.url).pathname;
  if (path.endsWith(':lookup')) {
    const passkeyInfo = [{ credentialId: 'k1', name: 'Laptop', addedAt: '2026-01-01T00:00:00Z' }];
    return json({ users: [{ localId: uid, email: 'a@b.c', passkeyInfo }] });
  }
  if (path.endsWith('passkeySignIn:start'))
    return json({ credentialRequestOptions: { challenge: 'c1' }, sessionInfo: 's1' });
  if (path.endsWith('passkeyEnrollment:start'))
    return json({ credentialCreationOptions: { challenge: 'c2' }, sessionInfo: 's2' });
  if (path === '/__/account/passkeys') return json({});
  return json({ idToken: 'id', refreshToken: 'refresh', expiresIn: '3600', localId: uid });
}

const last = (path: string) =>
  seen.findLast(({ url }) => new URL(url).pathname.endsWith(path))?.json as Record<string, unknown>;

beforeEach(() => {
  if (core) removeCore(core.app);
  platform = new FakePlatform();
  uid = 'ada';
  seen = [];
  platform.handler = serve;
  core = createCore({ apiKey: 'k', projectId: 'demo-x' }, 'passkey-test', platform);
});

async function signedIn(): Promise<User> {
  return (await signInWithEmailAndPassword(getAuth(core.app), 'a@b.c', 'secret')).user;
}

it('signs in with the answer to the challenge of this very sign-in', async () => {
  const { user } = await signInWithPasskey(getAuth(core.app), async ({ challenge }) => ({
    answers: challenge,
  }));
  expect(user.uid).toBe('ada');
  expect(last('passkeySignIn:finalize')).toEqual({
    sessionInfo: 's1',
    authenticatorAuthenticationResponse: { answers: 'c1' },
  });
});

it('asks for nothing more where the authenticator gives no answer', async () => {
  const refused = signInWithPasskey(getAuth(core.app), () => Promise.reject(new Error('cancelled')));
  await expect(refused).rejects.toThrow('cancelled');
  expect(last('passkeySignIn:finalize')).toBeUndefined();
  expect(getAuth(core.app).currentUser).toBeNull();
});

it('shows who is there, and refuses the passkey of another account', async () => {
  const user = await signedIn();
  const ask = async () => ({});
  expect((await reauthenticateWithPasskey(user, ask)).operationType).toBe('reauthenticate');
  uid = 'bob';
  await expect(reauthenticateWithPasskey(user, ask)).rejects.toMatchObject({ code: 'auth/user-mismatch' });
});

it('lists, adds, renames and removes', async () => {
  const user = await signedIn();
  expect(await listPasskeys(user)).toEqual([
    { id: 'k1', name: 'Laptop', addedAt: '2026-01-01T00:00:00Z', usedAt: undefined },
  ]);
  await addPasskey(user, 'Phone', async ({ challenge }) => ({ answers: challenge }));
  expect(last('passkeyEnrollment:finalize')).toMatchObject({
    sessionInfo: 's2',
    name: 'Phone',
    authenticatorRegistrationResponse: { answers: 'c2' },
  });
  await renamePasskey(user, 'k1', 'Desk');
  expect(last('/__/account/passkeys')).toEqual({ credentialId: 'k1', name: 'Desk' });
  await removePasskey(user, 'k1');
  expect(last(':update')).toMatchObject({ deletePasskey: ['k1'] });
});
