// Runs functions written for earlier releases of firebase-functions, each release installed for it:
// `node suites/functions/older.mjs [FOLDER]`. FOLDER keeps what is installed. `scripts/bench sample` does so.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, TUCKBOX } from '../shared/program.mjs';

const self = fileURLToPath(import.meta.url);

/** The last of each line, with a firebase-admin of its time. */
const RELEASES = [
  ['3.24.1', '11.11.1'],
  ['4.9.0', '12.7.0'],
  ['5.1.1', '12.7.0'],
  ['6.3.2', '13.10.0'],
];

function run(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code ?? 1));
  });
}

/** The folder of a source with these packages. */
async function installed(folder, functions, admin) {
  mkdirSync(folder, { recursive: true });
  const dependencies = { 'firebase-functions': functions, 'firebase-admin': admin };
  const about = { name: 'functions', private: true, main: 'index.js', dependencies };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(about));
  writeFileSync(path.join(folder, '.runtimeconfig.json'), JSON.stringify({ shop: { name: 'Corner' } }));
  copyFileSync(path.join(path.dirname(self), 'older/index.js'), path.join(folder, 'index.js'));
  if (!existsSync(path.join(folder, 'node_modules/firebase-functions/package.json'))) {
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    const ended = await run('npm', ['install', ...options], { cwd: folder });
    assert.equal(ended, 0, `firebase-functions ${functions} cannot be installed`);
  }
}

async function every(folder) {
  let worst = 0;
  for (const [functions, admin] of RELEASES) {
    const place = path.join(folder, functions);
    await installed(path.join(place, 'functions'), functions, admin);
    const config = path.join(place, 'firebase.json');
    writeFileSync(config, JSON.stringify({ functions: { source: 'functions' } }));
    console.log(`firebase-functions ${functions}:`);
    const options = ['exec', '--config', config, '--project', 'demo-older', '--port', '0'];
    worst = Math.max(worst, await run(TUCKBOX, [...options, '--', process.execPath, self, `=${functions}`]));
  }
  return worst;
}

async function checks(release) {
  const {
    account,
    app,
    call,
    claims,
    db,
    logs,
    PROJECT,
    run: runTests,
    service,
    test,
    unique,
    until,
  } = await import('./harness.mjs');
  const { getAuth } = await import('firebase-admin/auth');
  const { getFunctions } = await import('firebase-admin/functions');
  const { getStorage } = await import('firebase-admin/storage');
  const major = Number(release.split('.')[0]);
  const url = async (region, name) => `${await service('functions')}/${PROJECT}/${region}/${name}`;
  const post = async (path, body) => {
    const answer = await fetch(`${await service('functions')}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.text());
  };

  test('callables of both generations', async () => {
    for (const [name, status, message] of [
      ['v1echo', 'NOT_FOUND', 'no such thing'],
      ['group-echo', 'ABORTED', 'not now'],
    ]) {
      const { body } = await call(name, { a: [1, null] });
      assert.deepEqual(body, { result: { data: { a: [1, null] }, uid: null } }, name);
      const { error } = (await call(name, 'refuse')).body;
      assert.deepEqual([error.status, error.message], [status, message]);
    }
  });
  test('requests of both generations', async () => {
    const first = await fetch(await url('europe-west1', 'v1web/a'), { method: 'PUT', body: 'raw' });
    assert.deepEqual([first.status, await first.text()], [201, 'PUT /a raw']);
    const second = await fetch(await url('us-central1', 'web/a/b?c=1'));
    assert.deepEqual(await second.json(), { path: '/a/b', query: { c: '1' } });
  });
  test('what the source was configured with', async () => {
    assert.deepEqual((await call('v1config', null)).body, { result: { name: 'Corner' } });
    if (major < 4) return;
    assert.equal(await (await fetch(await url('us-central1', 'greet'))).text(), 'Hello');
  });
  test('documents', async () => {
    const id = unique();
    await db.doc(`things/${id}`).set({ n: 1, at: new Date(0) });
    const [first] = await logs('v1written', id);
    assert.deepEqual([first.existed, first.data.n, first.data.at.toMillis()], [false, 1, 0]);
    if (major < 4) return;
    const [second] = await logs('written', id);
    assert.deepEqual([second.data.n, second.data.at.toMillis()], [1, 0]);
  });
  test('accounts and files', async () => {
    const email = `${unique()}@example.com`;
    const { uid } = await getAuth(app).createUser({ email });
    assert.equal((await logs('v1user', uid))[0].email, email);
    const made = await account('signUp', {
      email: `new-${email}`,
      password: 'secret1',
      returnSecureToken: true,
    });
    const told = claims(made.idToken);
    assert.deepEqual([told.name, told.door], [`new new-${email}`, `new-${email}`]);
    const { error } = await account('signUp', { email: `blocked-${email}`, password: 'secret1' });
    assert.match(error.message, /^BLOCKING_FUNCTION_ERROR_RESPONSE : .*not you/s);
    const name = `${unique()}.txt`;
    await getStorage(app).bucket().file(name).save('hello', { resumable: false });
    for (const kind of ['v1file', 'file']) await logs(kind, name);
  });
  test('messages, tasks and the clock', async () => {
    const id = unique();
    const data = Buffer.from('{"n":1}').toString('base64');
    await post(`/v1/projects/${PROJECT}/topics/news:publish`, { messages: [{ data, attributes: { id } }] });
    for (const kind of ['v1message', 'message']) assert.deepEqual((await logs(kind, id))[0].json, { n: 1 });
    await getFunctions(app).taskQueue('task').enqueue({ id });
    await logs('task', id);
    for (const kind of major < 4 ? ['v1tick'] : ['v1tick', 'tick']) {
      await post(`/functions/projects/${PROJECT}/triggers/${kind}`, {});
      await until(kind, async () => (await db.collection('log').where('kind', '==', kind).get()).size > 0);
    }
  });
  return runTests();
}

const [given = path.join(ROOT, 'target/bench-functions-sdk')] = process.argv.slice(2);
if (given.startsWith('=')) {
  process.argv.splice(2);
  process.exit((await checks(given.slice(1))) ? 0 : 1);
}
process.exit(await every(path.resolve(given)));
