// The clock and the faults that tests of an application set, as the official SDKs meet them.
import assert from 'node:assert/strict';
import { initializeApp } from 'firebase/app';
import { connectAuthEmulator, createUserWithEmailAndPassword, getAuth } from 'firebase/auth';
import { connectFirestoreEmulator, doc, getFirestore, onSnapshot, terminate } from 'firebase/firestore';
import { FieldValue } from 'firebase-admin/firestore';
import { getFunctions } from 'firebase-admin/functions';
import { account, app, claims, db, logs, OURS, PROJECT, silent, test, unique, until } from './harness.mjs';

const HOUR_MS = 3_600_000;

/** One of the controls: the answer's status and body. */
async function control(method, path, body) {
  const options = { method, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(`${process.env.TUCKBOX_URL}/__/${path}`, options);
  return { status: answer.status, body: await answer.json() };
}

/** Runs `body`, and then puts the clock right and takes all faults away. */
const controlled = (name, body) =>
  test(name, async () => {
    try {
      await body();
    } finally {
      await control('DELETE', 'clock');
      await control('DELETE', 'faults');
    }
  });

/** A listener of the web SDK is told each of five changes, one after another. */
async function seesEachChange() {
  const store = getFirestore(initializeApp({ projectId: PROJECT, apiKey: 'k' }, unique()));
  const [host, port] = process.env.FIRESTORE_EMULATOR_HOST.split(':');
  connectFirestoreEmulator(store, host, Number(port));
  const place = doc(store, 'controls', unique());
  const seen = [];
  const stop = onSnapshot(place, (snapshot) => seen.push(snapshot.get('n')));
  await until('the first snapshot', () => seen.length > 0);
  for (let n = 1; n <= 5; n += 1) {
    await db.doc(place.path).set({ n });
    await until(`change ${n}`, () => seen.at(-1) === n);
  }
  stop();
  await terminate(store);
  assert.deepEqual([...new Set(seen)], [undefined, 1, 2, 3, 4, 5]);
}

if (OURS) {
  controlled('a task that is due in hours runs as soon as the clock is there', async () => {
    const id = unique();
    await getFunctions(app).taskQueue('task').enqueue({ id }, { scheduleDelaySeconds: 7_200 });
    await control('PUT', 'clock', { advance: '90m' });
    await silent('task', id);
    await control('PUT', 'clock', { advance: '31m' });
    await logs('task', id);
  });

  controlled('a schedule runs when the clock passes its time', async () => {
    const runs = async () => (await db.collection('log').where('kind', '==', 'tick').get()).size;
    const before = await runs();
    await control('PUT', 'clock', { advance: '1h' });
    await until('the schedule', async () => (await runs()) > before);
  });

  controlled('documents and tokens have the time that was set, which may stand still', async () => {
    const at = new Date(Date.now() + 24 * HOUR_MS);
    const { body } = await control('PUT', 'clock', { now: at.toISOString(), stopped: true });
    assert.equal(Date.parse(body.now), at.getTime());
    const place = db.collection('controls').doc(unique());
    await place.set({ at: FieldValue.serverTimestamp() });
    const written = (await place.get()).get('at').toMillis();
    assert.ok(Math.abs(written - at.getTime()) < 1_000, `${written} is not ${at.getTime()}`);
    const { idToken } = await account('signUp', {});
    assert.equal(claims(idToken).iat, Math.floor(at.getTime() / 1_000));
  });

  controlled('a write that the server refuses twice is tried again by the SDK', async () => {
    const fault = { product: 'firestore', path: '**/Commit', error: 'UNAVAILABLE', times: 2 };
    await control('POST', 'faults', fault);
    const place = db.collection('controls').doc(unique());
    await place.set({ n: 1 });
    assert.equal((await place.get()).get('n'), 1);
    const { body } = await control('GET', 'faults');
    assert.equal(body.faults[0].met, 2);
  });

  controlled('a refusal that is no passing one reaches the application', async () => {
    await control('POST', 'faults', { path: '**/Commit', error: 'PERMISSION_DENIED', message: 'Not today.' });
    const place = db.collection('controls').doc(unique());
    await assert.rejects(place.set({ n: 1 }), { code: 7, message: /Not today/ });
    assert.equal((await place.get()).exists, false);
  });

  controlled('a listener of the web SDK goes on after its stream was cut', async () => {
    const cut = { product: 'firestore', path: '**/Listen**', cutAfterMs: 50, times: 2 };
    await control('POST', 'faults', cut);
    await seesEachChange();
  });

  controlled('a listener sees each change though the clock stands still or was set back', async () => {
    await control('PUT', 'clock', { stopped: true });
    await seesEachChange();
    await control('PUT', 'clock', { advance: '24h' });
    await db.collection('controls').doc(unique()).set({ n: 1 });
    await control('DELETE', 'clock');
    await seesEachChange();
  });

  controlled('an account that cannot be made says so, and is made at the next try', async () => {
    const web = initializeApp({ projectId: PROJECT, apiKey: 'k' }, unique());
    const accounts = getAuth(web);
    connectAuthEmulator(accounts, `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}`, {
      disableWarnings: true,
    });
    await control('POST', 'faults', { product: 'auth', error: 'UNAVAILABLE', times: 1 });
    const person = [`${unique()}@example.com`, 'a long enough one'];
    await assert.rejects(createUserWithEmailAndPassword(accounts, ...person));
    const { user } = await createUserWithEmailAndPassword(accounts, ...person);
    assert.equal(user.email, person[0]);
  });

  controlled('a delay holds requests up, one product alone', async () => {
    await control('POST', 'faults', { product: 'auth', latencyMs: 400 });
    const begun = performance.now();
    await db.collection('controls').doc(unique()).get();
    await account('signUp', {});
    assert.ok(performance.now() - begun >= 390);
  });

  controlled('what cannot be done is refused in words', async () => {
    const clock = await control('PUT', 'clock', { advance: 'soon' });
    assert.equal(clock.status, 400);
    assert.match(clock.body.error.message, /such as "90m", not "soon"/);
    const fault = await control('POST', 'faults', { error: 'BROKEN' });
    assert.equal(fault.status, 400);
    assert.match(fault.body.error.message, /"BROKEN" is no status/);
    assert.equal((await control('DELETE', 'faults/77')).status, 404);
    assert.deepEqual((await control('GET', 'faults')).body, { faults: [] });
  });
}
