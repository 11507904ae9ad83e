// Our server beside the official suite, on this machine in one run: `node suites/bench/functions.mjs [--json FILE] [--seconds 4]
// [--only ours|theirs]`. TUCKBOX_BIN is the release build, TUCKBOX_OWN that of the example `own_function`, FIREBASE_TOOLS the
// command of firebase-tools.
// Absolute figures move with the machine: compare those of one run.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { officialSuite } from '../functions/official.mjs';
import { freePort } from '../shared/free-port.mjs';
import { TARGET } from '../shared/program.mjs';
import { Connection, encode, encodeJson, measure } from './load.mjs';
import { endAll, memory, start, stop } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const BINARY = process.env.TUCKBOX_BIN ?? path.join(TARGET, 'release/tuckbox');
/** The same server with an echo of its own. */
const OWN = process.env.TUCKBOX_OWN ?? path.join(TARGET, 'release/examples/own_function');
const PROJECT = 'demo-bench';
const REGION = 'us-central1';
const BUCKET = `${PROJECT}.appspot.com`;
const SECONDS = Number(options.seconds);
/** Connections at a time. */
const LEVELS = [1, 16, 64];
/** Connections that carry files. */
const FILE_CONNECTIONS = 16;
/** After this the rest is left out, in milliseconds. */
const LIMIT_MS = 450_000;
/** After this it ends, whatever still runs, in milliseconds. */
const HARD_LIMIT_MS = LIMIT_MS + 25_000;
/** Largest share of the time that the server may take. */
const OUR_PART = 0.5;
const MEBIBYTE = Buffer.alloc(1 << 20, 7);
const SERVICES = ['functions', 'auth', 'storage'];
/** Payload of every echo. */
const ECHOED = { hello: 'world', n: 1 };
const PASSWORD = 'a long enough one';
const OWNER = { Authorization: 'Bearer owner' };

/** Results so far. */
const results = { ours: {}, theirs: {} };
/** Notes printed with the figures. */
const told = [];
const folders = new Set();

/** A folder that goes with the bench. */
function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-bench-'));
  folders.add(folder);
  return folder;
}

/** A project folder with the same functions and configuration for both. */
async function project() {
  const folder = newFolder();
  const emulators = { ui: { enabled: false } };
  for (const name of [...SERVICES, 'hub', 'logging']) {
    emulators[name] = { host: '127.0.0.1', port: await freePort() };
  }
  cpSync(path.join(import.meta.dirname, 'functions-source'), path.join(folder, 'functions'), {
    recursive: true,
  });
  symlinkSync(path.join(import.meta.dirname, '../node_modules'), path.join(folder, 'functions/node_modules'));
  const rules =
    "rules_version = '2';\nservice firebase.storage { match /b/{b}/o/{all=**} { allow read, write; } }\n";
  writeFileSync(path.join(folder, 'storage.rules'), rules);
  const config = { functions: { source: 'functions' }, storage: { rules: 'storage.rules' }, emulators };
  writeFileSync(path.join(folder, 'firebase.json'), JSON.stringify(config));
  return { folder, at: (name) => `http://127.0.0.1:${emulators[name].port}` };
}

/** An echo of the function `name`. */
function echo(origin, name) {
  const request = encodeJson(`${origin}/${PROJECT}/${REGION}/${name}`, { data: ECHOED });
  return async (connection) => (await connection.exchange(request)).status === 200;
}

/** True once the function answers. */
function answers(origin, name) {
  const call = echo(origin, name);
  return async () => {
    const connection = new Connection(origin);
    const answered = await call(connection).finally(() => connection.close());
    return answered;
  };
}

/** `work` at every level, into `found[key]`. */
async function levels(found, key, what, origin, end, work, at = LEVELS) {
  found[key] = {};
  for (const connections of at) {
    if (performance.now() > end) {
      told.push(`${what}: left out past ${connections} connections, for want of time`);
      return;
    }
    const one = await measure(origin, connections, SECONDS, end, (connection, n) =>
      work(connection, n, connections),
    );
    found[key][connections] = one;
    process.stderr.write(`${what}, ${connections}: ${Math.round(one.rate)}/s\n`);
  }
}

