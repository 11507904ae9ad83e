// A thousand playtest tables, for `table-play.mjs`: acts as fast as they come, cursors that move, tables that sleep.
import { once } from 'node:events';
import { pause, quantiles } from './table-server.mjs';

/** Pieces of each table. */
const PIECES = 12;
/** Interval at which acts that are due are sent: many timers would be most of what is measured. */
const TICK_MS = 2;
/** Moves of a cursor a second, and the most that clients send. */
const [CURSOR_HZ, FAST_CURSOR_HZ] = [10, 20];
/** Acts a second of a table where a cursor moves. */
const CALM_ACTS = 0.5;
/** People at the table whose cursors all move. */
const MANY_SEATS = 6;
/** Time within which the last act is shown, in milliseconds. */
const SHOWN_MS = 3_000;
/** Sleeping tables that are woken one after the other. */
const WOKEN = 200;

/** Calls `send` so many times a second for some seconds. Answers the seconds it took. */
async function evenly(aSecond, seconds, send) {
  const begun = performance.now();
  let sent = 0;
  for (let now = begun; now - begun < seconds * 1_000; now = performance.now()) {
    for (const due = ((now - begun) / 1_000) * aSecond; sent < due; sent += 1) send(sent);
    await pause(TICK_MS);
  }
  return (performance.now() - begun) / 1_000;
}

