// The real program in serving mode, with people and with secrets that some of them may not see.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ROOT as REPOSITORY, startTuckbox, TUCKBOX } from '../shared/program.mjs';

const run = promisify(execFile);

/** Settings that admit anonymous accounts, which a server refuses by default. */
const GUESTS = { signIn: { anonymous: true } };

export const PROJECT = 'demo-attack';
export const PASSWORD = 'correct horse battery';
/** The name of the database's root in requests. */
export const ROOT = `projects/${PROJECT}/databases/(default)/documents`;
/** Stands in every secret document, so that whatever answer has it has leaked one. */
export const SECRET = `the hidden face ${randomUUID()}`;

/** A plain value as the wire has it. */
function encode(value) {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(encode) } };
  if (value === null) return { nullValue: null };
  if (Number.isInteger(value)) return { integerValue: String(value) };
  if (typeof value === 'number') return { doubleValue: Number.isFinite(value) ? value : String(value) };
  if (typeof value === 'object') return { mapValue: { fields: encodeFields(value) } };
  return typeof value === 'boolean' ? { booleanValue: value } : { stringValue: value };
}

export function encodeFields(fields) {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, encode(value)]));
}

class Program {
  constructor(folder) {
    this.folder = folder;
  }

  get args() {
    return ['--data', join(this.folder, 'data'), '--project', PROJECT];
  }

  async start(port = '0') {
    this.stopping = false;
    const args = ['serve', ...this.args, '--host', '127.0.0.1', '--port', port];
    this.log = [];
    const server = await startTuckbox(args, { cwd: this.folder, onLog: (line) => this.log.push(line) });
    this.server = server;
    this.child = server.child;
    this.origin = server.origin;
    server.child.once('exit', (code, signal) => {
      if (!this.stopping) {
        console.log(`the server ended (${code ?? signal}):\n${this.log.slice(-20).join('\n')}`);
      }
    });
  }

  async stop() {
    this.stopping = true;
    await this.server.stop();
  }
}

/** Requests to the server of a world, by its people. */
export class World {
  #addresses = new Set();
  constructor(program) {
    this.program = program;
    this.people = {};
  }

  get origin() {
    return this.program.origin;
  }

  /** The folder that nobody but its operator sees. */
  get data() {
    return join(this.program.folder, 'data');
  }

  /** The server's log so far. */
  get log() {
    return this.program.log;
  }

