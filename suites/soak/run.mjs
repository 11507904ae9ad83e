/**
 * Clients come and go, connections break in the middle of frames or fall silent, and the server is killed and restarted
 * on one folder; then everything must be as it was acknowledged, and every listener must see it.
 *
 *   node suites/soak/run.mjs MINUTES [--seed N]
 *
 * Rounds of trouble, each followed by calm in which everything is checked. The server restarts in the first two
 * thirds of the time; in the rounds after that, three at least, its memory must not grow.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startProxy } from '../sdk/proxy.mjs';
import { spawnServer } from '../sdk/server.mjs';
import { buildExamples } from '../shared/program.mjs';
import { Random } from '../shared/random.mjs';
import { openClients } from './clients.mjs';
import { Ledger } from './ledger.mjs';

/**
 * Length of the trouble in a round, in milliseconds: this, or the part of a short run that leaves time for some rounds.
 */
const TROUBLE = 18_000;
const PART_OF_ALL = 1 / 8;

/** Length of a silence of the network, in milliseconds: between these. */
const SILENCE = [1_000, 3_000];

/** Rounds without restarts, at least: the first fills the server's caches, and the last is compared with the second. */
const QUIET_ROUNDS = 3;

/** Acknowledged writes of each kind of client, at least. */
const LEAST = 20;

/** Wait for all clients to see the same, in milliseconds: an SDK waits up to a minute before it tries again. */
const PATIENCE = 120_000;

/** Interval between looks at a client's documents, in milliseconds. */
const LOOK = 100;

/** For how long the server keeps old versions, in seconds: an hour of them would hide a leak. */
const KEEP = 60;

/** Size of the server's cache, in bytes: the program's default would take hours to fill. */
const CACHE = 32 * 1024 * 1024;

/**
 * Limit of the growth of the server's memory over the rounds without restarts, in MiB: it keeps 64 MiB of the newest
 * commits, as much in the memtable, and its cache. Only what has been written since can have filled them, which bounds
 * a short run: each batch may take its part beside the needs of clients and their streams.
 */
const GROWTH = 160;
const GROWTH_OF_CLIENTS = 32;
const GROWTH_OF_BATCH = 1 / 32;

const SLOTS = ['server', 'server', 'shim', 'shim', 'web', 'web', 'page', 'polling'];
const COLLECTION = 'soak';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const minutes = Number(positionals[0] ?? '1');
if (!(minutes > 0)) {
  console.error('usage: node suites/soak/run.mjs MINUTES [--seed N]');
  process.exit(2);
}

// The server SDK repeats a call after it was terminated, and hands its failure to nobody.
process.on('unhandledRejection', (error) => {
  if (!/client has already been terminated/.test(error?.message)) throw error;
});

const random = new Random(Number(values.seed));
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const started = Date.now();
const elapsed = () => Date.now() - started;
const total = minutes * 60_000;

buildExamples();
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
let server = await spawnServer({ folder, keep: KEEP, cache: CACHE });
const proxy = await startProxy(server.port);
const ledger = new Ledger();
// The shim notices by itself that a connection is dead; the others' connections are broken after each silence.
const shimProxy = await startProxy(server.port);
const proxies = [proxy, shimProxy];
const clients = openClients({
  host: '127.0.0.1',
  port: proxy.port,
  shimPort: shimProxy.port,
  collection: COLLECTION,
  ledger,
});

let born = 0;
/** `{ kind, name, client }` for each slot. */
const living = [];
const retired = [];
const wrong = [];
let restarts = 0;
let breaks = 0;
let silences = 0;

async function fill(slot) {
  const name = `c${++born}`;
  ledger.join(name, SLOTS[slot]);
  living[slot] = { kind: SLOTS[slot], name, client: await clients.make(SLOTS[slot], name) };
  await living[slot].client.resume();
}

async function leave(slot) {
  const { name, client } = living[slot];
  wrong.push(...(await client.wrong()));
  await client.close();
  retired.push(name);
}

/** The next `count` chunks that pass break their connections halfway. */
function breakFrames(count) {
  let left = count;
  const allow = () => {
    if (left <= 0) return true;
    left -= 1;
    breaks += 1;
    return false;
  };
  for (const one of proxies) one.allow = allow;
}

/** Everything sent is swallowed for a while, and the connections stay open: every second time those just opened. */
async function beSilent() {
  silences += 1;
  for (const one of proxies) one.beSilent();
  if (silences % 2 === 1) for (const one of proxies) one.drop();
  await sleep(random.int(...SILENCE));
  for (const one of proxies) one.endSilence({ drop: one !== shimProxy });
}

async function restart(signal) {
  restarts += 1;
  await server.stop(signal);
  for (const one of proxies) one.drop();
  server = await spawnServer({ folder, keep: KEEP, cache: CACHE });
  for (const one of proxies) one.target = server.port;
}

