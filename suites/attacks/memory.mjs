// Streams that nobody reads: what waits for them stays within the bound that all streams share.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { startTuckbox } from '../shared/program.mjs';
import { PROJECT, ROOT } from './world.mjs';

/** The definitions of the protocol, in the official package. */
const PROTOS = resolve(import.meta.dirname, '../node_modules/@google-cloud/firestore/build/protos');
const { Firestore } = loadPackageDefinition(
  loadSync('google/firestore/v1/firestore.proto', { includeDirs: [PROTOS] }),
).google.firestore.v1;

const STREAMS = 100;
const TARGETS = 100;
/** Characters of each version of the document that all targets are of, and versions: 4 GB for all streams together. */
const TEXT = 200_000;
const VERSIONS = 200;
/** Bytes that the server keeps for all streams together: its `STREAM_BYTES`. */
const BOUND = 128 * 1024 * 1024;
/** Past the bound each stream is given one message at a time. */
const MOST_WAITING = BOUND + STREAMS * (TEXT + 10_000);
/** Versions that are written before: more than the server remembers (64 MiB). */
const REMEMBERED = 400;
/** Growth of the server’s memory, in bytes. */
const MOST_MEMORY = 300 * 1024 * 1024;

/** A change of targets that says that they are complete. */
const CURRENT = 3;

/** Everybody reads and writes one document, as fast as they like; the metrics are for this machine. */
const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /site/state { allow get, write: if true; }
  }
}`;
const CONFIG = {
  firestore: { rules: 'firestore.rules' },
  tuckbox: {
    metrics: { allow: ['127.0.0.1'] },
    documents: { cacheMiB: 64, rates: { burstDocuments: 1_000_000, burstBytes: 1 << 30 } },
  },
};

/** Opens a stream with its targets and reads until all are current, and from then on nothing. */
function open(client) {
  const metadata = new Metadata();
  metadata.set('google-cloud-resource-prefix', `projects/${PROJECT}/databases/(default)`);
  const stream = client.listen(metadata);
  const current = new Set();
  const ready = new Promise((done, failed) => {
    stream.on('error', failed);
    stream.on('data', ({ targetChange }) => {
      if (targetChange?.targetChangeType === CURRENT)
        for (const id of targetChange.targetIds) current.add(id);
      if (current.size < TARGETS) return;
      stream.pause();
      done();
    });
  });
  for (let targetId = 1; targetId <= TARGETS; targetId++) {
    stream.write({
      database: `projects/${PROJECT}/databases/(default)`,
      addTarget: { targetId, documents: { documents: [`${ROOT}/site/state`] } },
    });
  }
  return { stream, ready };
}

async function write(origin, n) {
  const text = { stringValue: String(n).padEnd(TEXT, 'x') };
  const writes = [{ update: { name: `${ROOT}/site/state`, fields: { text } } }];
  const reply = await fetch(`${origin}/v1/${ROOT}:commit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ writes }),
  });
  assert.equal(reply.status, 200, await reply.text());
}

async function measured({ origin, child }) {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const waiting = /^tuckbox_stream_buffers_bytes (\d+)$/m.exec(metrics);
  assert.ok(waiting, `the metrics do not say what waits for streams:\n${metrics.slice(0, 2_000)}`);
  return { memory: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1_024, waiting: Number(waiting[1]) };
}

export function memoryAttacks(attack) {
  attack(
    'streams that are never read',
    `${STREAMS} of ${TARGETS} targets on one connection without an account`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'attack-memory-'));
      await writeFile(join(folder, 'firebase.json'), JSON.stringify(CONFIG));
      await writeFile(join(folder, 'firestore.rules'), RULES);
      const args = ['serve', '--data', 'data', '--project', PROJECT, '--host', '127.0.0.1', '--port', '0'];
      const server = await startTuckbox(args, { cwd: folder });
      // One connection, however many streams.
      const client = new Firestore(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
        'grpc.use_local_subchannel_pool': 1,
      });
      const streams = [];
      try {
        // Commits are remembered for a while, for transactions: that is not what is measured.
        for (let n = 0; n < REMEMBERED; n++) await write(server.origin, n);
        const before = await measured(server);
        for (let n = 0; n < STREAMS; n++) streams.push(open(client));
        await Promise.all(streams.map(({ ready }) => ready));
        // A stream that is cut off for not reading is an answer, too.
        for (const { stream } of streams) stream.removeAllListeners('error').on('error', () => undefined);
        const most = { memory: 0, waiting: 0 };
        for (let n = 1; n <= VERSIONS; n++) {
          await write(server.origin, n);
          const now = await measured(server);
          most.memory = Math.max(most.memory, now.memory - before.memory);
          most.waiting = Math.max(most.waiting, now.waiting);
        }
        const said = JSON.stringify(most);
        assert.ok(most.waiting > TEXT * 10, `hardly anything waits, so nothing was tried: ${said}`);
        assert.ok(most.waiting <= MOST_WAITING, said);
        assert.ok(most.memory <= MOST_MEMORY, said);
        if (process.env.ATTACKS_VERBOSE) console.log(`  at most ${said}`);
        // A stream that is read is served as ever.
        const reader = open(client);
        streams.push(reader);
        await reader.ready;
      } finally {
        for (const { stream } of streams)
          stream
            .removeAllListeners('error')
            .on('error', () => undefined)
            .cancel();
        client.close();
        await server.stop();
        await rm(folder, { recursive: true, force: true });
      }
    },
    { long: true },
  );
}
