/** A server on a folder, and documents and a file in it whose contents a seed tells. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { TUCKBOX } from '../shared/program.mjs';

const PROJECT = 'demo-faults';
const PARENT = `projects/${PROJECT}/databases/(default)/documents`;
export const HEAD = { authorization: 'Bearer owner', 'content-type': 'application/json' };
/** A start that has said nothing after this long hangs, in milliseconds. */
const START_MS = 120_000;
/** Documents written in all, and per commit. */
export const DOCUMENTS = 4_000;
const BATCH = 200;

/** Engines of the documents' view. */
export const VIEWS = ['sled', 'fjall'];
/** The engine that servers started from now on have. */
let view = VIEWS[0];
/** Chooses it. */
export function chooseView(name) {
  if (!VIEWS.includes(name)) throw new Error(`there is no engine ${name}: ${VIEWS.join(' or ')}`);
  view = name;
}

/**
 * Starts the program on a folder; answers `{ origin, said, stop }`, or `{ refused, said }`, or `{ hangs }`. `handles` is how many
 * files it may open.
 */
export function start(folder, { handles } = {}) {
  const config = join(mkdtempSync(join(tmpdir(), 'tuckbox-fault-config-')), 'firebase.json');
  writeFileSync(config, JSON.stringify({ tuckbox: { documents: { view } } }));
  const args = [
    'serve',
    '--mode',
    'emulator',
    '--project',
    PROJECT,
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--data',
    folder,
    '--config',
    config,
  ];
  const command =
    handles === undefined
      ? [TUCKBOX, ...args]
      : ['sh', '-c', `ulimit -n ${handles}; exec "$0" "$@"`, TUCKBOX, ...args];
  const child = spawn(command[0], command.slice(1), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said = (said + bytes).slice(-20_000);
  });
  const ended = new Promise((done) => child.once('exit', done)).finally(() =>
    rmSync(dirname(config), { recursive: true, force: true }),
  );
  const ready = new Promise((done) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said = `${said}${line}\n`.slice(-20_000);
      const found = /^Tuckbox is ready: (http:\S+)/.exec(line);
      if (found) done({ origin: found[1] });
    });
  });
  const stop = async (signal = 'SIGTERM') => {
    child.kill(signal);
    await ended;
    return said;
  };
  const timer = new Promise((done) => setTimeout(done, START_MS, { hangs: true }).unref());
  return Promise.race([ready, ended.then((code) => ({ refused: code })), timer]).then(async (outcome) => {
    if (outcome.hangs) await stop('SIGKILL');
    return { ...outcome, pid: child.pid, kill: (signal) => child.kill(signal), said: () => said, stop };
  });
}

const textOf = (n) => createHash('sha256').update(`card ${n}`).digest('hex').repeat(8);

export async function ask(origin, path, body) {
  const reply = await fetch(`${origin}/v1/${path}`, {
    method: 'POST',
    headers: HEAD,
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 300)}`);
  return reply.json();
}

/** Writes the documents from one number up to another; `acknowledged` is told how far it came. */
export async function write(origin, from, to, acknowledged = () => undefined) {
  for (let at = from; at < to; at += BATCH) {
    const writes = Array.from({ length: Math.min(BATCH, to - at) }, (_, i) => ({
      update: {
        name: `${PARENT}/cards/${String(at + i).padStart(6, '0')}`,
        fields: { n: { integerValue: String(at + i) }, text: { stringValue: textOf(at + i) } },
      },
    }));
    await ask(origin, `${PARENT}:commit`, { writes });
    acknowledged(at + writes.length);
  }
}

export const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31) % 251));
export const fileUrl = (origin) => `${origin}/v0/b/${PROJECT}.appspot.com/o/art%2Fa.bin`;

export async function upload(origin) {
  const url = `${origin}/v0/b/${PROJECT}.appspot.com/o?uploadType=media&name=art%2Fa.bin`;
  const headers = { ...HEAD, 'content-type': 'application/octet-stream' };
  const reply = await fetch(url, { method: 'POST', headers, body: FILE });
  if (!reply.ok) throw new Error(`upload: ${reply.status}`);
}

/** Times of the documents' last changes in the order of their numbers, as comparable numbers of microseconds. */
export async function changeTimes(origin) {
  const orderBy = [{ field: { fieldPath: 'n' } }];
  const found = await ask(origin, `${PARENT}:runQuery`, {
    structuredQuery: { from: [{ collectionId: 'cards' }], orderBy },
  });
  const micros = (time) => {
    const [, seconds, fraction = ''] = /^(.{19})\.?(\d*)Z$/.exec(time);
    return Date.parse(`${seconds}Z`) * 1_000 + Number(fraction.padEnd(6, '0'));
  };
  return found.flatMap(({ document }) => (document ? [micros(document.updateTime)] : []));
}

/**
 * Lists what is missing or wrong among the first documents: read by name, by an index, and as a file. Empty if all is
 * there.
 */
export async function lacking(origin, count = DOCUMENTS) {
  const wrong = [];
  for (const [orderBy, name] of [
    [[{ field: { fieldPath: '__name__' } }], 'by name'],
    [[{ field: { fieldPath: 'n' }, direction: 'DESCENDING' }], 'by number, downwards'],
  ]) {
    const found = await ask(origin, `${PARENT}:runQuery`, {
      structuredQuery: { from: [{ collectionId: 'cards' }], orderBy },
    });
    const documents = found.flatMap(({ document }) => document ?? []);
    if (documents.length < count) wrong.push(`${name}: ${documents.length} of ${count} documents`);
    const bad = documents.filter(
      ({ fields }) => fields.text.stringValue !== textOf(Number(fields.n.integerValue)),
    );
    if (bad.length > 0) wrong.push(`${name}: ${bad.length} documents say something else`);
  }
  const reply = await fetch(`${fileUrl(origin)}?alt=media`, { headers: HEAD });
  if (!reply.ok || !Buffer.from(await reply.arrayBuffer()).equals(FILE))
    wrong.push(`the file: ${reply.status}`);
  return wrong;
}
