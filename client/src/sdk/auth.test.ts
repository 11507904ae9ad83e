import { beforeEach, describe, expect, it } from 'vitest';
import type { UserImpl } from './auth/user.ts';
import {
  type Auth,
  applyActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  GoogleAuthProvider,
  getAuth,
  getIdToken,
  getRedirectResult,
  linkWithCredential,
  linkWithRedirect,
  onAuthStateChanged,
  onIdTokenChanged,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signInWithRedirect,
  signOut,
  updateProfile,
  verifyPasswordResetCode,
} from './auth.ts';
import { type AppCore, createCore, removeCore } from './internal/app-core.ts';
import { FakePlatform, json, type SeenRequest, settle } from './testing/fake-platform.ts';

let platform: FakePlatform;
let core: AppCore;
let issued = 0;
let account: Record<string, unknown>;

const HOUR_MS = 3_600_000;

const tokenOf = (auth: Auth) => (auth.currentUser as UserImpl | null)?.idToken;

/** A small auth service: enough of the real one's answers for one account. */
function serve(request: SeenRequest): Response {
  const url = new URL(request.url);
  expect(url.searchParams.get('key')).toBe('KEY');
  if (url.pathname.endsWith('/token')) {
    issued++;
    return json({ id_token: `id-${issued}`, refresh_token: `refresh-${issued}`, expires_in: '3600' });
  }
  const action = url.pathname.split(':').pop();
  if (action === 'lookup') return json({ users: [account] });
  if (['signUp', 'signInWithPassword', 'signInWithCustomToken'].includes(action ?? '')) {
    issued++;
    return json({
      idToken: `id-${issued}`,
      refreshToken: `refresh-${issued}`,
      expiresIn: '3600',
      localId: 'u1',
    });
  }
  if (action === 'createAuthUri') return json({ authUri: 'https://provider.test/login', sessionId: 's1' });
  if (action === 'signInWithIdp') {
    issued++;
    return json({
      idToken: `id-${issued}`,
      refreshToken: `refresh-${issued}`,
      expiresIn: '3600',
      localId: 'u1',
      providerId: 'google.com',
    });
  }
  if (action === 'resetPassword') return json({ email: 'a@b.c', requestType: 'PASSWORD_RESET' });
  if (action === 'update') {
    Object.assign(account, { displayName: (request.json as { displayName?: string }).displayName });
    return json({ localId: 'u1' });
  }
  return json({});
}

const refuse = (message: string, status = 400) => {
  platform.handler = () => json({ error: { code: status, message } }, status);
};

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: { code?: string }) => error.code,
  );

beforeEach(() => {
  issued = 0;
  account = {
    localId: 'u1',
    email: 'a@b.c',
    emailVerified: false,
    createdAt: '1758700000000',
    providerUserInfo: [{ providerId: 'password', rawId: 'a@b.c', email: 'a@b.c' }],
  };
  platform = new FakePlatform();
  platform.handler = serve;
  if (core) removeCore(core.app);
  core = createCore({ apiKey: 'KEY', projectId: 'demo' }, 'auth-test', platform);
});

/** The same browser after a reload: same storage, everything else new. */
function afterReload(): AppCore {
  removeCore(core.app);
  core = createCore({ apiKey: 'KEY', projectId: 'demo' }, 'auth-test', platform);
  return core;
}

