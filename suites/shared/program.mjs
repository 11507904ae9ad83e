/** The built server: where it is, and how to start it. */

import { execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The project's folder. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Cargo's target folder. */
export const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** The server's program: `TUCKBOX_BIN`, or the debug build. */
export const TUCKBOX = process.env.TUCKBOX_BIN ?? resolve(TARGET, 'debug/tuckbox');

/** The program of an example in the debug build. */
export const example = (name) => resolve(TARGET, 'debug/examples', name);

/** Builds all examples. With the features of the whole workspace, the dependencies are not compiled once more. */
export function buildExamples() {
  execFileSync('cargo', ['build', '--quiet', '--workspace', '--bins', '--examples', '--locked'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

const READY = /^Tuckbox is ready: (http:\/\/\S+?)\/?$/;
/** Last lines of the log that the error of a failed start repeats. */
const TOLD_LINES = 20;

/**
 * Starts the server's program in the folder `cwd` and waits until it is ready; `onLog` gets every line of its log.
 *
 * @returns `{ child, origin, port, stop }`; `stop` sends SIGTERM or the signal given, and resolves at the end of the process.
 */
export async function startTuckbox(args, { cwd, onLog } = {}) {
  const child = spawn(TUCKBOX, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((done) => child.once('exit', done));
  const last = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    onLog?.(line);
    last.push(line);
    if (last.length > TOLD_LINES) last.shift();
  });
  const origin = await new Promise((ready, failed) => {
    child.once('error', failed);
    child.once('exit', (code, signal) =>
      failed(new Error(`tuckbox ended with ${code ?? signal} before it was ready:\n${last.join('\n')}`)),
    );
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = READY.exec(line)?.[1];
      if (url !== undefined) ready(url);
    });
  });
  const stop = (signal = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return { child, origin, port: Number(new URL(origin).port), stop };
}