/** Processor time of the server and of this process while something goes on, as shares of a core. */
async function shares(server, work) {
  const [before, own] = [server.cpuMs(), process.cpuUsage()];
  const seconds = await work();
  const { user, system } = process.cpuUsage(own);
  return {
    seconds,
    server: (server.cpuMs() - before) / 1_000 / seconds,
    load: (user + system) / 1e6 / seconds,
    cpuMs: server.cpuMs() - before,
  };
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** Tables with four people each. Sockets hand their frames over unread: reading all of them is work of the load. */
export async function openMany(server, count) {
  const before = server.mib();
  const tables = await server.forTables('many', count, 3, async (_, project, owner, players) => {
    const { sockets } = await server.seated(project, owner, players, PIECES, () => undefined);
    const [piece] = sockets[0].pieces.keys();
    return { sockets, pieces: sockets.map(({ pieces }) => [...pieces.keys()][0] ?? piece) };
  });
  return { tables, mibPerTable: (server.mib() - before) / count };
}

const move = (piece, c, x) => ({
  act: { c, verb: 'move', pieces: [piece], to: { surface: 0, x, y: 0 } },
});

/** The position in a frame that says that a piece was moved. */
const movedTo = (payload) => {
  const found = /"put":\{"[^"]+":\[(-?\d+)/.exec(payload.toString('latin1'));
  return found ? Number(found[1]) : undefined;
};

/** Acts at all tables in turn, and the time until the next seat has them. */
export async function acts(server, tables, aSecond, seconds) {
  const times = [];
  // By table: acts on their way, by the position that they move to.
  const sent = tables.map(() => new Map());
  let counted = 0;
  for (const [at, { sockets }] of tables.entries()) {
    for (const [seat, socket] of sockets.entries()) {
      socket.unread = (payload) => {
        counted += 1;
        if (sent[at].size === 0) return;
        const x = movedTo(payload);
        const due = sent[at].get(x);
        // One reader is enough: the seat after the one that acts.
        if (due?.reader !== seat) return;
        times.push(performance.now() - due.begun);
        sent[at].delete(x);
      };
    }
  }
  const spent = await shares(server, () =>
    evenly(aSecond, seconds, (nth) => {
      const at = nth % tables.length;
      const seat = Math.floor(nth / tables.length) % tables[at].sockets.length;
      const x = 1 + (nth % 90_000);
      sent[at].set(x, { begun: performance.now(), reader: (seat + 1) % tables[at].sockets.length });
      tables[at].sockets[seat].send(move(tables[at].pieces[seat], nth + 10, x));
    }),
  );
  await pause(SHOWN_MS);
  for (const { sockets } of tables) for (const socket of sockets) socket.unread = undefined;
  const lost = sent.reduce((sum, due) => sum + due.size, 0);
  if (lost > 0) throw new Error(`${lost} acts were not shown within ${SHOWN_MS} ms`);
  return { actsPerSecond: times.length / spent.seconds, ms: quantiles(times), frames: counted, ...spent };
}

/** One cursor moves at each table, and somebody acts now and then. */
export async function cursors(server, tables, seconds) {
  let frames = 0;
  for (const { sockets } of tables) {
    for (const socket of sockets) {
      socket.unread = () => {
        frames += 1;
      };
    }
  }
  const one = JSON.stringify({ at: [0, 0] });
  const spent = await shares(server, async () => {
    const [took] = await Promise.all([
      evenly(CURSOR_HZ * tables.length, seconds, (nth) => {
        const at = nth % tables.length;
        tables[at].sockets[0].sendText(one.replace('0,0', `${nth % 9_000},${nth % 7_000}`));
      }),
      evenly(CALM_ACTS * tables.length, seconds, (nth) => {
        const at = (7 * nth) % tables.length;
        tables[at].sockets[1].send(move(tables[at].pieces[1], nth + 1_000_000, 1 + (nth % 90_000)));
      }),
    ]);
    return took;
  });
  for (const { sockets } of tables) for (const socket of sockets) socket.unread = undefined;
  return { frames, ...spent };
}

/** Bytes a second that each of six people is sent while the cursors of all of them move. */
export async function cursorsOfSix(server, seconds) {
  const players = Array.from({ length: MANY_SEATS - 1 }, (_, no) => `six-${no + 1}`);
  await server.putProject('six', 'six', players);
  let bytes = 0;
  const { sockets } = await server.seated('six', 'six', players, PIECES, (_, message, size) => {
    if ('pointers' in message) bytes += size;
  });
  bytes = 0;
  const took = await evenly(FAST_CURSOR_HZ * MANY_SEATS, seconds, (nth) => {
    const at = [(nth * 37) % 9_000, -((nth * 53) % 7_000)];
    sockets[nth % MANY_SEATS].send({ at });
  });
  for (const { socket } of sockets) socket.destroy();
  return { bytesPerSecond: bytes / MANY_SEATS / took };
}

/** Tables where nobody is: memory of a server that has them beside one without, and the time in which they wake. */
export async function asleep(server, count) {
  await restart(server, 'empty');
  // Both have served somebody at a table.
  await server.putProject('first', 'first', []);
  const first = await server.openTable('first', 'first', PIECES);
  await restart(server, 'empty');
  (await server.enter(first, 'first', () => undefined)).socket.destroy();
  const without = server.mib();
  const tables = await server.forTables('asleep', count, 0, async (_, project, owner) => ({
    table: await server.openTable(project, owner, PIECES),
    owner,
  }));
  await restart(server, 'empty');
  (await server.enter(first, 'first', () => undefined)).socket.destroy();
  const withThem = server.mib();
  const times = [];
  for (let nth = 0; nth < Math.min(WOKEN, count); nth += 1) {
    const { table, owner } = tables[Math.floor((nth * count) / WOKEN) % count];
    const begun = performance.now();
    const socket = await server.enterAtOnce(table, owner);
    times.push(performance.now() - begun);
    socket.socket.destroy();
  }
  return { tables: count, without, with: withThem, ms: quantiles(times), woken: times.length };
}

async function restart(server, data) {
  server.child.kill('SIGTERM');
  await once(server.child, 'exit');
  await server.serve(data);
}

/** Figures of a thousand tables as lines of the report: name, measured, goal. */
export async function manyResults(server, { many, rate, seconds }, tell) {
  const { tables, mibPerTable } = await openMany(server, many);
  tell(`memory that each of ${many} tables with four people adds`, `${mibPerTable.toFixed(2)} MiB`, '1 MiB');
  const acting = await acts(server, tables, rate, seconds);
  const shown = [acting.ms.p50, acting.ms.p95, acting.ms.p99].map((one) => one.toFixed(1)).join(' / ');
  tell(
    `act to another seat, ${many} tables × 4, ${acting.actsPerSecond.toFixed(0)}/s`,
    `p50 / p95 / p99 ${shown} ms`,
    '- / 40 / - ms',
  );
  tell(
    'processor of the server meanwhile, and of the load',
    `${percent(acting.server)}, ${percent(acting.load)} of a core; ${(acting.cpuMs / (acting.actsPerSecond * acting.seconds)).toFixed(2)} ms an act`,
    '0.35 ms an act',
  );
  const calm = await cursors(server, tables, seconds);
  tell(
    `processor of the server, ${many} tables, ${CALM_ACTS} acts/s and a cursor at ${CURSOR_HZ} Hz`,
    `${percent(calm.server)} of a core; of the load ${percent(calm.load)}; ${(calm.frames / calm.seconds).toFixed(0)} frames/s`,
    '60 %',
  );
  for (const { sockets } of tables) for (const { socket } of sockets) socket.destroy();
  return { tables: many, mibPerTable, acting, calm };
}
