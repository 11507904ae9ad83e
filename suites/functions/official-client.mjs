// The official web SDK as the caller: what functions answer is what it reads.
import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { initializeApp } from 'firebase/app';
import { connectAuthEmulator, createUserWithEmailAndPassword, getAuth } from 'firebase/auth';
import firebase from 'firebase/compat/app';
import 'firebase/compat/auth';
import 'firebase/compat/functions';
import { connectFunctionsEmulator, getFunctions, httpsCallable } from 'firebase/functions';
import { CODES, OURS, PROJECT, service, test, unique } from './harness.mjs';

const web = initializeApp({ projectId: PROJECT, apiKey: 'k' }, 'web');
let connected;

/** A function, by the SDK. */
async function callable(name, options) {
  if (connected === undefined) {
    const { hostname, port } = new URL(await service('functions'));
    connected = getFunctions(web);
    connectFunctionsEmulator(connected, hostname, Number(port));
  }
  return httpsCallable(connected, name, options);
}

/** The error that a call fails with. */
const failure = (call) =>
  call.then(
    (answer) => assert.fail(`no failure but ${JSON.stringify(answer.data)}`),
    (error) => error,
  );

test('the web SDK reads every code with its details', async () => {
  const fail = await callable('fail');
  for (const code of CODES) {
    const error = await failure(fail(code));
    assert.deepEqual([error.code, error.details], [`functions/${code}`, { code }]);
    assert.ok(error.message.startsWith(`as ${code}`), error.message);
  }
});

test('the web SDK reads results and chunks, and failures that say nothing', async () => {
  const data = { text: 'é', list: [1, null, { deep: true }], n: 2 ** 40 };
  assert.deepEqual((await (await callable('echo'))(data)).data, { data, uid: null });
  const { stream, data: last } = await (await callable('count')).stream({ to: 3 });
  const seen = [];
  for await (const chunk of stream) seen.push(chunk);
  assert.deepEqual([seen, await last], [[1, 2, 3], 3]);
  const broken = await failure((await callable('rejects'))());
  assert.equal(broken.code, 'functions/internal');
  assert.ok(!broken.message.includes('secret'), broken.message);
  const streamed = await (await callable('fail')).stream('aborted');
  assert.equal((await failure(streamed.data.then((told) => ({ data: told })))).code, 'functions/aborted');
});

test('the web SDK gives a call up after its own time', async () => {
  const patient = await callable('patient', { timeout: 300 });
  assert.equal((await failure(patient({ id: unique() }))).code, 'functions/deadline-exceeded');
});

test('whoever is signed in with the web SDK is the user of the call', async () => {
  const auth = getAuth(web);
  connectAuthEmulator(auth, `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}`, { disableWarnings: true });
  const { user } = await createUserWithEmailAndPassword(auth, `${unique()}@example.com`, 'secret1');
  const { data } = await (await callable('echo'))(1);
  assert.deepEqual(data, { data: 1, uid: user.uid });
  await auth.signOut();
});

if (OURS) {
  // The official suite does so only beside its hosting emulator.
  test('a page that is started by the hosting script finds everything', async () => {
    const location = new URL(process.env.TUCKBOX_URL);
    const script = await fetch(new URL('/__/firebase/init.js?useEmulator=true', location));
    runInNewContext(await script.text(), { firebase, location });
    const { user } = await firebase.auth().signInAnonymously();
    const { data } = await firebase.functions().httpsCallable('echo')('from a page');
    assert.deepEqual(data, { data: 'from a page', uid: user.uid });
    await firebase.app().delete();
  });
}
