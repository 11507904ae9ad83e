/** Builds and starts the in-memory server on a free port. */

import { execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../..');

/** Answers `{ host, port, stop }`. `FIRESTORE=HOST:PORT` names a server that is already there. */
export async function startServer() {
  if (process.env.FIRESTORE) {
    const [host, port] = process.env.FIRESTORE.split(':');
    return { host, port: Number(port), stop: () => {} };
  }
  execFileSync('cargo', ['build', '--quiet', '-p', 'docstore', '--example', 'serve_documents'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const target = process.env.CARGO_TARGET_DIR ?? resolve(ROOT, 'target');
  const child = spawn(resolve(target, 'debug/examples/serve_documents'), [], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await new Promise((done, failed) => {
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^listening on (.+):(\d+)$/.exec(line);
      if (found) done({ host: found[1], port: Number(found[2]) });
    });
  });
  return { ...address, stop: () => child.kill('SIGTERM') };
}
