// Our server beside the official suite, on this machine in one run: `node bench/functions.mjs [--json FILE] [--seconds 4]
// [--only ours|theirs]`. TUCKBOX_BIN is the release build, TUCKBOX_OWN that of the example `own_function`, FIREBASE_TOOLS the
// command of firebase-tools.
// Absolute figures move with the machine: compare those of one run.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { officialSuite } from '../functions-suite/official.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const BINARY = process.env.TUCKBOX_BIN ?? path.join(root, 'target/release/tuckbox');
/** The same server with an echo of its own. */
const OWN = process.env.TUCKBOX_OWN ?? path.join(root, 'target/release/examples/own_function');
const PROJECT = 'demo-bench';
const REGION = 'us-central1';
const BUCKET = `${PROJECT}.appspot.com`;
const MEASURE_MS = Number(options.seconds) * 1_000;
/** How many connections at a time. */
const LEVELS = [1, 16, 64];
/** How long a suite may take to start, in milliseconds. */
const START_LIMIT_MS = 120_000;
/** How long one call may take before it counts as failed, in milliseconds. */
const CALL_LIMIT_MS = 30_000;
const MEBIBYTE = Buffer.alloc(1 << 20, 7);
const NAMES = ['functions', 'auth', 'storage', 'hub', 'ui', 'logging'];

/** What every echo is sent. */
const ECHOED = { hello: 'world', n: 1 };
/** What is to be known of the figures. */
const told = [];

/** A port nobody has at the moment. */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** A project folder with the same functions and configuration for both. */
async function project() {
  const folder = newFolder();
  const ports = Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await freePort()])));
  const emulators = Object.fromEntries(NAMES.map((name) => [name, { host: '127.0.0.1', port: ports[name] }]));
  emulators.ui = { enabled: false };
  cpSync(path.join(root, 'client/bench/functions-source'), path.join(folder, 'functions'), {
    recursive: true,
  });
  symlinkSync(path.join(root, 'client/node_modules'), path.join(folder, 'functions/node_modules'));
  const rules =
    "rules_version = '2';\nservice firebase.storage { match /b/{b}/o/{all=**} { allow read, write; } }\n";
  writeFileSync(path.join(folder, 'storage.rules'), rules);
  const config = { functions: { source: 'functions' }, storage: { rules: 'storage.rules' }, emulators };
  writeFileSync(path.join(folder, 'firebase.json'), JSON.stringify(config));
  return { folder, ports };
}

/** A process and all its children, by `/proc`. */
function tree(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      parents.set(Number(name), parent);
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = new Set([pid]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [child, parent] of parents) {
      if (found.has(parent) && !found.has(child)) grew = Boolean(found.add(child));
    }
  }
  return [...found];
}

/** Resident memory of a whole tree in MiB, shared pages counted once (PSS), and how many processes it has. */
function memory(pid) {
  let kib = 0;
  const pids = tree(pid);
  for (const one of pids) {
    try {
      kib += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // It has ended meanwhile.
    }
  }
  return { mib: kib / 1024, processes: pids.length };
}

const agents = new Map();
function agentFor(connections) {
  if (!agents.has(connections))
    agents.set(connections, new Agent({ keepAlive: true, maxSockets: connections }));
  return agents.get(connections);
}

