// Programs that a benchmark starts: how soon they answer, how much memory they and their children hold, and their end.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Time limit for a program's first answer, in milliseconds. */
const START_LIMIT_MS = 90_000;
/** Time limit for a program to end when asked, in milliseconds. */
const STOP_LIMIT_MS = 10_000;
/** Interval between probes of a starting program, in milliseconds. */
const ASK_EVERY_MS = 2;
/** Most of its output that is kept to tell why it did not start, in characters. */
const KEPT_OUTPUT = 20_000;

/** Those that run. */
const running = new Set();

/** A process and all its children, by `/proc`. */
function tree(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
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
export function memory(pid) {
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

/** Starts a program; resolves when `probe` first succeeds, with how long that took from the start of the process. */
export async function start(command, args, folder, probe, env = process.env) {
  const started = performance.now();
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      said = (said + data).slice(-KEPT_OUTPUT);
    });
  }
  let ended = false;
  running.add(child);
  const over = () => {
    ended = true;
    running.delete(child);
  };
  child.once('exit', over).once('error', over);
  for (;;) {
    if (await probe().catch(() => false)) return { child, ms: performance.now() - started };
    const late = performance.now() - started > START_LIMIT_MS;
    if (ended || late) {
      if (!ended) await stop(child);
      const error = new Error(late ? `no answer within ${START_LIMIT_MS / 1_000} s` : 'it ended');
      throw Object.assign(error, { said });
    }
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
  }
}

function endNow(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Ends a program and whatever children it leaves. */
export async function stop(child) {
  const all = tree(child.pid);
  const gone = new Promise((done) => child.once('exit', done));
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    await gone;
    clearTimeout(limit);
  }
  for (const pid of all.filter((one) => one !== child.pid)) endNow(pid);
}

/** Ends all of them at once. */
export function endAll() {
  for (const child of running) for (const pid of tree(child.pid).reverse()) endNow(pid);
}