/** Accounts that come and sign in. */
async function accounts(found, who, origin, end) {
  const run = Date.now().toString(36);
  const url = (method) => `${origin}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=fake`;
  const person = (name) => ({ email: `${name}@example.com`, password: PASSWORD, returnSecureToken: true });
  const signUp = (connection, name) => connection.exchange(encodeJson(url('signUp'), person(name)));
  await levels(found, 'signUp', `${who} sign-up`, origin, end, async (connection, n, level) => {
    const { status } = await signUp(connection, `p${run}${n}x${level}`);
    return status === 200;
  });
  // One account for each connection, as people sign in.
  const names = Array.from({ length: LEVELS.at(-1) }, (_, n) => `in${run}${n}`);
  const one = new Connection(origin);
  for (const name of names) await signUp(one, name);
  one.close();
  const requests = names.map((name) => encodeJson(url('signInWithPassword'), person(name)));
  let refusal;
  await levels(found, 'signIn', `${who} sign-in`, origin, end, async (connection, n) => {
    const answer = await connection.exchange(requests[n % requests.length]);
    if (answer.status !== 200) refusal ??= `${answer.status} ${answer.text.slice(0, 300)}`;
    return answer.status === 200;
  });
  if (refusal !== undefined) told.push(`${who}: a sign-in was refused: ${refusal}`);
}

/** Files of 1 MiB up and down. */
async function files(found, who, origin, end) {
  const objects = `${origin}/v0/b/${BUCKET}/o`;
  const headers = { ...OWNER, 'Content-Type': 'application/octet-stream' };
  const puts = Array.from({ length: LEVELS.at(-1) }, (_, n) =>
    encode(`${objects}?name=file-${n}&uploadType=media`, { headers, body: MEBIBYTE }),
  );
  const at = [FILE_CONNECTIONS];
  const put = async (connection, n) => (await connection.exchange(puts[n % puts.length])).status === 200;
  await levels(found, 'upload', `${who} 1 MiB up`, origin, end, put, at);
  const get = encode(`${objects}/file-1?alt=media`, { method: 'GET', headers: OWNER });
  const down = async (connection) => {
    const { status, bodyLength } = await connection.exchange(get);
    return status === 200 && bodyLength >= MEBIBYTE.length;
  };
  await levels(found, 'download', `${who} 1 MiB down`, origin, end, down, at);
}

/** Everything that is measured of a suite that runs. */
async function suite(found, who, at, pid, end) {
  found.idle = memory(pid);
  await accounts(found, who, at('auth'), end);
  await files(found, who, at('storage'), end);
  // Last, because the official suite starts a process for each call under way, which a busy machine takes minutes for.
  await levels(found, 'echo', `${who} Node echo`, at('functions'), end, echo(at('functions'), 'echo'));
  found.afterAll = memory(pid);
}

/** Our server without functions in Node: what it takes itself. */
async function native(found, args, origin, end) {
  const { child, ms } = await start(
    OWN,
    [...args, '--in-memory'],
    newFolder(),
    answers(origin, 'nativeEcho'),
  );
  found.nativeStartMs = ms;
  found.nativeIdle = memory(child.pid);
  await levels(found, 'native', 'our native echo', origin, end, echo(origin, 'nativeEcho'));
  found.nativeAfter = memory(child.pid);
  await stop(child);
}

/** The round trip itself, by a socket that does nothing but answer: at one connection nothing can be faster. */
async function bare(found, end) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const program = path.join(import.meta.dirname, 'bare-answer.mjs');
  const { child } = await start(process.execPath, [program, String(port)], newFolder(), answers(origin, ''));
  await levels(found, 'bare', 'a bare socket', origin, end, echo(origin, ''), [1]);
  await stop(child);
}

async function ours(found, end) {
  const { folder } = await project();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const data = path.join(folder, 'data');
  mkdirSync(data);
  const args = ['--mode', 'emulator', '--project', PROJECT, '--host', '127.0.0.1', '--port', String(port)];
  await bare(found, end);
  await native(found, args, origin, end);
  const serve = ['serve', ...args, '--data', data];
  const { child, ms } = await start(BINARY, serve, folder, answers(origin, 'echo'));
  found.startMs = ms;
  await suite(found, 'our', () => origin, child.pid, end);
  await stop(child);
}

async function theirs(found, end) {
  const { folder, at } = await project();
  const { command, env, notes } = officialSuite(folder);
  for (const note of notes.filter((one) => one.startsWith('storage'))) told.push(`official suite: ${note}`);
  const args = ['emulators:start', '--project', PROJECT, '--only', SERVICES.join(',')];
  const { child, ms } = await start(command, args, folder, answers(at('functions'), 'echo'), env);
  found.startMs = ms;
  await suite(found, 'their', at, child.pid, end);
  await stop(child);
}

const number = (value, digits = 0) =>
  value === undefined || Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en', { maximumFractionDigits: digits });
