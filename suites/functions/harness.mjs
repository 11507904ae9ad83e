// Counts tests and ends with `N passed, N failed`; finds the services by the variables that every SDK looks at.
import assert from 'node:assert/strict';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';

export const PROJECT = process.env.GCLOUD_PROJECT ?? 'demo-functions';
/** True if our own server is under test; the official suite has no dead letters to show. */
export const OURS = process.env.TUCKBOX_URL !== undefined;
/** Wait for an event's effect, in milliseconds; the official suite starts a process for each. */
const PATIENCE_MS = OURS ? 20_000 : 60_000;
/** Wait before something counts as not happening, in milliseconds. */
const QUIET_MS = 1_000;
const POLL_MS = 30;

export const app = initializeApp({ projectId: PROJECT, storageBucket: `${PROJECT}.appspot.com` });
export const db = getFirestore(app);
export const second = getFirestore(app, 'second');

/** The codes a call may fail with, and the HTTP status of each. */
export const STATUSES = {
  cancelled: 499,
  unknown: 500,
  'invalid-argument': 400,
  'deadline-exceeded': 504,
  'not-found': 404,
  'already-exists': 409,
  'permission-denied': 403,
  'resource-exhausted': 429,
  'failed-precondition': 400,
  aborted: 409,
  'out-of-range': 400,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
  'data-loss': 500,
  unauthenticated: 401,
};
export const CODES = Object.keys(STATUSES);

const tests = [];

/** Registers a test; they run one after the other, in order. */
export function test(name, body) {
  tests.push({ name, body });
}

let running = 0;

/** An id that no other test and no other run has. */
export function unique() {
  running += 1;
  return `t${Date.now().toString(36)}${running}`;
}

/** Waits until `look` finds something truthy. */
export async function until(what, look) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS} ms for ${what}`);
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** Entries that functions of `kind` logged about `id`. */
export async function logged(kind, id) {
  const found = await db.collection('log').where('kind', '==', kind).where('id', '==', id).get();
  return found.docs.map((one) => one.data());
}

/** Waits for exactly `count` entries and checks that no more come meanwhile. */
export async function logs(kind, id, count = 1) {
  return until(`${count} × ${kind}`, async () => {
    const found = await logged(kind, id);
    assert.ok(found.length <= count, `${kind}: ${JSON.stringify(found)}`);
    return found.length === count ? found : undefined;
  });
}

/** Checks that nothing of `kind` is logged about `id`. */
export async function silent(kind, id) {
  await new Promise((done) => setTimeout(done, QUIET_MS));
  assert.deepEqual(await logged(kind, id), []);
}

let services;

/** Calls a function; the answer's status and body. */
export async function call(name, data, headers = {}) {
  const url = `${await service('functions')}/${PROJECT}/us-central1/${name}`;
  const given = { 'content-type': 'application/json', ...headers };
  const answer = await fetch(url, { method: 'POST', headers: given, body: JSON.stringify({ data }) });
  return { status: answer.status, body: await answer.json() };
}

/** One of the account service's own methods, as a web page calls it. */
export async function account(method, body) {
  const url = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=k`;
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

/** A token's claims. */
export const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));

/** Address of a service, by the emulator hub. */
export async function service(name) {
  const hub = process.env.FIREBASE_EMULATOR_HUB;
  services ??= await (await fetch(`http://${hub}/emulators`)).json();
  const { host, port } = services[name];
  return `http://${host}:${port}`;
}

/** Runs every test. */
export async function run() {
  let passed = 0;
  let failed = 0;
  const only = process.argv[2];
  for (const { name, body } of tests) {
    if (only !== undefined && !name.includes(only)) continue;
    try {
      await body();
      passed += 1;
    } catch (error) {
      failed += 1;
      console.error(`FAIL  ${name}\n${error?.stack ?? error}`);
    }
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0;
}