describe('signing in', () => {
  it('tells observers first that nobody is, then who is, then that nobody is', async () => {
    const auth = getAuth(core.app);
    const seen: (string | null)[] = [];
    onAuthStateChanged(auth, (user) => seen.push(user?.uid ?? null));
    await settle();
    const { user } = await createUserWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    expect(user.metadata.creationTime).toBe(new Date(1758700000000).toUTCString());
    expect(user.providerData.map((one) => one.providerId)).toEqual(['password']);
    await signOut(auth);
    expect(seen).toEqual([null, 'u1', null]);
  });

  it('takes a token of the project’s server', async () => {
    const { user, operationType } = await signInWithCustomToken(getAuth(core.app), 'made by the server');
    expect([user.uid, operationType]).toEqual(['u1', 'signIn']);
    const sent = platform.requests.find(({ url }) => url.includes(':signInWithCustomToken'));
    expect(JSON.parse(String(sent?.body))).toEqual({ token: 'made by the server', returnSecureToken: true });
  });

  it('adds an address and a password to an account that has none', async () => {
    const { user } = await signInWithCustomToken(getAuth(core.app), 'made by the server');
    const before = await getIdToken(user);
    const credential = EmailAuthProvider.credential('a@b.c', 'secret1');
    const linked = await linkWithCredential(user, credential);
    expect([linked.user, linked.operationType]).toEqual([user, 'link']);
    const sent = platform.requests.find(({ url }) => url.includes(':signUp'));
    const body = { idToken: before, email: 'a@b.c', password: 'secret1', returnSecureToken: true };
    expect(JSON.parse(String(sent?.body))).toEqual(body);
    expect(await getIdToken(user)).not.toBe(before);
    const other = { providerId: 'google.com', signInMethod: 'google.com' };
    await expect(linkWithCredential(user, other)).rejects.toThrow(/Only an e-mail address/);
  });

  it('survives a reload of the page', async () => {
    await signInWithEmailAndPassword(getAuth(core.app), 'a@b.c', 'secret1');
    const auth = getAuth(afterReload().app);
    await auth.authStateReady();
    expect(auth.currentUser?.email).toBe('a@b.c');
    await settle();
    expect(auth.currentUser?.uid).toBe('u1');
  });

  it('ends after a reload when the account is gone, and stays when the network is', async () => {
    await signInWithEmailAndPassword(getAuth(core.app), 'a@b.c', 'secret1');
    platform.handler = () => {
      throw new TypeError('offline');
    };
    const offline = getAuth(afterReload().app);
    await settle();
    expect(offline.currentUser?.uid).toBe('u1');
    refuse('USER_NOT_FOUND');
    const gone = getAuth(afterReload().app);
    await settle();
    expect(gone.currentUser).toBeNull();
  });

  it.each([
    ['EMAIL_EXISTS', 'auth/email-already-in-use'],
    ['INVALID_LOGIN_CREDENTIALS', 'auth/invalid-credential'],
    ['INVALID_PASSWORD', 'auth/wrong-password'],
    ['EMAIL_NOT_FOUND', 'auth/user-not-found'],
    ['WEAK_PASSWORD : Password should be at least 6 characters', 'auth/weak-password'],
    ['USER_DISABLED', 'auth/user-disabled'],
    ['TOO_MANY_ATTEMPTS_TRY_LATER : wait', 'auth/too-many-requests'],
    ['SOMETHING_NEW', 'auth/internal-error'],
  ])('%s is %s', async (message, code) => {
    refuse(message);
    expect(await codeOf(signInWithEmailAndPassword(getAuth(core.app), 'a@b.c', 'x'))).toBe(code);
  });

  it('says when the server cannot be reached', async () => {
    platform.handler = () => {
      throw new TypeError('Failed to fetch');
    };
    expect(await codeOf(signInWithEmailAndPassword(getAuth(core.app), 'a', 'b'))).toBe(
      'auth/network-request-failed',
    );
  });
});

describe('the ID token', () => {
  it('is renewed five minutes before it ends, again and again', async () => {
    const auth = getAuth(core.app);
    await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    const tokens: (string | undefined)[] = [];
    onIdTokenChanged(auth, () => tokens.push(tokenOf(auth)));
    await platform.advance(55 * 60_000 - 1);
    expect(tokens).toEqual(['id-1']);
    await platform.advance(1);
    expect(tokens).toEqual(['id-1', 'id-2']);
    await platform.advance(HOUR_MS);
    expect(tokens).toEqual(['id-1', 'id-2', 'id-3']);
  });

  it('is fetched once for callers that ask together', async () => {
    const auth = getAuth(core.app);
    const { user } = await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    const before = platform.requests.length;
    const tokens = await Promise.all([
      getIdToken(user, true),
      getIdToken(user, true),
      getIdToken(user, true),
    ]);
    expect(new Set(tokens).size).toBe(1);
    expect(platform.requests.length).toBe(before + 1);
    const request = platform.requests[platform.requests.length - 1];
    expect(request?.body).toBe('grant_type=refresh_token&refresh_token=refresh-1');
  });

  it('is not fetched while it is fresh', async () => {
    const { user } = await signInWithEmailAndPassword(getAuth(core.app), 'a@b.c', 'secret1');
    const before = platform.requests.length;
    expect(await getIdToken(user)).toBe('id-1');
    expect(platform.requests.length).toBe(before);
  });

  it('is tried again after a failure, with growing waits', async () => {
    const auth = getAuth(core.app);
    await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    platform.handler = () => {
      throw new TypeError('offline');
    };
    await platform.advance(55 * 60_000);
    expect(platform.waits).toContain(30_000);
    await platform.advance(30_000);
    expect(platform.waits).toContain(60_000);
    platform.handler = serve;
    await platform.advance(60_000);
    expect(tokenOf(auth)).toBe('id-2');
  });

  it('ends the session when the refresh token is refused', async () => {
    const auth = getAuth(core.app);
    const { user } = await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    refuse('TOKEN_EXPIRED');
    expect(await codeOf(getIdToken(user, true))).toBe('auth/user-token-expired');
    expect(auth.currentUser).toBeNull();
  });
});

