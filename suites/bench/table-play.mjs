// Playtest tables in play, from outside: `node suites/bench/table-play.mjs [--json FILE] [--section NAME …]`, each a section
// of `SECTIONS`: [--tables 250] [--rate 1] [--seconds 10] [--kills 20] [--many 1000] [--many-rate 1700] [--asleep 10000].
// [--cache-mib N] gives the store's page cache so much, so that memory of tables is told from the cache's.
// TUCKBOX_BIN is the release build. The load runs on the same machine, so that figures are those of both.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { stop } from './processes.mjs';
import { asleep, cursorsOfSix, manyResults } from './table-many.mjs';
import { pause, quantiles, TableServer, token, until } from './table-server.mjs';
import { TableSocket } from './table-socket.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    section: { type: 'string', multiple: true },
    tables: { type: 'string', default: '250' },
    rate: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
    kills: { type: 'string', default: '20' },
    many: { type: 'string', default: '1000' },
    'many-rate': { type: 'string', default: '1700' },
    asleep: { type: 'string', default: '10000' },
    'cache-mib': { type: 'string' },
  },
});
const [TABLES, RATE, SECONDS, KILLS] = [options.tables, options.rate, options.seconds, options.kills].map(
  Number,
);
const SEATS = 4;
/** Pieces of the table that is joined. */
const MANY_PIECES = 1_990;
/** Time within which everybody is back after a crash, in milliseconds. */
const BACK_MS = 2_000;

const load = () => loadavg().map((one) => Number(one.toFixed(1)));
const lines = [];
const results = { machine: { cores: availableParallelism(), load: load() } };
/** Notes a line of the table, and says it at once: later sections take minutes. */
const tell = (name, value, goal) => {
  lines.push([name, value, goal]);
  console.error(`${name}: ${value}`);
};
const server = await TableServer.make(options['cache-mib'] && Number(options['cache-mib']));

/** Acts from one seat to another: time, bytes, and the server's processor time. */
async function play() {
  const sent = new Map();
  const [times, bytes] = [[], []];
  const empty = server.mib();
  const tables = await server.forTables('play', TABLES, SEATS - 1, async (at, project, owner, players) => {
    const heard = (seat, message, size) => {
      if (message.verb !== 'move' || message.by === seat) return;
      const x = Object.values(message.put ?? {})[0]?.[0];
      const begun = sent.get(`${at} ${x}`);
      if (begun === undefined) return;
      times.push(performance.now() - begun);
      bytes.push(size);
    };
    return (await server.seated(project, owner, players, 12, heard)).sockets;
  });
  const mib = server.mib() - empty;
  let c = 10;
  const before = server.cpuMs();
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
  const [took, cpu] = [(performance.now() - begun) / 1_000, server.cpuMs() - before];
  await pause(1_000);
  const acts = times.length / (SEATS - 1);
  const ms = quantiles(times);
  const bytesPerMove = bytes.reduce((sum, one) => sum + one, 0) / bytes.length;
  const shown = [ms.p50, ms.p95, ms.p99].map((one) => one.toFixed(1)).join(' / ');
  tell(
    `act to another seat, ${TABLES} tables × ${SEATS}, ${(acts / took).toFixed(0)}/s`,
    `p50 / p95 / p99 ${shown} ms`,
    '2 / 10 / 30 ms',
  );
  tell('processor time of the server for an act', `${(cpu / acts).toFixed(2)} ms`, '0.35 ms');
  tell('a move, for each other seat', `${bytesPerMove.toFixed(0)} bytes`, '120 bytes');
  tell('memory that each of these tables adds', `${(mib / TABLES).toFixed(2)} MiB`, '1 MiB');
  for (const socket of tables.flat()) socket.socket.destroy();
  return {
    tables: TABLES,
    seats: SEATS,
    actsPerSecond: acts / took,
    ms,
    cpuMsPerAct: cpu / acts,
    bytesPerMove,
    mib,
    mibPerTable: mib / TABLES,
  };
}

