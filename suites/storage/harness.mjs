// Starts the file server, counts tests, and ends with `N passed, N failed`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TARGET } from '../shared/program.mjs';
import { PROJECT, tests } from './common.mjs';

const BINARY = process.env.STORAGE_SERVER ?? join(TARGET, 'debug/examples/serve_files');

/**
 * Starts a server on any free port, on a folder of its own (or what STORAGE_SERVER_ARGS says); with the argument
 * `--s3` on an S3-compatible service over that folder.
 */
export async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'tuckbox-storage-'));
  const where = process.env.STORAGE_SERVER_ARGS?.split(' ') ?? [
    process.argv.includes('--s3') ? '--s3' : '--folder',
    folder,
  ];
  const child = spawn(BINARY, ['--project', PROJECT, '--user-bytes', String(12 * 1024 * 1024), ...where], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await new Promise((ready, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the server ended with ${code} before it was ready`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /^ready: (\S+)$/.exec(line)?.[1];
      if (url !== undefined) ready(url);
    });
  });
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  /** The server's resident memory, in MiB. */
  const memory = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  };
  return { origin, folder, memory, stop };
}

/** Runs every test, each on an empty server. */
export async function run(server) {
  let passed = 0;
  let failed = 0;
  for (const { name, body } of tests) {
    try {
      const reset = await fetch(`${server.origin}/internal/reset`, { method: 'POST' });
      assert.equal(reset.status, 200);
      if (process.env.STORAGE_SUITE_VERBOSE) console.error(name);
      await body();
      passed += 1;
    } catch (error) {
      failed += 1;
      console.error(`FAIL  ${name}\n${error?.stack ?? error}`);
    }
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0;
}
