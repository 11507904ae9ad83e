// Versions of a game, from outside: `node suites/bench/versions.mjs [--json FILE] [--cards 500] [--versions 100] [--changed 3]`.
// A project of so many cards is frozen again and again, each time after a few cards changed; then versions are compared,
// opened and restored. TUCKBOX_BIN is the release build.
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { stop } from './processes.mjs';
import { quantiles, TableServer } from './table-server.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    cards: { type: 'string', default: '500' },
    versions: { type: 'string', default: '100' },
    changed: { type: 'string', default: '3' },
  },
});
const [CARDS, VERSIONS, CHANGED] = [options.cards, options.versions, options.changed].map(Number);
if (!(CARDS >= 1 && VERSIONS >= 2 && CHANGED >= 1)) {
  console.error('usage: scripts/bench versions [--cards 500] [--versions 100, at least 2] [--changed 3]');
  process.exit(2);
}
const OWNER = 'ann';
const DECK = 'deck';
/** Writes of one commit. */
const TOGETHER = 250;
/** Bytes that Firestore counts for a document beside its fields: its name is counted by the length of its path. */
const BESIDE = 32;

const load = () => loadavg().map((one) => Number(one.toFixed(1)));
const results = { machine: { cores: availableParallelism(), load: load() } };
const lines = [];
const tell = (name, value, goal) => {
  lines.push([name, value, goal]);
  console.error(`${name}: ${value}`);
};

const server = await TableServer.make(undefined);
await server.serve();
const DOCUMENTS = 'projects/demo-bench/databases/(default)/documents';

async function ask(path, body) {
  const reply = await fetch(`${server.origin}/v1/${DOCUMENTS}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${path} was refused: ${await reply.text()}`);
  return reply.json();
}

async function put(documents) {
  for (let at = 0; at < documents.length; at += TOGETHER) {
    const writes = documents
      .slice(at, at + TOGETHER)
      .map(([path, fields]) => ({ update: { name: `${DOCUMENTS}/projects/${DECK}/${path}`, fields } }));
    await ask(':commit', { writes });
  }
}

const text = (value) => ({ stringValue: value });
const words = (seed, count) =>
  Array.from({ length: count }, (_, at) => `word${(seed * 31 + at * 17) % 997}`).join(' ');

/** A card with eight cells, as one of a finished game has them. */
function card(no, state) {
  const cells = Object.fromEntries(
    Array.from({ length: 8 }, (_, column) => [`column${column}`, text(words(no * 8 + column + state, 8))]),
  );
  const fields = {
    cells: { mapValue: { fields: cells } },
    order: { integerValue: no },
    copies: { integerValue: 1 },
  };
  return [`components/c${no % 5}/cards/card-${no}-of-the-deck`, fields];
}

function project() {
  const components = Array.from({ length: 5 }, (_, no) => [
    `components/c${no}`,
    { name: text(`Deck ${no}`) },
  ]);
  const layouts = Array.from({ length: 10 }, (_, no) => [
    `layouts/layout${no}`,
    { name: text(`Layout ${no}`), scene: { mapValue: { fields: { zones: text(words(no, 2_000)) } } } },
  ]);
  const images = Array.from({ length: 100 }, (_, no) => [
    `images/image${no}`,
    {
      path: text(`Art/${no}.png`),
      file: text(`projects/${DECK}/images/${no}.png`),
      hash: text(words(no, 4)),
    },
  ]);
  return [...components, ...layouts, ...images, ...Array.from({ length: CARDS }, (_, no) => card(no, 0))];
}

/** The first byte of an object that is the content of a document. */
const CONTENT = 1;

/** Bytes of the objects and documents of versions, and of the contents of documents among them. */
async function stored() {
  let [bytes, contents, objects] = [0, 0, 0];
  for (const collection of ['versionObjects', 'gameVersions', 'versionFiles']) {
    let page = '';
    do {
      const found = await ask(`/projects/${DECK}/${collection}?pageSize=300${page && `&pageToken=${page}`}`);
      for (const { name, fields } of found.documents ?? []) {
        const path = name.slice(DOCUMENTS.length + 1);
        const size = (value) =>
          'bytesValue' in value
            ? Buffer.from(value.bytesValue, 'base64').length
            : Buffer.byteLength(JSON.stringify(Object.values(value)[0]));
        bytes +=
          BESIDE +
          path.length +
          Object.entries(fields).reduce((sum, [key, value]) => sum + key.length + size(value), 0);
        const data = fields.data && Buffer.from(fields.data.bytesValue, 'base64');
        if (data?.[0] === CONTENT) contents += data.length;
        objects += 1;
      }
      page = found.nextPageToken ?? '';
    } while (page);
  }
  return { bytes, contents, objects };
}