describe('the account', () => {
  it('sends mails with a continue URL', async () => {
    const auth = getAuth(core.app);
    const { user } = await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    await sendEmailVerification(user, { url: 'https://cards.test/decks' });
    expect(platform.requests[platform.requests.length - 1]?.json).toEqual({
      requestType: 'VERIFY_EMAIL',
      idToken: 'id-1',
      continueUrl: 'https://cards.test/decks',
      canHandleCodeInApp: false,
    });
    await sendPasswordResetEmail(auth, 'a@b.c');
    expect(platform.requests[platform.requests.length - 1]?.json).toEqual({
      requestType: 'PASSWORD_RESET',
      email: 'a@b.c',
    });
  });

  it('applies codes', async () => {
    const auth = getAuth(core.app);
    await applyActionCode(auth, 'C1');
    expect(await verifyPasswordResetCode(auth, 'C2')).toBe('a@b.c');
    await confirmPasswordReset(auth, 'C2', 'new-secret');
    expect(platform.requests.map((one) => one.json)).toEqual([
      { oobCode: 'C1' },
      { oobCode: 'C2' },
      { oobCode: 'C2', newPassword: 'new-secret' },
    ]);
  });

  it('says who is signed in when a code is applied', async () => {
    const auth = getAuth(core.app);
    await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    await applyActionCode(auth, 'C1');
    expect(platform.requests.at(-1)?.json).toEqual({ oobCode: 'C1', idToken: tokenOf(auth) });
  });

  it('is renamed and reloaded; a fresh verification fetches a token that says so', async () => {
    const auth = getAuth(core.app);
    const { user } = await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    await updateProfile(user, { displayName: 'Ada' });
    expect(auth.currentUser?.displayName).toBe('Ada');
    account.emailVerified = true;
    await reload(user);
    expect(user.emailVerified).toBe(true);
    expect(await getIdToken(user)).toBe('id-2');
  });
});

describe('a provider', () => {
  const HANDLER = 'https://cards.test/__/auth/handler';

  it('is gone to and come back from once', async () => {
    const auth = getAuth(core.app);
    await signInWithRedirect(auth, new GoogleAuthProvider());
    expect(platform.requests.at(-1)?.json).toMatchObject({ providerId: 'google.com', continueUri: HANDLER });
    expect(platform.at).toBe('https://provider.test/login');
    platform.at = `${HANDLER}?code=c&state=s`;
    const result = await getRedirectResult(auth);
    expect(result).toMatchObject({ providerId: 'google.com', operationType: 'signIn' });
    expect(auth.currentUser?.uid).toBe('u1');
    const asked = platform.requests.find((request) => request.url.includes('signInWithIdp'));
    expect(asked?.json).toMatchObject({ requestUri: platform.at, sessionId: 's1' });
    expect(await getRedirectResult(auth)).toBeNull();
  });

  it('is not believed on a page that was never left from', async () => {
    platform.at = `${HANDLER}?code=stolen&state=s`;
    expect(await getRedirectResult(getAuth(core.app))).toBeNull();
    expect(platform.requests.some((request) => request.url.includes('signInWithIdp'))).toBe(false);
  });

  it('is linked to who is signed in', async () => {
    const auth = getAuth(core.app);
    const { user } = await signInWithEmailAndPassword(auth, 'a@b.c', 'secret');
    await linkWithRedirect(user, new GoogleAuthProvider());
    platform.at = `${HANDLER}?code=c&state=s`;
    expect(await getRedirectResult(auth)).toMatchObject({ operationType: 'link' });
    const asked = platform.requests.find((request) => request.url.includes('signInWithIdp'));
    expect(asked?.json).toMatchObject({ idToken: expect.stringMatching(/^id-/) });
  });

  it('says so when the address is another account’s', async () => {
    const auth = getAuth(core.app);
    await signInWithRedirect(auth, new GoogleAuthProvider());
    platform.at = `${HANDLER}?code=c&state=s`;
    platform.handler = () => json({ needConfirmation: true });
    await expect(getRedirectResult(auth)).rejects.toMatchObject({
      code: 'auth/account-exists-with-different-credential',
    });
    expect(auth.currentUser).toBeNull();
  });
});
