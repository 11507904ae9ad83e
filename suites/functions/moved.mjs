// Data goes from our server to the official suite and back, in exports of either: documents, accounts and files arrive
// whole. `scripts/bench sample` runs it; TUCKBOX_BIN names our server, FIREBASE_TOOLS the official suite's command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { GeoPoint, getFirestore, Timestamp } from 'firebase-admin/firestore';
import { getStorage } from 'firebase-admin/storage';
import { freePort } from '../shared/free-port.mjs';
import { TUCKBOX } from '../shared/program.mjs';
import { officialSuite } from './official.mjs';

const self = fileURLToPath(import.meta.url);
const PROJECT = 'demo-moved';
const SERVICES = ['firestore', 'auth', 'storage'];
const EMAIL = 'ada@example.com';
const PASSWORD = 'a long enough one';
const FILE = 'folder/é x.bin';
const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 251));
const MADE = {
  text: 'é\u{1f0a1}',
  whole: 9007199254740991,
  half: -0.5,
  none: null,
  yes: true,
  at: new Timestamp(1_700_000_000, 123_000),
  where: new GeoPoint(1.5, -2.25),
  list: [1, 'two', { three: 3 }],
  map: { a: { b: [] }, 'odd name.': 1 },
  bytes: Buffer.from([0, 255, 128]),
};

function services() {
  const app = initializeApp({ projectId: PROJECT, storageBucket: `${PROJECT}.appspot.com` });
  return { auth: getAuth(app), db: getFirestore(app), bucket: getStorage(app).bucket() };
}

async function fill() {
  const { auth, db, bucket } = services();
  await auth.createUser({ uid: 'ada', email: EMAIL, password: PASSWORD, displayName: 'Ada' });
  await auth.setCustomUserClaims('ada', { level: 3 });
  await db.doc('games/one').set({ ...MADE, to: db.doc('games/other') });
  await db.doc('games/one/cards/ace').set({ n: 1 });
  const options = {
    contentType: 'application/x-cards',
    resumable: false,
    metadata: { metadata: { colour: 'red' } },
  };
  await bucket.file(FILE).save(BYTES, options);
}

/** Signs in as the one account there is. */
async function signIn() {
  const url = `http://${process.env.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=k`;
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
  const signedIn = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.equal((await signedIn.json()).localId, 'ada');
}

async function check() {
  const { auth, db, bucket } = services();
  const { to, ...found } = (await db.doc('games/one').get()).data();
  assert.deepEqual(found, MADE);
  assert.equal(to.path, 'games/other');
  assert.deepEqual((await db.doc('games/one/cards/ace').get()).data(), { n: 1 });
  const user = await auth.getUserByEmail(EMAIL);
  assert.deepEqual([user.uid, user.displayName, user.customClaims], ['ada', 'Ada', { level: 3 }]);
  const [bytes] = await bucket.file(FILE).download();
  assert.ok(bytes.equals(BYTES), 'the file has other bytes');
  const [metadata] = await bucket.file(FILE).getMetadata();
  assert.deepEqual([metadata.contentType, metadata.metadata?.colour], ['application/x-cards', 'red']);
}

/** Runs a program to its end. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`)),
    );
  });
}

/** Ours, with an export to begin with, around this script; `out` takes what is there in the end. */
function ours(folder, from, what, out) {
  const args = ['exec', '--project', PROJECT, '--port', '0', ...(from ? ['--import', from] : [])];
  return run(TUCKBOX, [...args, '--', process.execPath, self, what, ...(out ? [out] : [])], { cwd: folder });
}

/** Theirs, the same way. */
async function theirs(folder, from, what, out) {
  const { command, env, emulators, notes } = officialSuite(folder);
  const missing = SERVICES.find((name) => !emulators.includes(name));
  if (missing !== undefined)
    throw new Error(`the official suite has no ${missing} here: ${notes.join('; ')}`);
  for (const note of notes) console.error(`official suite: ${note}`);
  const ports = { ui: { enabled: false } };
  for (const name of [...SERVICES, 'hub', 'logging'])
    ports[name] = { host: '127.0.0.1', port: await freePort() };
  ports.firestore.websocketPort = await freePort();
  writeFileSync(
    path.join(folder, 'storage.rules'),
    readFileSync(path.join(path.dirname(self), 'storage.rules')),
  );
  const config = { firestore: {}, storage: { rules: 'storage.rules' }, emulators: ports };
  writeFileSync(path.join(folder, 'firebase.json'), JSON.stringify(config));
  const script = `'${process.execPath}' '${self}' ${what}`;
  const options = [
    '--project',
    PROJECT,
    '--only',
    SERVICES.join(','),
    '--import',
    from,
    '--export-on-exit',
    out,
  ];
  await run(command, ['emulators:exec', ...options, script], { cwd: folder, env });
}

/** Asks our server for an export. */
async function exported(folder) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const url = `${process.env.TUCKBOX_URL}/_admin/export`;
  const answer = await fetch(url, { ...request, body: JSON.stringify({ path: folder }) });
  assert.equal(answer.status, 200, await answer.text());
}

const [what, out] = process.argv.slice(2);
if (what === 'fill') {
  await fill();
  await signIn();
}
if (what === 'check-theirs') {
  await check();
  // Ours keeps hashes that the official suite, which keeps the passwords themselves, cannot check.
  await getAuth().updateUser('ada', { password: PASSWORD });
}
if (what === 'check-back') {
  await check();
  await signIn();
}
if (out !== undefined) await exported(out);
if (what === undefined) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-moved-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const at = (name) => path.join(folder, name);
  for (const name of ['ours', 'theirs', 'back']) mkdirSync(at(name));
  await ours(at('ours'), undefined, 'fill', at('first'));
  console.log('exported by ours');
  await theirs(at('theirs'), at('first'), 'check-theirs', at('second'));
  console.log('read by the official suite, and exported by it');
  await ours(at('back'), at('second'), 'check-back');
  console.log('read by ours');
}
process.exit(0);
