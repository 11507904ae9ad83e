/** Faults of a working server. Each answers what is wrong, nothing if all is well, or `SKIPPED`. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { changeTimes, lacking, start, upload, write } from './server.mjs';

/** This machine does not allow it. */
export const SKIPPED = 'skipped';
/** Wait for a server to recover by itself, in milliseconds. */
const GO_ON_MS = 60_000;

async function inFolder(run) {
  const folder = mkdtempSync(join(tmpdir(), 'tuckbox-live-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes until something happens; answers how many documents were acknowledged. */
async function writeUntil(origin, happens) {
  let count = 0;
  const writing = write(origin, 0, 1_000_000, (to) => {
    count = to;
  }).catch(() => undefined);
  await happens(() => count);
  await writing;
  return count;
}

/** Waits until a number is reached. */
async function reached(count, least) {
  const until = Date.now() + GO_ON_MS;
  while (count() < least) {
    if (Date.now() > until) throw new Error(`no more is acknowledged than ${count()} of ${least}`);
    await new Promise((done) => setImmediate(done));
  }
}

async function servesAll(folder, count) {
  const server = await start(folder);
  if (server.refused !== undefined || server.hangs)
    return `the next start refuses: ${server.said().slice(-400)}`;
  try {
    return (await lacking(server.origin, count)).join('; ');
  } finally {
    await server.stop();
  }
}

/** kill -9 while it writes. */
const killed = (random) =>
  inFolder(async (folder) => {
    const server = await start(folder);
    await upload(server.origin);
    const count = await writeUntil(server.origin, async (now) => {
      await reached(now, 200 + Math.floor(random() * 4_000));
      await server.stop('SIGKILL');
    });
    return servesAll(folder, count);
  });

/** The lock of the folder, and the operator's socket, which cannot be copied. */
const NOT_COPIED = ['tuckbox.lock', 'control.sock'];

/** A copy that is made while it writes opens whole, up to where it was begun, or is refused. */
const copied = () =>
  inFolder(async (folder) => {
    const copy = mkdtempSync(join(tmpdir(), 'tuckbox-copy-'));
    const server = await start(folder);
    try {
      await upload(server.origin);
      let before = 0;
      await writeUntil(server.origin, async (now) => {
        await reached(now, 3_000);
        before = now();
        cpSync(folder, copy, { recursive: true, filter: (file) => !NOT_COPIED.includes(basename(file)) });
        await server.stop();
      });
      const second = await start(copy);
      if (second.refused !== undefined)
        return /^tuckbox: .{40,}/m.test(second.said()) ? '' : 'refused without words';
      try {
        return (await lacking(second.origin, before)).join('; ');
      } finally {
        await second.stop();
      }
    } finally {
      await server.stop();
      rmSync(copy, { recursive: true, force: true });
    }
  });

/** A second server on the folder is refused, and the first goes on. */
const twice = () =>
  inFolder(async (folder) => {
    const server = await start(folder);
    try {
      await upload(server.origin);
      const second = await start(folder);
      if (second.refused === undefined) {
        await second.stop();
        return 'two servers have one folder';
      }
      if (!second.said().includes(String(server.pid)))
        return 'the refusal does not say which process has the folder';
      await write(server.origin, 0, 200);
      return (await lacking(server.origin, 200)).join('; ');
    } finally {
      await server.stop();
    }
  });

/** Connections that strangers open and say nothing on, and how many of them they hold. */
const IDLE = 600;
const HELD = 40;
const connected = (socket) => new Promise((done) => socket.once('connect', done).once('error', done));

/** Few file handles, and strangers who hold connections open. */
const fewHandles = () =>
  inFolder(async (folder) => {
    const server = await start(folder, { handles: 512 });
    if (server.refused !== undefined) return `it does not start: ${server.said().slice(-300)}`;
    const port = Number(new URL(server.origin).port);
    const idle = Array.from({ length: IDLE }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    try {
      // Those that the listener has no room for wait; what connects is closed again, but a few.
      await Promise.race([Promise.all(idle.map(connected)), new Promise((done) => setTimeout(done, 1_500))]);
      for (const socket of idle.splice(0, IDLE - HELD)) socket.destroy();
      await upload(server.origin);
      await write(server.origin, 0, 12_000);
      return (await lacking(server.origin, 12_000)).join('; ');
    } finally {
      for (const socket of idle) socket.destroy();
      await server.stop();
    }
  });

/** It is stopped for a while, as a laptop that sleeps, and goes on. */
const asleep = () =>
  inFolder(async (folder) => {
    const server = await start(folder);
    await upload(server.origin);
    const count = await writeUntil(server.origin, async (now) => {
      await reached(now, 1_000);
      server.kill('SIGSTOP');
      await new Promise((done) => setTimeout(done, 2_000));
      server.kill('SIGCONT');
      const asleepAt = now();
      await reached(now, asleepAt + 400);
      await server.stop();
    });
    return servesAll(folder, count);
  });

/** Turns the server's clock by years, or with `undefined` back to the machine's. */
async function turnClock(origin, years) {
  const now = new Date();
  now.setUTCFullYear(now.getUTCFullYear() + (years ?? 0));
  const init = {
    method: years === undefined ? 'DELETE' : 'PUT',
    headers: { 'content-type': 'application/json' },
    body: years === undefined ? undefined : JSON.stringify({ now: now.toISOString(), stopped: false }),
  };
  const reply = await fetch(`${origin}/__/clock`, init);
  if (!reply.ok) throw new Error(`the clock: ${reply.status} ${await reply.text()}`);
}

/** Documents between two turns of the clock, more or less. */
const BETWEEN = 600;

/**
 * The clock is turned forth and back by years while it writes, and stands where the machine has it after the next start:
 * times of changes rise nevertheless, nothing is lost, and the start says that data are from the future.
 */
const turned = (random) =>
  inFolder(async (folder) => {
    let server = await start(folder);
    await upload(server.origin);
    const turns = [-15, 10, -1, 3, undefined].sort(() => random() - 0.5);
    let count = await writeUntil(server.origin, async (now) => {
      for (const years of turns) {
        await reached(now, now() + Math.floor(random() * BETWEEN));
        await turnClock(server.origin, years);
      }
      await reached(now, now() + BETWEEN);
      const wrong = await lacking(server.origin, now());
      await server.stop(random() < 0.5 ? 'SIGKILL' : 'SIGTERM');
      if (wrong.length > 0) throw new Error(`after the turns ${turns}: ${wrong.join('; ')}`);
    });
    server = await start(folder);
    if (server.refused !== undefined) return `the next start refuses: ${server.said().slice(-400)}`;
    try {
      if (!server.said().includes('the newest data is dated'))
        return 'nothing is said of data from the future';
      // Part of what was not acknowledged may be there; it is written again.
      await write(server.origin, count, count + BETWEEN);
      count += BETWEEN;
      const times = await changeTimes(server.origin);
      const back = times.findIndex((time, n) => n > 0 && time < times[n - 1]);
      if (back >= 0) return `document ${back} is dated before the one that was written before it`;
      return (await lacking(server.origin, count)).join('; ');
    } finally {
      await server.stop();
    }
  });

/** A disk that fills up refuses writes, still reads, and takes writes again when there is room. */
const full = () =>
  inFolder(async (folder) => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m', 'tmpfs', folder], { stdio: 'ignore' });
    } catch {
      return SKIPPED;
    }
    let server = await start(folder);
    try {
      await upload(server.origin);
      await write(server.origin, 0, 1_000);
      const free = statfsSync(folder);
      writeFileSync(join(folder, 'filler'), Buffer.alloc(free.bavail * free.bsize - 40 * 1024 * 1024));
      const refusal = await write(server.origin, 1_000, 60_000).then(
        () => '',
        (error) => error.message,
      );
      if (!/^429 .*full/s.test(refusal)) return `a full disk is answered with: ${refusal || 'success'}`;
      if ((await fetch(`${server.origin}/__/ready`)).status !== 503) return 'it is ready on a full disk';
      const wrong = await lacking(server.origin, 1_000);
      if (wrong.length > 0) return `on the full disk: ${wrong.join('; ')}`;
      await server.stop('SIGKILL');
      server = await start(folder);
      if (server.refused !== undefined)
        return `it does not start on a full disk: ${server.said().slice(-400)}`;
      const read = await lacking(server.origin, 1_000);
      if (read.length > 0) return `after a start on the full disk: ${read.join('; ')}`;
      rmSync(join(folder, 'filler'));
      const until = Date.now() + GO_ON_MS;
      for (;;) {
        const again = await write(server.origin, 1_000, 1_200).then(
          () => '',
          (error) => error.message,
        );
        if (again === '') break;
        if (Date.now() > until) return `it does not go on by itself: ${again}`;
        await new Promise((done) => setTimeout(done, 250));
      }
      return (await lacking(server.origin, 1_200)).join('; ');
    } finally {
      if (server.refused === undefined) await server.stop();
      execFileSync('umount', ['-l', folder]);
    }
  });

export const LIVE = [
  ['live: kill -9 while it writes', killed],
  ['live: a copy made while it writes', copied],
  ['live: a second server on the folder', twice],
  ['live: few file handles and idle connections', fewHandles],
  ['live: stopped and continued', asleep],
  ['live: the clock is turned forth and back', turned],
  ['live: the disk is full', full],
];