/** One request over a kept connection; the answer's status and body. */
function ask(agent, url, { method = 'POST', body, headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(CALL_LIMIT_MS);
    const sent = request(url, { agent, method, headers, signal }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function json(agent, url, value, headers = {}) {
  return ask(agent, url, {
    body: JSON.stringify(value),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

/** Keeps `connections` of `work` under way; rate per second and times in milliseconds. */
async function measure(connections, work, limitMs = MEASURE_MS) {
  const agent = agentFor(connections);
  const times = [];
  let failed = 0;
  let next = 0;
  await work(agent, next++).catch(() => false);
  const begin = performance.now();
  const end = begin + limitMs;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const started = performance.now();
        if (!(await work(agent, next++).catch(() => false))) failed += 1;
        times.push(performance.now() - started);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1_000;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
  return { rate: (times.length - failed) / seconds, p50: at(0.5), p99: at(0.99), failed };
}

async function levels(what, work) {
  const found = {};
  for (const connections of LEVELS) {
    found[connections] = await measure(connections, work);
    process.stderr.write(`${what}, ${connections}: ${Math.round(found[connections].rate)}/s\n`);
  }
  return found;
}

/** What runs, and what lies about, while the bench does. */
const running = new Set();
const folders = new Set();
process.once('exit', () => {
  for (const child of running) for (const pid of tree(child.pid).reverse()) endNow(pid);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

function endNow(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** A folder that goes with the bench. */
function newFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-bench-'));
  folders.add(folder);
  return folder;
}

/** Starts a suite; resolves at its first answered call, with how long that took from the start of the process. */
async function start(command, args, folder, probe, env = process.env) {
  const started = performance.now();
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(data.toString()));
  let ended = false;
  running.add(child);
  child.once('exit', () => {
    ended = true;
    running.delete(child);
  });
  for (;;) {
    const ok = await probe().catch(() => false);
    if (ok) return { child, ms: performance.now() - started };
    if (ended || performance.now() - started > START_LIMIT_MS) {
      throw new Error(`${command} did not answer:\n${said.join('').slice(-3_000)}`);
    }
    await new Promise((done) => setTimeout(done, 2));
  }
}

async function stop(child) {
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(limit);
}

const call = (origin, name, data) => async (agent) => {
  const { status } = await json(agent, `${origin}/${PROJECT}/${REGION}/${name}`, { data });
  return status === 200;
};

/** Files of 1 MiB up and down, 16 at a time. */
async function files(storage, run) {
  const objects = `${storage}/v0/b/${BUCKET}/o`;
  const put = async (agent, n) => {
    const { status } = await ask(agent, `${objects}?name=${run}-${n % 64}&uploadType=media`, {
      body: MEBIBYTE,
      headers: { 'Content-Type': 'application/octet-stream', Authorization: 'Bearer owner' },
    });
    return status === 200;
  };
  const upload = { 16: await measure(16, put) };
  const download = {
    16: await measure(16, async (agent) => {
      const { status, body } = await ask(agent, `${objects}/${run}-1?alt=media`, {
        method: 'GET',
        headers: { Authorization: 'Bearer owner' },
      });
      return status === 200 && body.length === MEBIBYTE.length;
    }),
  };
  return { upload, download };
}

/** Everything that is measured of a suite that runs. */
async function suite({ functions, auth, storage, pid }) {
  const run = Date.now().toString(36);
  const accounts = `${auth}/identitytoolkit.googleapis.com/v1/accounts`;
  const idle = memory(pid);
  const echo = await levels('Node echo', call(functions, 'echo', ECHOED));
  const afterCalls = memory(pid);
  const signUp = await levels('sign-up', async (agent, n) => {
    const email = `p${run}${n}x${agent.maxSockets}@example.com`;
    const { status } = await json(agent, `${accounts}:signUp?key=fake`, {
      email,
      password: 'a long enough one',
      returnSecureToken: true,
    });
    return status === 200;
  });
  // One account for each connection, as people sign in.
  const people = Array.from({ length: LEVELS.at(-1) }, (_, n) => {
    return { email: `in${run}${n}@example.com`, password: 'a long enough one', returnSecureToken: true };
  });
  for (const person of people) await json(agentFor(1), `${accounts}:signUp?key=fake`, person);
  let refusal;
  const signIn = await levels('sign-in', async (agent, n) => {
    const { status, body } = await json(
      agent,
      `${accounts}:signInWithPassword?key=fake`,
      people[n % people.length],
    );
    if (status !== 200) refusal ??= `${status} ${body}`;
    return status === 200;
  });
  if (refusal !== undefined) console.error(`A sign-in was refused: ${refusal}`);
  const { upload, download } = storage ? await files(storage, run) : {};
  return { idle, afterCalls, afterAll: memory(pid), echo, signUp, signIn, upload, download };
}

async function ours() {
  const { folder } = await project();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const data = path.join(folder, 'data');
  mkdirSync(data);
  const common = ['serve', '--mode', 'emulator', '--project', PROJECT, '--host', '127.0.0.1'];
  // Without functions in Node: what the server itself takes.
  const callNative = call(origin, 'nativeEcho', ECHOED);
  const bare = newFolder();
  const args = [...common.slice(1), '--port', String(port)];
  const alone = await start(OWN, [...args, '--in-memory'], bare, () => callNative(agentFor(1)));
  const nativeIdle = memory(alone.child.pid);
  const native = await levels('native echo', callNative);
  const nativeAfter = memory(alone.child.pid);
  await stop(alone.child);
  const probe = () => call(origin, 'echo', 1)(agentFor(1));
  const { child, ms } = await start(BINARY, ['serve', ...args, '--data', data], folder, probe);
  const found = await suite({ functions: origin, auth: origin, storage: origin, pid: child.pid });
  await stop(child);
  rmSync(folder, { recursive: true, force: true });
  return {
    ...found,
    native,
    startMs: ms,
    nativeStartMs: alone.ms,
    nativeIdle,
    nativeAfter,
  };
}

async function theirs() {
  const { folder, ports } = await project();
  const at = (name) => `http://127.0.0.1:${ports[name]}`;
  const { command, env, notes } = officialSuite(folder);
  for (const note of notes.filter((note) => note.startsWith('storage'))) told.push(`official suite: ${note}`);
  const probe = () => call(at('functions'), 'echo', 1)(agentFor(1));
  const args = ['emulators:start', '--project', PROJECT, '--only', 'functions,auth,storage'];
  const started = await start(command, args, folder, probe, env);
  const { child, ms } = started;
  const found = await suite({
    functions: at('functions'),
    auth: at('auth'),
    storage: at('storage'),
    pid: child.pid,
  });
  await stop(child);
  return { ...found, startMs: ms };
}

const number = (value, digits = 0) =>
  value === undefined || Number.isNaN(value)
    ? '–'
    : value.toLocaleString('en', { maximumFractionDigits: digits });
const cell = (one) =>
  one
    ? `${number(one.rate)}/s  p50 ${number(one.p50, 1)}  p99 ${number(one.p99, 1)}${one.failed ? `  (${one.failed} failed)` : ''}`
    : '–';
const megabytes = (one) => (one ? `${number(one.mib)} MiB in ${one.processes}` : '–');

function table(a, b) {
  const ratio = (x, y) => (x && y ? `${(x / y).toFixed(1)} ×` : '');
  const rows = [
    ['start to first Node call, ms', number(a?.startMs), number(b?.startMs), ratio(b?.startMs, a?.startMs)],
    ['start to first native call, ms', number(a?.nativeStartMs), '–', ratio(b?.startMs, a?.nativeStartMs)],
    ['memory, idle', megabytes(a?.idle), megabytes(b?.idle), ratio(b?.idle.mib, a?.idle.mib)],
    ['memory, idle without Node', megabytes(a?.nativeIdle), '–', ratio(b?.idle.mib, a?.nativeIdle.mib)],
    [
      'memory after calls',
      megabytes(a?.afterCalls),
      megabytes(b?.afterCalls),
      ratio(b?.afterCalls.mib, a?.afterCalls.mib),
    ],
    [
      'memory after everything',
      megabytes(a?.afterAll),
      megabytes(b?.afterAll),
      ratio(b?.afterAll.mib, a?.afterAll.mib),
    ],
  ];
  for (const connections of LEVELS) {
    const [x, y] = [a?.native?.[connections], b?.echo[connections]];
    rows.push([`native echo, ${connections}`, cell(x), cell(y), ratio(x?.rate, y?.rate)]);
  }
  for (const [name, key] of [
    ['Node echo', 'echo'],
    ['sign-up', 'signUp'],
    ['sign-in', 'signIn'],
    ['1 MiB up', 'upload'],
    ['1 MiB down', 'download'],
  ]) {
    for (const connections of LEVELS) {
      const [x, y] = [a?.[key]?.[connections], b?.[key]?.[connections]];
      if (x || y) rows.push([`${name}, ${connections}`, cell(x), cell(y), ratio(x?.rate, y?.rate)]);
    }
  }
  const widths = [0, 1, 2, 3].map((i) => Math.max(...rows.map((row) => row[i].length), 10));
  const line = (row) =>
    row
      .map((text, i) => text.padEnd(widths[i]))
      .join('  ')
      .trimEnd();
  return [line(['', 'ours', 'official suite', 'ours is better by']), ...rows.map(line)].join('\n');
}

const a = options.only === 'theirs' ? undefined : await ours();
const b = options.only === 'ours' ? undefined : await theirs();
console.log(table(a, b));
for (const line of told) console.log(line);
if (options.json) writeFileSync(options.json, JSON.stringify({ ours: a, theirs: b }, null, 2));
for (const agent of agents.values()) agent.destroy();