async function timed(times, run) {
  const begun = performance.now();
  const result = await run();
  times.push(performance.now() - begun);
  return result;
}

const call = (name, data) => server.call(name, { projectId: DECK, ...data }, OWNER);
const told = (ms, one) => `${one} ${ms.p50.toFixed(0)} / ${ms.p95.toFixed(0)} ms`;

await server.putProject(DECK, OWNER, []);
await put(project());
const first = [];
const versions = [(await timed(first, () => call('freezeVersion', { name: 'v0' }))).version];
const whole = await stored();
const freezes = [];
let cpu = 0;
for (let no = 1; no < VERSIONS; no += 1) {
  await put(Array.from({ length: CHANGED }, (_, at) => card((no * 7 + at * 131) % CARDS, no)));
  const before = server.cpuMs();
  versions.push((await timed(freezes, () => call('freezeVersion', { name: `v${no}` }))).version);
  cpu += server.cpuMs() - before;
}
const after = await stored();
const [changed, beyond] = [after.contents - whole.contents, after.bytes - after.contents];
const [compares, opens, restores, deletions] = [[], [], [], []];
const newest = versions.at(-1);
for (let no = 0; no < 20; no += 1) {
  const pair = { from: versions[0], to: no % 2 ? 'now' : versions[(no * 5) % VERSIONS || VERSIONS - 1] };
  await timed(compares, () => call('compareVersions', pair));
}
for (const version of versions.slice(0, 5)) await timed(opens, () => call('openVersion', { version }));
// There and back: from an old version to the next one only a few cards are restored.
for (const version of [versions[0], newest, versions[0], newest])
  await timed(restores, () => call('restoreVersion', { version }));
for (const version of versions.slice(0, 5)) await timed(deletions, () => call('deleteVersion', { version }));
await stop(server.child);

results.versions = {
  cards: CARDS,
  versions: VERSIONS,
  changedCards: CHANGED,
  firstMs: first[0],
  firstBytes: whole.bytes,
  changedBytes: changed,
  beyondBytes: beyond,
  objects: after.objects,
  freezeMs: quantiles(freezes),
  freezeCpuMs: cpu / freezes.length,
  compareMs: quantiles(compares),
  openMs: quantiles(opens),
  restoreMs: quantiles(restores),
  deleteMs: quantiles(deletions),
};
const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
tell(`the first version of ${CARDS} cards`, `${first[0].toFixed(0)} ms, ${mb(whole.bytes)}`, '300 ms');
tell(`freezing, ${CHANGED} cards changed`, told(results.versions.freezeMs, 'p50 / p95'), '300 ms');
tell('processor time of the server for it', `${results.versions.freezeCpuMs.toFixed(0)} ms`, '');
tell(`${VERSIONS} versions beyond ${mb(changed)} of changed content`, mb(beyond), '5 MB');
tell('comparing', told(results.versions.compareMs, 'p50 / p95'), '500 ms');
tell('opening', told(results.versions.openMs, 'p50 / p95'), '');
tell('restoring all', told(results.versions.restoreMs, 'p50 / p95'), '');
tell('deleting one', told(results.versions.deleteMs, 'p50 / p95'), '');
results.machine.loadAfter = load();
const { cores, load: begun, loadAfter } = results.machine;
lines.push([`load of the machine, ${cores} cores`, `${begun[0]} before, ${loadAfter[0]} after`, '']);
const all = [['', 'measured', 'goal'], ...lines];
const widths = [0, 1, 2].map((at) => Math.max(...all.map((line) => line[at].length)));
for (const line of all)
  console.log(
    line
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd(),
  );
if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 2));
process.exit(0);
