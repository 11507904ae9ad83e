// Playtest tables in play, from outside: `node suites/bench/table-play.mjs [--json FILE] [--tables 250] [--rate 1] [--seconds 10]
// [--kills 20]`. TUCKBOX_BIN is the release build. The load runs on the same machine, so that figures are those of both.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../shared/free-port.mjs';
import { TARGET } from '../shared/program.mjs';
import { endAll, memory, start, stop } from './processes.mjs';
import { TableSocket } from './table-socket.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    tables: { type: 'string', default: '250' },
    rate: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
    kills: { type: 'string', default: '20' },
  },
});
const BINARY = process.env.TUCKBOX_BIN ?? path.join(TARGET, 'release/tuckbox');
const [TABLES, RATE, SECONDS, KILLS] = [options.tables, options.rate, options.seconds, options.kills].map(
  Number,
);
const PROJECT = 'demo-bench';
const SEATS = 4;
/** Tables of one owner, below the server's limit. */
const TABLES_OF_OWNER = 18;
/** Pieces of the table that is joined. */
const MANY_PIECES = 1_990;
/** Time within which everybody is back after a crash, in milliseconds. */
const BACK_MS = 2_000;
/** Clock ticks a second of `/proc`. */
const TICKS = 100;

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-table-play-'));
const [lines, results] = [
  [],
  { machine: { cores: availableParallelism(), load: loadavg().map((one) => Number(one.toFixed(1))) } },
];
process.once('exit', () => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An unsigned token, which an emulator takes. */
const token = (uid) => `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: uid, name: uid })}.`;

async function call(name, data, uid) {
  const reply = await fetch(`${origin}/us-central1-${PROJECT}/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token(uid)}` },
    body: JSON.stringify({ data }),
  });
  const { result, error } = await reply.json();
  if (error) throw new Error(`${name}: ${error.message}`);
  return result;
}

