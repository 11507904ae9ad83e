import { beforeEach, describe, expect, it } from 'vitest';
import {
  EmailAuthProvider,
  GoogleAuthProvider,
  getAuth,
  getMultiFactorResolver,
  getRedirectResult,
  type MultiFactorError,
  multiFactor,
  reauthenticateWithCredential,
  reauthenticateWithRedirect,
  signInWithEmailAndPassword,
  signInWithRedirect,
  TotpMultiFactorGenerator,
} from './auth.ts';
import { type AppCore, createCore, removeCore } from './internal/app-core.ts';
import { recoveryCodeAssertion } from './own-account.ts';
import { FakePlatform, json, type SeenRequest } from './testing/fake-platform.ts';

const FACTOR = {
  mfaEnrollmentId: 'f1',
  displayName: 'My phone',
  enrolledAt: '2026-01-01T00:00:00Z',
  totpInfo: {},
};

let platform: FakePlatform;
let core: AppCore;
let factors: object[];
let uid: string;
let issued: number;

/** A small auth service with one account; it asks for a second factor as soon as there is one. */
function serve({ url, json: body }: SeenRequest): Response {
  const path = new URL(url).pathname;
  const tokens = () => ({ idToken: `id-${++issued}`, refreshToken: `refresh-${issued}` });
  const signedIn = () =>
    factors.length > 0
      ? { mfaPendingCredential: 'pending', mfaInfo: factors }
      : { ...tokens(), expiresIn: '3600', localId: uid };
  if (path.endsWith(':lookup')) return json({ users: [{ localId: uid, email: 'a@b.c', mfaInfo: factors }] });
  if (path.endsWith(':createAuthUri')) return json({ authUri: 'https://provider.test/', sessionId: 's1' });
  if (path.endsWith(':signInWithPassword') || path.endsWith(':signInWithIdp')) return json(signedIn());
  if (path.endsWith('mfaEnrollment:start')) {
    const totpSessionInfo = {
      ...{ sharedSecretKey: 'GEZDGNBV', verificationCodeLength: 6, hashingAlgorithm: 'SHA1', periodSec: 30 },
      ...{ sessionInfo: 'enrolling', finalizeEnrollmentTime: '2026-01-01T00:10:00Z' },
    };
    return json({ totpSessionInfo });
  }
  if (path === '/__/account/recoverySignIn') {
    const { recoveryCode } = body as { recoveryCode: string };
    return recoveryCode === 'abcd-efgh'
      ? json(tokens())
      : json({ error: { message: 'INVALID_CODE : Used.' } }, 400);
  }
  const { verificationCode } = (body as { totpVerificationInfo?: { verificationCode?: string } })
    .totpVerificationInfo ?? { verificationCode: '123456' };
  if (verificationCode !== '123456') return json({ error: { message: 'INVALID_CODE' } }, 400);
  if (path.endsWith('mfaEnrollment:finalize')) factors = [FACTOR];
  if (path.endsWith('mfaEnrollment:withdraw')) factors = [];
  return json(tokens());
}

const asked = (action: string) =>
  platform.requests.filter(({ url }) => new URL(url).pathname.endsWith(action)).at(-1)?.json;

async function pendingOf(signIn: Promise<unknown>): Promise<MultiFactorError> {
  const error = await signIn.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'auth/multi-factor-auth-required' });
  return error as MultiFactorError;
}

beforeEach(() => {
  factors = [];
  uid = 'u1';
  issued = 0;
  platform = new FakePlatform();
  platform.handler = serve;
  if (core) removeCore(core.app);
  core = createCore({ apiKey: 'KEY', projectId: 'demo' }, 'factor-test', platform);
});

describe('an authenticator app', () => {
  it('is enrolled with its first code, and taken away', async () => {
    const { user } = await signInWithEmailAndPassword(getAuth(core.app), 'a@b.c', 'secret1');
    const mine = multiFactor(user);
    const secret = await TotpMultiFactorGenerator.generateSecret(await mine.getSession());
    expect(secret.secretKey).toBe('GEZDGNBV');
    expect(secret.generateQrCodeUrl('a@b.c', 'Card Club')).toBe(
      'otpauth://totp/Card%20Club:a%40b.c?secret=GEZDGNBV&issuer=Card%20Club&algorithm=SHA1&digits=6&period=30',
    );
    const enroll = (code: string) =>
      mine.enroll(TotpMultiFactorGenerator.assertionForEnrollment(secret, code), 'My phone');
    await expect(enroll('000000')).rejects.toMatchObject({ code: 'auth/invalid-verification-code' });
    expect(mine.enrolledFactors).toEqual([]);
    await enroll('123456');
    expect(asked('mfaEnrollment:finalize')).toEqual({
      idToken: 'id-1',
      displayName: 'My phone',
      totpVerificationInfo: { sessionInfo: 'enrolling', verificationCode: '123456' },
    });
    expect(mine.enrolledFactors).toEqual([
      {
        uid: 'f1',
        displayName: 'My phone',
        enrollmentTime: 'Thu, 01 Jan 2026 00:00:00 GMT',
        factorId: 'totp',
      },
    ]);
    expect(user.refreshToken).toBe('refresh-2');
    await mine.unenroll(mine.enrolledFactors[0] ?? '');
    expect(asked('mfaEnrollment:withdraw')).toEqual({ idToken: 'id-2', mfaEnrollmentId: 'f1' });
    expect(mine.enrolledFactors).toEqual([]);
  });
});

