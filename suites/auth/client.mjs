// A signed-out user of the official client SDK, and what tests ask the server behind its back.
import assert from 'node:assert/strict';
import { initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  getAuth,
  getMultiFactorResolver,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import { PROJECT } from './tests.mjs';

/** An app, with nobody signed in unless its name is known. */
export function newAuth(url, tenant = null, name = crypto.randomUUID()) {
  const app = initializeApp({ apiKey: 'any-key', projectId: PROJECT, authDomain: 'localhost' }, name);
  const auth = getAuth(app);
  auth.tenantId = tenant;
  connectAuthEmulator(auth, url, { disableWarnings: true });
  return auth;
}

/** An address that no other test uses. */
export function newEmail() {
  return `${crypto.randomUUID()}@example.com`;
}

/** Node's tests and the page's count by themselves. */
const AREA = typeof document === 'undefined' ? '+1555' : '+1556';
let phones = 0;

/** A phone number that no other test uses. */
export function newPhone() {
  phones += 1;
  return `${AREA}${String(phones).padStart(7, '0')}`;
}

/** The newest mail to an address. */
export async function mailTo(url, email) {
  const reply = await fetch(`${url}/emulator/v1/projects/${PROJECT}/oobCodes`);
  // In serving mode only the example's own program tells.
  const mails = reply.ok ? (await reply.json()).oobCodes : await (await fetch(`${url}/example/mails`)).json();
  const mail = mails.findLast((one) => one.email === email || one.newEmail === email);
  assert.ok(mail, `no mail to ${email}`);
  return mail;
}

/** The newest code sent to a phone. */
export async function codeTo(url, phone) {
  const reply = await fetch(`${url}/emulator/v1/projects/${PROJECT}/verificationCodes`);
  const { verificationCodes } = await reply.json();
  const sent = verificationCodes.findLast((one) => one.phoneNumber === phone);
  assert.ok(sent, `no code for ${phone}`);
  return sent.code;
}

/** Asserts that a promise is rejected with this `auth/…` code. */
export async function refused(promise, code) {
  await assert.rejects(promise, (error) => {
    assert.equal(error.code, code, `${error.code}: ${error.message}`);
    return true;
  });
}

/** Signs in with a password and answers the resolver of the second factor that is asked for. */
export async function secondFactorOf(auth, email, password) {
  const asked = await signInWithEmailAndPassword(auth, email, password).then(
    () => assert.fail('no second factor was asked for'),
    (error) => error,
  );
  assert.equal(asked.code, 'auth/multi-factor-auth-required');
  return getMultiFactorResolver(auth, asked);
}