/** A project of an owner with players, as the server's functions would make it. */
async function putProject(id, owner, players) {
  const members = Object.fromEntries(
    [[owner, 'owner'], ...players.map((one) => [one, 'playtester'])].map(([uid, role]) => [
      uid,
      { stringValue: role },
    ]),
  );
  const fields = {
    name: { stringValue: id },
    owner: { stringValue: owner },
    members: { mapValue: { fields: members } },
  };
  const reply = await fetch(`${origin}/v1/projects/${PROJECT}/databases/(default)/documents/projects/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
    body: JSON.stringify({ fields }),
  });
  if (!reply.ok) throw new Error(`the project was refused: ${await reply.text()}`);
}

const setUp = (places) => ({ steps: places.map((place) => ({ do: 'place', ...place })) });

async function openTable(project, owner, pieces) {
  const box = {
    backs: [{ look: '{}', kind: 'token', size: [200, 200] }],
    definitions: [{ face: JSON.stringify({ name: 'Token' }), back: 0, copies: pieces }],
    sets: [{ name: 'All', members: [0] }],
  };
  const seats = Array.from({ length: SEATS }, (_, no) => ({ name: `Seat ${no}` }));
  const { table } = await call('openTable', { projectId: project, name: 'Bench', box, seats }, owner);
  const steps = setUp([{ place: { set: 0 }, to: { at: { surface: 0, x: 0, y: 0 } }, face: 'up' }]);
  const act = async (act) => {
    const { messages } = await call('actAtTable', { table, act: { c: 1, ...act } }, owner);
    const refused = messages.find((message) => 'no' in message);
    if (refused) throw new Error(refused.say);
  };
  await act({ verb: 'edit', edit: { setup: { button: steps } } });
  await act({ verb: 'restore', to: 'setup' });
  return table;
}

const serve = () =>
  start(
    BINARY,
    [
      'serve',
      '--project',
      PROJECT,
      '--mode',
      'emulator',
      '--port',
      String(port),
      '--data',
      path.join(folder, 'data'),
    ],
    folder,
    async () => (await fetch(`${origin}/`)).status > 0,
  );

function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
}

const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const tell = (name, value, goal) => lines.push([name, value, goal]);

/** Waits until `is` holds for what a socket is told. */
async function until(is, what) {
  const ends = performance.now() + 60_000;
  while (!is()) {
    if (performance.now() > ends) throw new Error(`not within a minute: ${what}`);
    await pause(5);
  }
}

/** A table with somebody on each seat. */
async function seated(project, owner, players, pieces, heard) {
  const table = await openTable(project, owner, pieces);
  const sockets = [];
  for (const [seat, uid] of [owner, ...players].entries()) {
    const socket = await TableSocket.open(port, table, token(uid), (...told) => heard(seat, ...told));
    await until(() => socket.n > 0, 'a state');
    if (seat > 0) {
      socket.send({ act: { c: 1, verb: 'claim', as: seat, name: uid } });
      await until(() => socket.seat === seat, 'a seat');
    }
    sockets.push(socket);
  }
  return { table, sockets };
}

/** Acts from one seat to another: time, bytes, and the server's processor time. */
async function play(pid) {
  const sent = new Map();
  const [times, bytes] = [[], []];
  const tables = [];
  for (let at = 0; at < TABLES; at += 1) {
    const nth = Math.floor(at / TABLES_OF_OWNER);
    const [owner, project] = [`owner${nth}`, `p${nth}`];
    const players = [1, 2, 3].map((seat) => `player${nth}-${seat}`);
    if (at % TABLES_OF_OWNER === 0) await putProject(project, owner, players);
    const { sockets } = await seated(project, owner, players, 12, (seat, message, size) => {
      if (message.verb !== 'move' || message.by === seat) return;
      const x = Object.values(message.put ?? {})[0]?.[0];
      const begun = sent.get(`${at} ${x}`);
      if (begun === undefined) return;
      times.push(performance.now() - begun);
      bytes.push(size);
    });
    tables.push(sockets);
  }
  const mib = memory(pid).mib;
  let c = 10;
  const before = cpuMs(pid);
  const begun = performance.now();
  const timers = tables.flatMap((sockets, at) =>
    sockets.map((socket) =>
      setInterval(
        () => {
          c += 1;
          const x = c % 90_000;
          const [handle] = socket.pieces.keys();
          sent.set(`${at} ${x}`, performance.now());
          socket.send({ act: { c, verb: 'move', pieces: [handle], to: { surface: 0, x, y: 0 } } });
        },
        (1_000 / RATE) * (0.9 + Math.random() * 0.2),
      ),
    ),
  );
  await pause(SECONDS * 1_000);
  timers.forEach(clearInterval);
  const [took, cpu] = [(performance.now() - begun) / 1_000, cpuMs(pid) - before];
  await pause(1_000);
  const acts = times.length / (SEATS - 1);
  times.sort((a, b) => a - b);
  const ms = Object.fromEntries(
    [0.5, 0.95, 0.99].map((share) => [`p${share * 100}`, quantile(times, share)]),
  );
  results.play = {
    tables: TABLES,
    seats: SEATS,
    actsPerSecond: acts / took,
    ms,
    cpuMsPerAct: cpu / acts,
    bytesPerMove: bytes.reduce((sum, one) => sum + one, 0) / bytes.length,
    mib,
    mibPerTable: mib / TABLES,
  };
  const shown = [ms.p50, ms.p95, ms.p99].map((one) => one.toFixed(1)).join(' / ');
  tell(
    `act to another seat, ${TABLES} tables × ${SEATS}, ${(acts / took).toFixed(0)}/s`,
    `p50 / p95 / p99 ${shown} ms`,
    '2 / 10 / 30 ms',
  );
  tell('processor time of the server for an act', `${(cpu / acts).toFixed(2)} ms`, '0.35 ms');
  tell('a move, for each other seat', `${results.play.bytesPerMove.toFixed(0)} bytes`, '120 bytes');
  tell(
    'memory of the server for a table',
    `${results.play.mibPerTable.toFixed(2)} MiB, all of it counted`,
    '1 MiB',
  );
  for (const socket of tables.flat()) socket.socket.destroy();
}

/** Bytes that somebody is sent who joins a large table. */
async function join() {
  await putProject('large', 'large', []);
  const table = await openTable('large', 'large', MANY_PIECES);
  let size = 0;
  const socket = await TableSocket.open(port, table, token('large'), (message, bytes) => {
    if (message.state) size = bytes;
  });
  await until(() => size > 0, 'a large state');
  results.join = { pieces: socket.pieces.size, bytes: size };
  tell(`joining a table of ${socket.pieces.size} pieces`, `${(size / 1_000).toFixed(1)} kB`, '60 kB');
  socket.socket.destroy();
}

/** The server is killed while four seats play. */
async function kills(first) {
  let child = first;
  await putProject('crash', 'crash', ['c1', 'c2', 'c3']);
  const people = ['crash', 'c1', 'c2', 'c3'];
  let { table, sockets } = await seated('crash', 'crash', people.slice(1), 12, () => undefined);
  let [lost, slow, longest, acts] = [0, 0, 0, 0];
  for (let round = 0; round < KILLS; round += 1) {
    const timers = sockets.map((socket, seat) =>
      setInterval(() => {
        acts += 1;
        const [handle] = socket.pieces.keys();
        socket.send({
          act: {
            c: acts + 100,
            verb: 'move',
            pieces: [handle],
            to: { surface: 0, x: acts % 90_000, y: seat },
          },
        });
      }, 25),
    );
    await pause(200 + Math.random() * 300);
    child.kill('SIGKILL');
    await once(child, 'exit');
    timers.forEach(clearInterval);
    const seen = Math.max(...sockets.map(({ n }) => n));
    ({ child } = await serve());
    const up = performance.now();
    const back = await Promise.all(
      people.map((uid) => TableSocket.open(port, table, token(uid), () => undefined)),
    );
    await until(() => back.every((socket) => socket.n > 0), 'everybody back');
    const ms = performance.now() - up;
    longest = Math.max(longest, ms);
    if (ms > BACK_MS) slow += 1;
    if (back.some(({ n }) => n < seen)) lost += 1;
    sockets = back;
  }
  results.kills = { rounds: KILLS, acts, lost, slow, longestMs: longest };
  tell(
    `${KILLS} × kill -9 in the middle of ${acts} acts`,
    `${lost} lost what was shown, longest way back ${longest.toFixed(0)} ms`,
    '0, 2,000 ms',
  );
  return child;
}

let { child } = await serve();
await join();
await play(child.pid);
child = await kills(child);
await stop(child);
results.machine.loadAfter = loadavg().map((one) => Number(one.toFixed(1)));
lines.push([
  `load of the machine, ${results.machine.cores} cores`,
  `${results.machine.load[0]} before, ${results.machine.loadAfter[0]} after`,
  '',
]);
const all = [['', 'measured', 'goal'], ...lines];
const widths = [0, 1, 2].map((at) => Math.max(...all.map((line) => line[at].length)));
for (const line of all)
  console.log(
    line
      .map((text, at) => text.padEnd(widths[at]))
      .join('  ')
      .trimEnd(),
  );
if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 2));
process.exit(0);