describe('a sign-in', () => {
  it('waits for the code, and is nobody’s until it is right', async () => {
    factors = [FACTOR];
    const auth = getAuth(core.app);
    const error = await pendingOf(signInWithEmailAndPassword(auth, 'a@b.c', 'secret1'));
    expect(auth.currentUser).toBeNull();
    const resolver = getMultiFactorResolver(auth, error);
    expect(resolver.hints.map(({ displayName, factorId }) => [displayName, factorId])).toEqual([
      ['My phone', 'totp'],
    ]);
    const show = (code: string) =>
      resolver.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn('f1', code));
    await expect(show('000000')).rejects.toMatchObject({ code: 'auth/invalid-verification-code' });
    expect(auth.currentUser).toBeNull();
    expect(await show('123456')).toMatchObject({ operationType: 'signIn' });
    expect(asked('mfaSignIn:finalize')).toEqual({
      mfaPendingCredential: 'pending',
      mfaEnrollmentId: 'f1',
      totpVerificationInfo: { verificationCode: '123456' },
    });
    expect(auth.currentUser?.uid).toBe('u1');
  });

  it('takes a recovery code in its place', async () => {
    factors = [FACTOR];
    const auth = getAuth(core.app);
    const error = await pendingOf(signInWithEmailAndPassword(auth, 'a@b.c', 'secret1'));
    const show = (code: string) =>
      getMultiFactorResolver(auth, error).resolveSignIn(recoveryCodeAssertion(code));
    await expect(show('wrong')).rejects.toMatchObject({ code: 'auth/invalid-verification-code' });
    expect(await show('abcd-efgh')).toMatchObject({ operationType: 'signIn' });
    expect(asked('recoverySignIn')).toEqual({ mfaPendingCredential: 'pending', recoveryCode: 'abcd-efgh' });
    expect(auth.currentUser?.uid).toBe('u1');
  });

  it('at a provider waits for it too', async () => {
    factors = [FACTOR];
    const auth = getAuth(core.app);
    await signInWithRedirect(auth, new GoogleAuthProvider());
    platform.at = 'https://cards.test/__/auth/handler?code=c&state=s';
    const error = await pendingOf(getRedirectResult(auth));
    expect(error.operation).toBe('signIn');
    const assertion = TotpMultiFactorGenerator.assertionForSignIn('f1', '123456');
    await getMultiFactorResolver(auth, error).resolveSignIn(assertion);
    expect(auth.currentUser?.uid).toBe('u1');
  });
});

describe('showing again who is there', () => {
  const again = EmailAuthProvider.credential('a@b.c', 'secret1');

  it('keeps the user and renews the session, with a second factor where there is one', async () => {
    const auth = getAuth(core.app);
    const { user } = await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    expect(await reauthenticateWithCredential(user, again)).toMatchObject({
      operationType: 'reauthenticate',
    });
    expect(user.refreshToken).toBe('refresh-2');
    factors = [FACTOR];
    const error = await pendingOf(reauthenticateWithCredential(user, again));
    const assertion = TotpMultiFactorGenerator.assertionForSignIn('f1', '123456');
    const done = await getMultiFactorResolver(auth, error).resolveSignIn(assertion);
    expect(done).toMatchObject({ operationType: 'reauthenticate' });
    expect(done.user).toBe(user);
    expect(auth.currentUser).toBe(user);
    expect(user.refreshToken).toBe('refresh-3');
  });

  it('as somebody else changes nothing', async () => {
    const auth = getAuth(core.app);
    const { user } = await signInWithEmailAndPassword(auth, 'a@b.c', 'secret1');
    await reauthenticateWithRedirect(user, new GoogleAuthProvider());
    uid = 'u2';
    platform.at = 'https://cards.test/__/auth/handler?code=c&state=s';
    await expect(getRedirectResult(auth)).rejects.toMatchObject({ code: 'auth/user-mismatch' });
    expect(user.refreshToken).toBe('refresh-1');
    await expect(reauthenticateWithCredential(user, again)).rejects.toMatchObject({
      code: 'auth/user-mismatch',
    });
    expect(auth.currentUser?.uid).toBe('u1');
  });
});
