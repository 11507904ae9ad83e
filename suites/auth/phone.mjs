// Phones, which `firebase/auth` has in browsers only.
import assert from 'node:assert/strict';
import {
  applyActionCode,
  createUserWithEmailAndPassword,
  linkWithPhoneNumber,
  multiFactor,
  PhoneAuthProvider,
  PhoneMultiFactorGenerator,
  RecaptchaVerifier,
  reload,
  sendEmailVerification,
  signInAnonymously,
  signInWithPhoneNumber,
  signOut,
} from 'firebase/auth';
import { codeTo, mailTo, newAuth, newEmail, newPhone, refused, secondFactorOf } from './client.mjs';
import { test } from './tests.mjs';

const PASSWORD = 'correct horse';

/** An application whose verifiers ask nobody anything. */
function phoneAuth(url) {
  const auth = newAuth(url);
  auth.settings.appVerificationDisabledForTesting = true;
  return auth;
}

/** A verifier for one code: a stand-in that has answered does not answer again. */
function newVerifier(auth) {
  const place = document.createElement('div');
  document.body.append(place);
  return new RecaptchaVerifier(auth, place, { size: 'invisible' });
}

export function phoneTests(url) {
  test('sign in with a phone, by its code', async () => {
    const auth = phoneAuth(url);
    const phone = newPhone();
    const asked = await signInWithPhoneNumber(auth, phone, newVerifier(auth));
    await refused(asked.confirm('000000x'), 'auth/invalid-verification-code');
    const { user } = await asked.confirm(await codeTo(url, phone));
    assert.equal(user.phoneNumber, phone);
    const again = await signInWithPhoneNumber(auth, phone, newVerifier(auth));
    assert.equal((await again.confirm(await codeTo(url, phone))).user.uid, user.uid);
  });

  test('a phone joins an account, and no second one', async () => {
    const auth = phoneAuth(url);
    const phone = newPhone();
    const { user } = await signInAnonymously(auth);
    const asked = await linkWithPhoneNumber(user, phone, newVerifier(auth));
    const linked = await asked.confirm(await codeTo(url, phone));
    assert.deepEqual([linked.user.uid, linked.user.phoneNumber], [user.uid, phone]);
    const other = phoneAuth(url);
    const stranger = await signInAnonymously(other);
    const wanted = await linkWithPhoneNumber(stranger.user, phone, newVerifier(other));
    await refused(wanted.confirm(await codeTo(url, phone)), 'auth/account-exists-with-different-credential');
  });

  test('a phone as second factor', async () => {
    const auth = phoneAuth(url);
    const [email, phoneNumber] = [newEmail(), newPhone()];
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await sendEmailVerification(user);
    await applyActionCode(auth, (await mailTo(url, email)).oobCode);
    await reload(user);
    const provider = new PhoneAuthProvider(auth);
    const factor = async (verificationId, code) =>
      PhoneMultiFactorGenerator.assertion(PhoneAuthProvider.credential(verificationId, code));
    const session = await multiFactor(user).getSession();
    const enrolling = await provider.verifyPhoneNumber({ phoneNumber, session }, newVerifier(auth));
    await multiFactor(user).enroll(await factor(enrolling, await codeTo(url, phoneNumber)), 'mine');
    assert.equal(multiFactor(user).enrolledFactors[0].displayName, 'mine');
    await signOut(auth);
    const resolver = await secondFactorOf(auth, email, PASSWORD);
    const hint = { multiFactorHint: resolver.hints[0], session: resolver.session };
    const sent = await provider.verifyPhoneNumber(hint, newVerifier(auth));
    const done = await resolver.resolveSignIn(await factor(sent, await codeTo(url, phoneNumber)));
    assert.equal((await done.user.getIdTokenResult()).signInSecondFactor, 'phone');
  });
}
