// Functions of the first generation that are asked before accounts come and sign in: they change and refuse.
import assert from 'node:assert/strict';
import { getAuth } from 'firebase-admin/auth';
import { account, app, claims, test, unique } from './harness.mjs';

const auth = getAuth(app);
const password = 'secret1';
const CREATE = 'providers/cloud.auth/eventTypes/user.beforeCreate:password';
const SIGN_IN = 'providers/cloud.auth/eventTypes/user.beforeSignIn:password';

/** An account that nobody was asked about, and what its sign-in answers. */
async function signIn(name) {
  const email = `${name}-${unique()}@example.com`;
  const { uid } = await auth.createUser({ email, password });
  return { uid, answer: await account('signInWithPassword', { email, password, returnSecureToken: true }) };
}

test('who comes is changed by both functions', async () => {
  const email = `${unique()}@example.com`;
  const made = await account('signUp', { email, password, returnSecureToken: true });
  assert.equal(made.error, undefined, JSON.stringify(made.error));
  const told = claims(made.idToken);
  assert.deepEqual([told.name, told.gated, told.door, told.seen], [`new ${email}`, CREATE, SIGN_IN, CREATE]);
  const user = await auth.getUser(made.localId);
  assert.deepEqual([user.displayName, user.customClaims], [`new ${email}`, { gated: CREATE }]);
});

test('who is refused does not come', async () => {
  const email = `blocked-${unique()}@example.com`;
  const { error } = await account('signUp', { email, password });
  assert.match(error.message, /^BLOCKING_FUNCTION_ERROR_RESPONSE : /);
  assert.match(error.message, /not you/);
  assert.match(error.message, /PERMISSION_DENIED/);
  await assert.rejects(auth.getUserByEmail(email), { code: 'auth/user-not-found' });
});

test('who signs in is told of it in the token alone, which keeps it', async () => {
  const { uid, answer } = await signIn('in');
  assert.deepEqual([claims(answer.idToken).door, claims(answer.idToken).seen], [SIGN_IN, null]);
  assert.equal((await auth.getUser(uid)).customClaims?.door, undefined);
  const url = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}/securetoken.googleapis.com/v1/token?key=k`;
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: answer.refreshToken });
  const renewed = await (await fetch(url, { method: 'POST', body })).json();
  assert.equal(claims(renewed.id_token).door, SIGN_IN);
});

test('who signs in is changed', async () => {
  const { uid, answer } = await signIn('renamed');
  assert.equal(claims(answer.idToken).name, 'another');
  const user = await auth.getUser(uid);
  assert.deepEqual([user.displayName, user.emailVerified], ['another', true]);
});

test('who may not sign in is refused, and stays', async () => {
  const { uid, answer } = await signIn('barred');
  assert.match(answer.error.message, /^BLOCKING_FUNCTION_ERROR_RESPONSE : /);
  assert.match(answer.error.message, /no more today/);
  assert.match(answer.error.message, /RESOURCE_EXHAUSTED/);
  assert.equal((await auth.getUser(uid)).disabled, false);
});

test('who is ended by signing in is disabled', async () => {
  const { uid, answer } = await signIn('ended');
  assert.equal(answer.error?.message, 'USER_DISABLED');
  assert.equal((await auth.getUser(uid)).disabled, true);
});
