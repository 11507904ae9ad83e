/** Builds and starts the server on a free port. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildExamples, example, startTuckbox } from '../shared/program.mjs';

/** Answers `{ host, port, stop }`, in memory. `FIRESTORE=HOST:PORT` names a server that is already there. */
export async function startServer() {
  if (process.env.FIRESTORE) {
    const [host, port] = process.env.FIRESTORE.split(':');
    return { host, port: Number(port), stop: () => {} };
  }
  buildExamples();
  return spawnServer();
}

/** Starts the whole program as it serves, in memory, for the project `demo-suite`; `folder` has its `firebase.json`. */
export async function spawnProgram(folder) {
  const args = ['serve', '--in-memory', '--project', 'demo-suite', '--host', '127.0.0.1', '--port', '0'];
  return startTuckbox(args, { cwd: folder });
}

/**
 * Starts the server that is built, on `port` (0 for a free one) and on the folder given, or in memory. `keep` is for
 * how many seconds it keeps old versions, `cache` how many bytes its cache may take.
 */
export async function spawnServer({ port = 0, folder, keep, cache } = {}) {
  const args = [port, folder, keep, cache].filter((value) => value !== undefined).map(String);
  const child = spawn(example('serve_documents'), args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return started(child);
}

/** Waits until the program says where it listens; answers `{ host, port, pid, stop }`. */
async function started(child) {
  const ended = new Promise((done) => child.once('exit', done));
  const address = await new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^listening on (.+):(\d+)$/.exec(line);
      if (found) done({ host: found[1], port: Number(found[2]) });
    });
  });
  const stop = (signal = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  return { ...address, pid: child.pid, stop };
}
