// `firebase/auth` in serving mode, as the product's own users meet it.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import {
  applyActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  deleteUser,
  EmailAuthProvider,
  GoogleAuthProvider,
  linkWithCredential,
  OAuthProvider,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInAnonymously,
  signInWithCredential,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  updatePassword,
  updateProfile,
} from 'firebase/auth';
import { mailTo, newAuth, newEmail, refused } from './client.mjs';
import { PROJECT, test } from './tests.mjs';

const PASSWORD = 'correct horse';

export function servingTests(url) {
  test('serving: tokens are signed with a published key', async () => {
    const { user } = await createUserWithEmailAndPassword(newAuth(url), newEmail(), PASSWORD);
    const [header, payload, signature] = (await user.getIdToken()).split('.');
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url'));
    assert.equal(alg, 'RS256');
    const { keys } = await (await fetch(`${url}/.well-known/jwks.json`)).json();
    const key = createPublicKey({ key: keys.find((one) => one.kid === kid), format: 'jwk' });
    const signed = Buffer.from(`${header}.${payload}`);
    assert.ok(verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url')));
    const claims = JSON.parse(Buffer.from(payload, 'base64url'));
    assert.equal(claims.aud, PROJECT);
    assert.equal(claims.sub, user.uid);
    const again = await user.getIdTokenResult(true);
    assert.equal(again.claims.auth_time, claims.auth_time);
  });

  test('serving: the product’s flows', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    await updateProfile(user, { displayName: 'Ada' });
    await sendEmailVerification(user, { url: `${url}/decks` });
    const mail = await mailTo(url, user.email);
    const link = new URL(mail.oobLink);
    assert.equal(link.origin, url);
    assert.equal(link.pathname, '/__/auth/action');
    assert.equal(link.searchParams.get('continueUrl'), `${url}/decks`);
    await applyActionCode(auth, link.searchParams.get('oobCode'));
    await reload(user);
    assert.equal(user.emailVerified, true);
    assert.equal(user.displayName, 'Ada');
    await updatePassword(user, 'battery staple');
    await sendPasswordResetEmail(auth, user.email);
    const { oobCode } = await mailTo(url, user.email);
    await confirmPasswordReset(auth, oobCode, 'third time');
    await refused(signInWithEmailAndPassword(auth, user.email, 'battery staple'), 'auth/invalid-credential');
    const back = await signInWithEmailAndPassword(auth, user.email, 'third time');
    await deleteUser(back.user);
    await refused(signInWithEmailAndPassword(auth, user.email, 'third time'), 'auth/invalid-credential');
  });

  test('serving: an anonymous account is kept', async () => {
    const { user } = await signInAnonymously(newAuth(url));
    const linked = await linkWithCredential(user, EmailAuthProvider.credential(newEmail(), PASSWORD));
    assert.equal(linked.user.uid, user.uid);
  });

  test('serving: replies do not tell which addresses exist', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    await refused(signInWithEmailAndPassword(auth, user.email, 'wrong'), 'auth/invalid-credential');
    await refused(signInWithEmailAndPassword(auth, newEmail(), 'wrong'), 'auth/invalid-credential');
    await sendPasswordResetEmail(auth, newEmail());
  });

  test('serving: links lead to known places only', async () => {
    const { user } = await createUserWithEmailAndPassword(newAuth(url), newEmail(), PASSWORD);
    await refused(
      sendEmailVerification(user, { url: 'https://evil.example/' }),
      'auth/unauthorized-continue-uri',
    );
  });

  test('serving: what only tests may do is refused', async () => {
    const auth = newAuth(url);
    await refused(signInWithCustomToken(auth, '{"uid":"eve"}'), 'auth/invalid-custom-token');
    const google = GoogleAuthProvider.credential('{"sub":"1"}');
    await refused(signInWithCredential(auth, google), 'auth/invalid-credential');
    const elsewhere = new OAuthProvider('apple.com').credential({ idToken: '{"sub":"1"}' });
    await refused(signInWithCredential(auth, elsewhere), 'auth/operation-not-allowed');
    const owner = { method: 'POST', headers: { authorization: 'Bearer owner' }, body: '{"localId":["a"]}' };
    const reply = await fetch(
      `${url}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:lookup`,
      owner,
    );
    assert.equal(reply.status, 401);
  });

  test('serving: guesses are limited', async () => {
    const auth = newAuth(url);
    const { user } = await createUserWithEmailAndPassword(auth, newEmail(), PASSWORD);
    const guesses = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        signInWithEmailAndPassword(auth, user.email, `guess ${index}`),
      ),
    );
    const codes = guesses.map((guess) => guess.reason?.code);
    assert.equal(codes.filter((code) => code === 'auth/invalid-credential').length, 10);
    assert.equal(codes.filter((code) => code === 'auth/too-many-requests').length, 10);
  });
}
