/**
 * Damages the data folder of a stopped server in every way of `damage.mjs`, and starts it again: it must serve every
 * acknowledged document and file, or refuse in words what is lost; never serve less, never panic, never hang.
 * `node suites/faults/run.mjs [--rounds N] [--seed N] [--only TEXT] [--view sled|fjall]`; TUCKBOX_BIN names another
 * program. The engine of the view alternates with the rounds, and the seed chooses the first, unless `--view` is given.
 * Ends with `N passed, N failed`.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../shared/random.mjs';
import { WAYS } from './damage.mjs';
import { LIVE, SKIPPED } from './live.mjs';
import { chooseView, DOCUMENTS, fileUrl, HEAD, lacking, start, upload, VIEWS, write } from './server.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    view: { type: 'string' },
  },
});
const { TUCKBOX_SEED } = process.env;
const given = values.seed ?? (TUCKBOX_SEED === 'random' ? undefined : TUCKBOX_SEED);
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 31));
const source = new Random(seed);
const random = () => source.next();

/** True after a panic that was not caught: an engine of the view may panic while it reads a damaged one. */
const hasPanicked = (said) =>
  said.split('\n').some((line) => /panicked|a panic/.test(line) && !/sled|fjall|lsm-tree/.test(line));

/** Runs one way on a copy; answers what is wrong, or nothing. */
async function run([name, may, damage], whole, old) {
  const folder = mkdtempSync(join(tmpdir(), 'tuckbox-fault-'));
  try {
    cpSync(whole, folder, { recursive: true });
    damage(folder, random, old);
    const server = await start(folder);
    try {
      if (server.hangs) return 'the start hangs';
      if (hasPanicked(server.said())) return `a panic: ${server.said().slice(-600)}`;
      if (server.refused !== undefined) {
        const words = server.said().trim().split('\n').at(-1) ?? '';
        if (!may.includes('refuse')) return `refused, and nothing was lost: ${words}`;
        return /^tuckbox: .{40,}/.test(words) ? '' : `refused without saying what to do: ${words}`;
      }
      const wrong = await lacking(server.origin);
      if (wrong.length > 0) return `serves less than was acknowledged: ${wrong.join('; ')}`;
      return '';
    } finally {
      if (server.refused === undefined && !server.hangs) await server.stop();
    }
  } catch (error) {
    return `${name}: ${error.message}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder that was served, with an older copy of it; both stopped. */
async function prepare() {
  const root = mkdtempSync(join(tmpdir(), 'tuckbox-faults-'));
  const [whole, old] = [join(root, 'whole'), join(root, 'old')];
  mkdirSync(whole);
  const first = await start(whole);
  await upload(first.origin);
  await write(first.origin, 0, DOCUMENTS / 2);
  await first.stop();
  cpSync(whole, old, { recursive: true });
  const second = await start(whole);
  await write(second.origin, DOCUMENTS / 2, DOCUMENTS);
  const wrong = await lacking(second.origin);
  if (wrong.length > 0) throw new Error(`before any damage: ${wrong.join('; ')}`);
  await second.stop();
  return { root, whole, old };
}

/** A stored file with a flipped bit must never be sent to its end. */
async function damagedFile(whole) {
  const folder = mkdtempSync(join(tmpdir(), 'tuckbox-fault-'));
  cpSync(whole, folder, { recursive: true });
  const blobs = join(folder, 'files', 'blobs');
  for (const shard of readdirSync(blobs)) {
    for (const name of readdirSync(join(blobs, shard))) {
      const file = join(blobs, shard, name);
      const bytes = readFileSync(file);
      bytes[Math.floor(random() * bytes.length)] ^= 4;
      writeFileSync(file, bytes);
    }
  }
  const server = await start(folder);
  try {
    const reply = await fetch(`${fileUrl(server.origin)}?alt=media`, { headers: HEAD });
    const bytes = reply.ok ? await reply.arrayBuffer().catch(() => undefined) : undefined;
    return bytes === undefined ? '' : 'a damaged file was sent to its end';
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

let [passed, failed] = [0, 0];
const tell = (name, wrong, ms) => {
  if (wrong === '') passed++;
  else failed++;
  console.log(
    `${wrong === '' ? 'ok  ' : 'FAIL'}  ${name} (${ms} ms)${wrong === '' ? '' : `\n      ${wrong}`}`,
  );
};
console.log(`seed ${seed}`);
for (let round = 0; round < Number(values.rounds); round++) {
  const view = values.view ?? VIEWS[(seed + round) % VIEWS.length];
  chooseView(view);
  console.log(`round ${round + 1}, the view in ${view}`);
  const { root, whole, old } = await prepare();
  try {
    for (const way of WAYS.filter(([name]) => name.includes(values.only))) {
      const begun = Date.now();
      tell(way[0], await run(way, whole, old), Date.now() - begun);
    }
    for (const [name, check] of [['files: a bit is flipped', () => damagedFile(whole)], ...LIVE]) {
      if (!name.includes(values.only)) continue;
      const begun = Date.now();
      const wrong = await check(random).catch((error) => error.message);
      if (wrong === SKIPPED) console.log(`skip  ${name}`);
      else tell(name, wrong, Date.now() - begun);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