/** Everything there is, read afresh and past the proxy. */
async function fresh() {
  const documents = {};
  const root = 'projects/demo-soak/databases/(default)/documents';
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/${root}:runQuery`, {
    method: 'POST',
    body: JSON.stringify({ structuredQuery: { from: [{ collectionId: COLLECTION }] } }),
  });
  for (const { document } of await response.json()) {
    if (document) documents[document.name.split('/').at(-1)] = Number(document.fields.n.integerValue);
  }
  return documents;
}

/** Waits until `promise` is done, for [`PATIENCE`] at most. */
async function patiently(promise, what) {
  let timer;
  const limit = new Promise((_done, failed) => {
    timer = setTimeout(() => failed(new Error(`stuck: ${what}`)), PATIENCE);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

async function trouble({ withRestarts, withSilence }) {
  const end = Date.now() + Math.min(TROUBLE, total * PART_OF_ALL);
  let killed = 0;
  if (withSilence) await beSilent();
  while (Date.now() < end) {
    await sleep(random.int(500, 2_500));
    const what = random.next();
    if (withRestarts && what < 0.25 && killed < 2) {
      killed += 1;
      await restart(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
    } else if (what < 0.5) {
      breakFrames(random.int(1, 4));
    } else if (what < 0.6) {
      for (const one of proxies) one.drop();
    } else {
      const slot = random.int(0, SLOTS.length - 1);
      await leave(slot);
      await fill(slot);
    }
  }
  breakFrames(0);
}

/** Stops all writing, and checks what is stored against what was acknowledged and what each client sees. */
async function calm() {
  const since = Date.now();
  await Promise.all(
    living.map(({ client, kind, name }) => patiently(client.pause(), `a write of ${name} (${kind})`)),
  );
  const stored = await fresh();
  wrong.push(...ledger.check(stored));
  await Promise.all(
    living.map(async ({ client, kind, name }) => {
      const agrees = async () => {
        while (!isDeepStrictEqual(await client.view(), stored)) await sleep(LOOK);
      };
      await patiently(agrees(), `the listener of ${name} (${kind})`);
      wrong.push(...(await client.wrong()));
    }),
  );
  return Date.now() - since;
}

/** Deletes the documents of clients that have ended, so that their number stays small. */
async function deleteRetired() {
  const root = 'projects/demo-soak/databases/(default)/documents';
  const names = retired.splice(0).flatMap((name) => {
    ledger.forget(name);
    return [`${name}-a`, `${name}-b`];
  });
  const writes = names.map((id) => ({ delete: `${root}/${COLLECTION}/${id}` }));
  await fetch(`http://127.0.0.1:${server.port}/v1/${root}:commit`, {
    method: 'POST',
    body: JSON.stringify({ writes }),
  });
}

/** The server's resident memory, in MiB. */
function memory() {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024);
}

/** Measurements after each round without restarts. */
const quiet = [];

/** True if memory grew more than allowed since the second of these rounds. */
function grown() {
  const [, from] = quiet;
  const to = quiet.at(-1);
  const growth = to.memory - from.memory;
  const most = Math.min(GROWTH, GROWTH_OF_CLIENTS + (to.batches - from.batches) * GROWTH_OF_BATCH);
  const measured = quiet.map((round) => round.memory).join(', ');
  console.log(`memory in rounds without restarts: ${measured} MiB; may grow by ${Math.round(most)} MiB`);
  return growth > most ? [`the server grew by ${growth} MiB: ${measured}`] : [];
}

try {
  for (let slot = 0; slot < SLOTS.length; slot++) await fill(slot);
  for (let round = 1; wrong.length === 0 && (quiet.length < QUIET_ROUNDS || elapsed() < total); round++) {
    const withRestarts = round === 1 || elapsed() < (total * 2) / 3;
    await trouble({ withRestarts, withSilence: round % 2 === 1 });
    const settling = await calm();
    if (!withRestarts) quiet.push({ memory: memory(), batches: ledger.acknowledgements });
    console.log(
      `round ${round}: ${ledger.acknowledgements} batches acknowledged, ${restarts} restarts, ${breaks} frames broken, ${silences} silences, ` +
        `${born} clients, agreed after ${settling} ms, ${memory()} MiB`,
    );
    await deleteRetired();
    for (const { client } of living) await client.resume();
  }
  wrong.push(...ledger.tooFew(LEAST));
  wrong.push(...ledger.refusals());
  if (wrong.length === 0) wrong.push(...grown());
} catch (error) {
  wrong.push(error.stack);
} finally {
  for (const { client } of living) await client.close().catch(() => {});
  await clients.close();
  for (const one of proxies) await one.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

for (const [code, times] of ledger.failures) console.log(`writes that failed with ${code}: ${times}`);
for (const [kind, count] of ledger.counts) console.log(`acknowledged writes of ${kind}: ${count}`);
for (const one of new Set(wrong)) console.log(`WRONG ${one}`);
console.log(
  `${minutes} minutes, seed ${values.seed}: ${ledger.acknowledgements} batches, ${restarts} restarts, ${breaks} broken frames`,
);
console.log(wrong.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exit(wrong.length === 0 ? 0 : 1);