  /** The mails that wait, as the operator sees them. */
  async outbox() {
    const { stdout } = await run(TUCKBOX, ['outbox', ...this.program.args, '--json']);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  get alive() {
    return this.program.child.exitCode === null && this.program.child.signalCode === null;
  }

  /** A request; `token` is a person's unless it is left out. Answers `{ status, text }`, and JSON where it is some. */
  async ask(method, path, { token, body, headers = {}, signal } = {}) {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      signal,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** An operation on accounts; `{ status, reply }`. */
  async accounts(operation, body, headers = {}) {
    const path = `/identitytoolkit.googleapis.com/v1/accounts:${operation}?key=any`;
    const { status, text } = await this.ask('POST', path, { body, headers });
    return { status, reply: JSON.parse(text) };
  }

  #freeAddress(wanted) {
    let address = wanted;
    for (let number = 2; this.#addresses.has(address); number++) address = wanted.replace('@', `.${number}@`);
    this.#addresses.add(address);
    return address;
  }

  /** A new account. The attacks share one server: whose address another has taken gets one of its own. */
  async signUp(name, wanted) {
    const email = wanted && this.#freeAddress(wanted);
    const body = email ? { email, password: PASSWORD } : {};
    const { status, reply } = await this.accounts('signUp', { ...body, returnSecureToken: true });
    assert.equal(status, 200, JSON.stringify(reply));
    this.people[name] = {
      name,
      email,
      uid: reply.localId,
      token: reply.idToken,
      refresh: reply.refreshToken,
    };
    return this.people[name];
  }

  async signIn(person) {
    const body = { email: person.email, password: PASSWORD, returnSecureToken: true };
    const { status, reply } = await this.accounts('signInWithPassword', body);
    assert.equal(status, 200, JSON.stringify(reply));
    return Object.assign(person, { token: reply.idToken, refresh: reply.refreshToken });
  }

  async call(name, data, token) {
    const { status, text } = await this.ask('POST', `/us-central1-${PROJECT}/${name}`, {
      token,
      body: { data },
    });
    return { status, reply: JSON.parse(text) };
  }

  /**
   * Sets documents, `{ path: fields }`, with a person's rights. Projects come first, because who may write below them is
   * said there.
   */
  async put(documents, { token }) {
    const all = Object.entries(documents);
    const isProject = ([path]) => /^projects\/[^/]+$/.test(path);
    for (const part of [all.filter(isProject), all.filter((entry) => !isProject(entry))]) {
      if (part.length === 0) continue;
      const writes = part.map(([path, fields]) => ({
        update: { name: `${ROOT}/${path}`, fields: encodeFields(fields) },
      }));
      const { status, text } = await this.ask('POST', `/v1/${ROOT}:commit`, { token, body: { writes } });
      assert.equal(status, 200, text);
    }
  }

  get(path, { token } = {}) {
    return this.ask('GET', `/v1/${ROOT}/${path}`, { token });
  }

  async close() {
    await this.program.stop();
    await rm(this.program.folder, { recursive: true, force: true });
  }
}

/** Fields of a project of a person's own, as they make it; `members` are others with their roles. */
export function ownedBy({ uid }, name, members = {}) {
  const all = { [uid]: 'owner', ...members };
  return { name, owner: uid, members: all, memberIds: Object.keys(all) };
}

/**
 * The secrets: Ann's own documents, a project of hers with members, and a playtest with a hand that only Hal may see.
 */
export function secretsOf({ ann, eve, vic, pat, hal, gus }) {
  const own = `users/${ann.uid}`;
  const members = { [eve.uid]: 'editor', [vic.uid]: 'viewer', [pat.uid]: 'playtester' };
  return {
    [`${own}/userData/userObject`]: { note: SECRET },
    'projects/d': ownedBy(ann, SECRET, members),
    'projects/d/components/c': { name: SECRET },
    'projects/d/components/c/cards/1': { cells: { title: SECRET } },
    'projects/d/notes/main': { text: SECRET },
    'projects/d/layouts/l': { name: SECRET },
    'projects/d/images/i': { path: SECRET },
    'projects/d/layouts/l/versions/v': { name: SECRET },
    [`${own}/library/layouts/items/draft`]: { name: SECRET },
    'playtests/s': {
      ownerId: ann.uid,
      name: SECRET,
      seats: { red: hal.uid, blue: gus.uid },
      playerIds: [hal.uid, gus.uid],
    },
    'playtests/s/table/t': { x: SECRET },
    'playtests/s/hands/red': { count: SECRET },
    'playtests/s/hands/red/cards/1': { face: SECRET },
  };
}

/**
 * Lets one account write what functions of the server write: who is a member, who sits where, what lies in a hand. The
 * product's rules let nobody, and are otherwise as they are.
 */
async function lendHand(folder, uid) {
  const rules = await readFile(resolve(REPOSITORY, 'firestore.rules'), 'utf8');
  const start = 'match /databases/{database}/documents {';
  assert.ok(rules.includes(start));
  const hand = `match /{document=**} { allow read, write: if request.auth.uid == '${uid}'; }`;
  await writeFile(join(folder, 'firestore.rules'), rules.replace(start, `${start}\n${hand}`));
  const storage = resolve(REPOSITORY, 'storage.rules');
  await writeFile(
    join(folder, 'firebase.json'),
    JSON.stringify({ firestore: { rules: 'firestore.rules' }, storage: { rules: storage }, tuckbox: GUESTS }),
  );
}

/** Starts the program, signs everybody up, makes Root an admin as an operator does, and puts the secrets there. */
export async function openWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'attack-'));
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ tuckbox: GUESTS }));
  const program = new Program(folder);
  await program.start();
  const world = new World(program);
  const named = ['root', 'hand', 'ann', 'bob', 'eve', 'vic', 'pat'];
  await Promise.all(named.map((name) => world.signUp(name, `${name}@example.com`)));
  // Guests sit down without an address.
  await Promise.all(['hal', 'gus'].map((name) => world.signUp(name)));
  const { port } = new URL(program.origin);
  await program.stop();
  await run(TUCKBOX, ['admin', ...program.args, 'grant', 'root@example.com'], { cwd: program.folder });
  await lendHand(program.folder, world.people.hand.uid);
  await program.start(port);
  await world.signIn(world.people.root);
  world.secrets = secretsOf(world.people);
  await world.signIn(world.people.hand);
  await world.put(world.secrets, world.people.hand);
  return world;
}

/** The secrets as they lie in the store, with the times of their last change. */
export async function lying(world) {
  const paths = Object.keys(world.secrets);
  const found = await Promise.all(paths.map((path) => world.get(path, world.people.hand)));
  return Object.fromEntries(found.map(({ text }, index) => [paths[index], JSON.parse(text)]));
}