function cell(one) {
  if (!one) return '–';
  const lost = [
    one.failed ? `${one.failed} failed` : '',
    one.cold ? `${one.cold} connections without a first answer` : '',
  ].filter(Boolean);
  const rest = lost.length > 0 ? `  (${lost.join(', ')})` : '';
  return `${number(one.rate)}/s  p50 ${number(one.p50, 1)}  p99 ${number(one.p99, 1)}${rest}`;
}
const megabytes = (one) => (one ? `${number(one.mib)} MiB in ${one.processes}` : '–');
const ratio = (x, y) => (x && y ? `${(x / y).toFixed(1)} ×` : '');
/** The goal, and whether it is met. */
const verdict = (x, y, goal) => (goal && x && y ? `${goal} ×: ${x / y >= goal ? 'yes' : 'NO'}` : '');

/** The rows: what, ours, theirs, by how much ours is better, and what it is to be. */
function rows({ ours: a, theirs: b }) {
  const less = (what, mine, other, show, pick, goal = 0) => [
    what,
    show(mine),
    show(other),
    ratio(pick(other), pick(mine)),
    verdict(pick(other), pick(mine), goal),
  ];
  const ms = (value) => number(value);
  const self = (value) => value;
  const mib = (value) => value?.mib;
  const found = [
    less('start to first native call, ms', a.nativeStartMs, b.startMs, ms, self, 20),
    less('start to first Node call, ms', a.startMs, b.startMs, ms, self),
    less('memory, idle, no Node of ours', a.nativeIdle, b.idle, megabytes, mib, 10),
    less('memory, idle', a.idle, b.idle, megabytes, mib),
    less('memory after native calls', a.nativeAfter, b.afterAll, megabytes, mib),
    less('memory after everything', a.afterAll, b.afterAll, megabytes, mib),
  ];
  for (const [name, mine, other, goal] of [
    ['native echo (theirs: Node)', 'native', 'echo', 20],
    ['Node echo', 'echo', 'echo', 2],
    ['sign-up', 'signUp', 'signUp', 3],
    ['sign-in', 'signIn', 'signIn', 3],
    ['1 MiB up', 'upload', 'upload', 3],
    ['1 MiB down', 'download', 'download', 1.5],
  ]) {
    for (const connections of LEVELS) {
      const [x, y] = [a[mine]?.[connections], b[other]?.[connections]];
      if (!x && !y) continue;
      const better = [ratio(x?.rate, y?.rate), verdict(x?.rate, y?.rate, goal)];
      found.push([`${name}, ${connections}`, cell(x), cell(y), ...better]);
    }
  }
  return found;
}

/** The most that one connection can reach: the round trip is the same for every server. */
function tellOfRoundTrip({ bare, native }) {
  const [most, own] = [bare?.[1]?.rate, native?.[1]?.rate];
  if (!most || !own) return;
  const part = Math.round((100 * own) / most);
  told.push(
    `one connection waits for the loopback's round trip: a bare socket in Node answers ${number(most)}/s, our native echo ${part} % of that`,
  );
}

/** Prints what was found, and leaves nothing behind. */
function end(code) {
  tellOfRoundTrip(results.ours);
  const header = ['', 'ours', 'official suite', 'ours better by', 'goal'];
  const all = [header, ...rows(results)];
  const widths = header.map((_, i) => Math.max(...all.map((row) => row[i].length)));
  for (const row of all) {
    const line = row.map((text, i) => text.padEnd(widths[i]));
    console.log(line.join('  ').trimEnd());
  }
  for (const line of told) console.log(line);
  if (options.json) writeFileSync(options.json, JSON.stringify({ ...results, told }, null, 2));
  process.exit(code);
}

/** One side; what stops it is told and does not stop the other. */
async function side(name, run, limit) {
  try {
    await run(results[name], limit);
  } catch (error) {
    const why = `${error.message}${error.said ? `:\n${error.said.trim().split('\n').slice(-15).join('\n')}` : ''}`;
    told.push(`${name === 'ours' ? 'our server' : 'official suite'}: stopped short: ${why}`);
    process.exitCode = 1;
  }
}

process.once('exit', () => {
  endAll();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const begun = performance.now();
setTimeout(() => {
  told.push(`ended after ${HARD_LIMIT_MS / 1_000} s with something still running`);
  end(1);
}, HARD_LIMIT_MS).unref();
if (options.only !== 'theirs') await side('ours', ours, begun + LIMIT_MS * OUR_PART);
if (options.only !== 'ours') await side('theirs', theirs, begun + LIMIT_MS);
end(process.exitCode ?? 0);
