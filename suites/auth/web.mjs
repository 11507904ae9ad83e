// `firebase/auth` in emulator mode, in Node and in Chrome.
import assert from 'node:assert/strict';
import {
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  fetchSignInMethodsForEmail,
  GoogleAuthProvider,
  isSignInWithEmailLink,
  linkWithCredential,
  multiFactor,
  OAuthProvider,
  reauthenticateWithCredential,
  reload,
  revokeAccessToken,
  sendEmailVerification,
  sendPasswordResetEmail,
  sendSignInLinkToEmail,
  signInAnonymously,
  signInWithCredential,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  signOut,
  TotpMultiFactorGenerator,
  unlink,
  updateEmail,
  updatePassword,
  updateProfile,
  validatePassword,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from 'firebase/auth';
import { mailTo, newAuth, newEmail, refused, secondFactorOf } from './client.mjs';
import { test } from './tests.mjs';

const PASSWORD = 'correct horse';

/** The code of an authenticator app (RFC 6238) for a base32 key. */
async function totp(key, seconds) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Uint8Array.from(bits.match(/.{8}/g), (byte) => Number.parseInt(byte, 2));
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(seconds / 30)));
  const hmac = { name: 'HMAC', hash: 'SHA-1' };
  const signer = await crypto.subtle.importKey('raw', secret, hmac, false, ['sign']);
  const mac = new DataView(await crypto.subtle.sign(hmac, signer, counter));
  const number = mac.getUint32(mac.getUint8(mac.byteLength - 1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const google = (claims) => GoogleAuthProvider.credential(JSON.stringify(claims));

async function verified(url) {
  const auth = newAuth(url);
  const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
  await sendEmailVerification(user);
  await applyActionCode(auth, (await mailTo(url, user.email)).oobCode);
  await reload(user);
  return { auth, user };
}

export function webTests(url) {
  test('sign up, sign out and sign in with a password', async () => {
    const auth = newAuth(url);
    const email = newEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    assert.equal(user.email, email);
    assert.equal(user.isAnonymous, false);
    assert.equal(user.emailVerified, false);
    assert.deepEqual(
      user.providerData.map((info) => info.providerId),
      ['password'],
    );
    assert.ok(Date.parse(user.metadata.creationTime) > Date.now() - 60_000);
    await signOut(auth);
    assert.equal(auth.currentUser, null);
    const again = await signInWithEmailAndPassword(auth, email.toUpperCase(), PASSWORD);
    assert.equal(again.user.uid, user.uid);
  });

  test('refusals have the SDK’s codes', async () => {
    const auth = newAuth(url);
    const email = newEmail();
    await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await refused(createUserWithEmailAndPassword(auth, email, PASSWORD), 'auth/email-already-in-use');
    await refused(createUserWithEmailAndPassword(auth, newEmail(), '12345'), 'auth/weak-password');
    await refused(createUserWithEmailAndPassword(auth, 'nonsense', PASSWORD), 'auth/invalid-email');
    await refused(signInWithEmailAndPassword(auth, email, 'wrong'), 'auth/wrong-password');
    await refused(signInWithEmailAndPassword(auth, newEmail(), PASSWORD), 'auth/user-not-found');
    await refused(sendPasswordResetEmail(auth, newEmail()), 'auth/user-not-found');
    await refused(applyActionCode(auth, 'nonsense'), 'auth/invalid-action-code');
    await refused(signInWithCustomToken(auth, 'nonsense'), 'auth/invalid-custom-token');
  });

  test('an anonymous account keeps its id when it gets a password', async () => {
    const auth = newAuth(url);
    const { user } = await signInAnonymously(auth);
    assert.equal(user.isAnonymous, true);
    const { claims } = await user.getIdTokenResult();
    assert.equal(claims.provider_id, 'anonymous');
    const linked = await linkWithCredential(user, EmailAuthProvider.credential(newEmail(), PASSWORD));
    assert.equal(linked.user.uid, user.uid);
    assert.equal(linked.user.isAnonymous, false);
  });

  test('a profile is changed and cleared', async () => {
    const { user } = await createUserWithEmailAndPassword(newAuth(url), newEmail(), PASSWORD);
    await updateProfile(user, { displayName: 'Ada', photoURL: 'https://example.com/ada.png' });
    await reload(user);
    assert.equal(user.displayName, 'Ada');
    assert.equal(user.photoURL, 'https://example.com/ada.png');
    await updateProfile(user, { displayName: '', photoURL: '' });
    await reload(user);
    assert.ok(!user.displayName);
  });

  test('an address is verified', async () => {
    const { user } = await verified(url);
    assert.equal(user.emailVerified, true);
    const { claims } = await user.getIdTokenResult(true);
    assert.equal(claims.email_verified, true);
  });

  test('the link of a verification mail works when it is opened', async () => {
    const { user } = await createUserWithEmailAndPassword(newAuth(url), newEmail(), PASSWORD);
    await sendEmailVerification(user, { url: 'http://localhost/decks' });
    const { oobLink } = await mailTo(url, user.email);
    const opened = await fetch(oobLink, { redirect: 'manual' });
    // A browser does not say where it would have been led.
    if (opened.type !== 'opaqueredirect') {
      assert.equal(opened.status, 303);
      assert.equal(opened.headers.get('location'), 'http://localhost/decks');
    }
    await reload(user);
    assert.equal(user.emailVerified, true);
  });

  test('a forgotten password is reset', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    await sendPasswordResetEmail(auth, user.email);
    const { oobCode } = await mailTo(url, user.email);
    assert.equal(await verifyPasswordResetCode(auth, oobCode), user.email);
    const info = await checkActionCode(auth, oobCode);
    assert.equal(info.operation, 'PASSWORD_RESET');
    await refused(confirmPasswordReset(auth, oobCode, '123'), 'auth/weak-password');
    await confirmPasswordReset(auth, oobCode, 'battery staple');
    await refused(confirmPasswordReset(auth, oobCode, 'battery staple'), 'auth/invalid-action-code');
    await signInWithEmailAndPassword(auth, user.email, 'battery staple');
  });

  test('password and address are changed', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    const [old, email] = [user.email, newEmail()];
    await updatePassword(user, 'battery staple');
    await updateEmail(user, email);
    assert.equal(user.email, email);
    const back = await mailTo(url, old);
    assert.equal(back.requestType, 'RECOVER_EMAIL');
    await signInWithEmailAndPassword(auth, email, 'battery staple');
    await applyActionCode(auth, back.oobCode);
    await signInWithEmailAndPassword(auth, old, 'battery staple');
  });

  test('an address is changed once the new one is verified', async () => {
    const { auth, user } = await verified(url);
    const email = newEmail();
    await verifyBeforeUpdateEmail(user, email);
    const { oobCode } = await mailTo(url, email);
    const info = await checkActionCode(auth, oobCode);
    assert.equal(info.data.email, email);
    assert.equal(info.data.previousEmail, user.email);
    await applyActionCode(auth, oobCode);
    await signInWithEmailAndPassword(auth, email, PASSWORD);
  });

  test('sign in with a link', async () => {
    const auth = newAuth(url);
    const email = newEmail();
    await sendSignInLinkToEmail(auth, email, { url: 'http://localhost/in', handleCodeInApp: true });
    const { oobLink } = await mailTo(url, email);
    assert.ok(isSignInWithEmailLink(auth, oobLink));
    const { user } = await signInWithEmailLink(auth, email, oobLink);
    assert.equal(user.emailVerified, true);
    assert.deepEqual(await fetchSignInMethodsForEmail(auth, email), ['emailLink']);
    await refused(signInWithEmailLink(auth, email, oobLink), 'auth/invalid-action-code');
  });

  test('a token is refreshed and says when its owner signed in', async () => {
    const { user } = await createUserWithEmailAndPassword(newAuth(url), newEmail(), PASSWORD);
    const before = await user.getIdTokenResult();
    const after = await user.getIdTokenResult(true);
    assert.equal(after.authTime, before.authTime);
    assert.equal(after.claims.sub, user.uid);
    assert.equal(after.signInProvider, 'password');
  });

  test('custom tokens bring claims', async () => {
    const auth = newAuth(url);
    const uid = crypto.randomUUID();
    const { user } = await signInWithCustomToken(auth, JSON.stringify({ uid, claims: { role: 'editor' } }));
    assert.equal(user.uid, uid);
    assert.equal((await user.getIdTokenResult()).claims.role, 'editor');
    assert.equal((await user.getIdTokenResult(true)).claims.role, 'editor');
  });

  test('sign in, link and unlink with Google', async () => {
    const auth = newAuth(url);
    const [sub, email] = [crypto.randomUUID(), newEmail()];
    const { user } = await signInWithCredential(
      auth,
      google({ sub, email, email_verified: true, name: 'Bob' }),
    );
    assert.equal(user.displayName, 'Bob');
    assert.equal(user.emailVerified, true);
    await linkWithCredential(user, EmailAuthProvider.credential(email, PASSWORD));
    assert.deepEqual(user.providerData.map((info) => info.providerId).sort(), ['google.com', 'password']);
    await unlink(user, 'google.com');
    assert.deepEqual(
      user.providerData.map((info) => info.providerId),
      ['password'],
    );
    const other = await signInAnonymously(newAuth(url));
    await linkWithCredential(other.user, google({ sub }));
    await refused(linkWithCredential(user, google({ sub })), 'auth/credential-already-in-use');
  });

  test('an unverified provider does not take an account over', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    const claims = { sub: crypto.randomUUID(), email: user.email, email_verified: false };
    await refused(
      signInWithCredential(auth, google(claims)),
      'auth/account-exists-with-different-credential',
    );
  });

  test('any OpenID Connect provider', async () => {
    const auth = newAuth(url);
    const idToken = JSON.stringify({ sub: crypto.randomUUID(), name: 'Eve' });
    const { user } = await signInWithCredential(
      auth,
      new OAuthProvider('oidc.guild').credential({ idToken }),
    );
    assert.deepEqual(
      user.providerData.map((info) => info.providerId),
      ['oidc.guild'],
    );
  });

  test('an access token is given back to its provider', async () => {
    const auth = newAuth(url);
    await signInWithCredential(auth, google({ sub: crypto.randomUUID() }));
    await refused(revokeAccessToken(auth, 'opaque'), 'auth/invalid-provider-id');
    const apple = new OAuthProvider('apple.com').credential({
      idToken: JSON.stringify({ sub: crypto.randomUUID() }),
    });
    await linkWithCredential(auth.currentUser, apple);
    await revokeAccessToken(auth, 'opaque');
  });

  test('an authenticator app as second factor', async () => {
    const { auth, user } = await verified(url);
    const secret = await TotpMultiFactorGenerator.generateSecret(await multiFactor(user).getSession());
    const now = Math.floor(Date.now() / 1000);
    const first = await totp(secret.secretKey, now);
    const enrolling = TotpMultiFactorGenerator.assertionForEnrollment(secret, first);
    await multiFactor(user).enroll(enrolling, 'phone');
    assert.equal(multiFactor(user).enrolledFactors[0].displayName, 'phone');
    const { email } = user;
    await signOut(auth);
    const resolver = await secondFactorOf(auth, email, PASSWORD);
    const code = async (at) =>
      TotpMultiFactorGenerator.assertionForSignIn(resolver.hints[0].uid, await totp(secret.secretKey, at));
    await refused(resolver.resolveSignIn(await code(now - 900)), 'auth/invalid-verification-code');
    const done = await resolver.resolveSignIn(await code(now));
    assert.equal((await done.user.getIdTokenResult()).signInSecondFactor, 'totp');
    await multiFactor(done.user).unenroll(multiFactor(done.user).enrolledFactors[0]);
    await signOut(auth);
    await signInWithEmailAndPassword(auth, email, PASSWORD);
  });

  test('tenants keep to themselves', async () => {
    const email = newEmail();
    const [guild, club] = [newAuth(url, 'guild'), newAuth(url, 'club')];
    const a = await createUserWithEmailAndPassword(guild, email, PASSWORD);
    const b = await createUserWithEmailAndPassword(club, email, PASSWORD);
    assert.notEqual(a.user.uid, b.user.uid);
    assert.equal(a.user.tenantId, 'guild');
    assert.ok(await a.user.getIdToken(true));
  });

  test('the password policy can be asked for', async () => {
    const auth = newAuth(url);
    assert.equal((await validatePassword(auth, '123')).isValid, false);
    assert.equal((await validatePassword(auth, PASSWORD)).isValid, true);
  });

  test('an account is deleted', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    const credential = EmailAuthProvider.credential(user.email, PASSWORD);
    await reauthenticateWithCredential(user, credential);
    await deleteUser(user);
    await refused(signInWithCredential(auth, credential), 'auth/user-not-found');
  });
}