/** Bytes that somebody is sent who joins a large table. */
async function join() {
  await server.putProject('large', 'large', []);
  const table = await server.openTable('large', 'large', MANY_PIECES);
  let size = 0;
  const socket = await server.enter(table, 'large', (message, bytes) => {
    if (message.state) size = bytes;
  });
  tell(`joining a table of ${socket.pieces.size} pieces`, `${(size / 1_000).toFixed(1)} kB`, '60 kB');
  socket.socket.destroy();
  return { pieces: socket.pieces.size, bytes: size };
}

/** The server is killed while four seats play. */
async function kills() {
  await server.putProject('crash', 'crash', ['c1', 'c2', 'c3']);
  const people = ['crash', 'c1', 'c2', 'c3'];
  let { table, sockets } = await server.seated('crash', 'crash', people.slice(1), 12, () => undefined);
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
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    timers.forEach(clearInterval);
    const seen = Math.max(...sockets.map(({ n }) => n));
    await server.serve();
    const up = performance.now();
    const back = await Promise.all(
      people.map((uid) => TableSocket.open(server.port, table, token(uid), () => undefined)),
    );
    await until(() => back.every((socket) => socket.n > 0), 'everybody back');
    const ms = performance.now() - up;
    longest = Math.max(longest, ms);
    if (ms > BACK_MS) slow += 1;
    if (back.some(({ n }) => n < seen)) lost += 1;
    sockets = back;
  }
  tell(
    `${KILLS} × kill -9 in the middle of ${acts} acts`,
    `${lost} lost what was shown, longest way back ${longest.toFixed(0)} ms`,
    '0, 2,000 ms',
  );
  return { rounds: KILLS, acts, lost, slow, longestMs: longest };
}

async function six() {
  const found = await cursorsOfSix(server, SECONDS);
  tell('cursors of six, for each seat', `${(found.bytesPerSecond / 1_000).toFixed(2)} kB/s`, '2 kB/s');
  return found;
}

function many() {
  return manyResults(
    server,
    { many: Number(options.many), rate: Number(options['many-rate']), seconds: SECONDS },
    tell,
  );
}

/** Last: it goes on in a folder of its own. */
async function sleeping() {
  const found = await asleep(server, Number(options.asleep));
  const { p50, p95 } = found.ms;
  tell(
    `memory of the server with ${found.tables} tables asleep`,
    `${found.with.toFixed(0)} MiB; without them ${found.without.toFixed(0)} MiB`,
    '+0 MiB',
  );
  tell(`${found.woken} of them wake`, `p50 / p95 ${p50.toFixed(1)} / ${p95.toFixed(1)} ms`, '100 ms');
  return found;
}

const SECTIONS = { join, play, cursors: six, many, kills, asleep: sleeping };
const chosen = options.section ?? Object.keys(SECTIONS);
const unknown = chosen.find((name) => !(name in SECTIONS));
if (unknown) {
  console.error(`error: there is no section '${unknown}'; there are ${Object.keys(SECTIONS).join(', ')}`);
  process.exit(2);
}
await server.serve();
for (const name of Object.keys(SECTIONS).filter((one) => chosen.includes(one)))
  results[name] = await SECTIONS[name]();
await stop(server.child);
results.machine.loadAfter = load();
const { cores, load: begun, loadAfter } = results.machine;
lines.push([`load of the machine, ${cores} cores`, `${begun[0]} before, ${loadAfter[0]} after`, '']);
const all = [['', 'measured', 'goal'], ...lines];
const widths = [0, 1, 2].map((at) => Math.max(...all.map((line) => line[at].length)));
for (const line of all) {
  const cells = line.map((text, at) => text.padEnd(widths[at]));
  console.log(cells.join('  ').trimEnd());
}
if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 2));
process.exit(0);
