/** The two servers that are compared, each as `{ name, documents, stop }`. */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../shared/free-port.mjs';
import { startTuckbox } from '../shared/program.mjs';

const JAR = '/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud-firestore-emulator.jar';
const MAIN = 'com.google.cloud.datastore.emulator.firestore.CloudFirestore';

export const PROJECT = 'demo-differential';
export const ROOT = `projects/${PROJECT}/databases/(default)/documents`;

export const googleIsHere = () =>
  existsSync(JAR) && spawnSync('java', ['-version'], { stdio: 'ignore' }).status === 0;

/** Starts a program and waits for the line of its output that `ready` matches. */
async function start(command, args, ready, cwd) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const last = [];
  await new Promise((done, failed) => {
    const line = (text) => {
      last.push(text);
      if (last.length > 20) last.shift();
      const found = ready.exec(text);
      if (found) done(found);
    };
    createInterface({ input: child.stdout }).on('line', line);
    createInterface({ input: child.stderr }).on('line', line);
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`${command} ended with ${code}:\n${last.join('\n')}`)));
  });
  return {
    child,
    last,
    stop: () => new Promise((done) => child.once('exit', done) && child.kill('SIGTERM')),
  };
}

export async function google() {
  const port = await freePort();
  const args = ['-Duser.language=en', '-cp', JAR, MAIN, '--host', '127.0.0.1', '--port', String(port)];
  const { stop } = await start('java', args, /Dev App Server is now running/);
  return { name: 'reference', documents: `http://127.0.0.1:${port}/v1/${ROOT}`, stop };
}

export async function tuckbox() {
  const port = await freePort();
  const args = ['serve', '--in-memory', '--mode', 'emulator', '--host', '127.0.0.1', '--port', String(port)];
  // An empty folder: no firebase.json there opens further ports.
  const folder = mkdtempSync(join(tmpdir(), 'differential-'));
  const { stop } = await startTuckbox([...args, '--project', PROJECT], { cwd: folder });
  return {
    name: 'tuckbox',
    documents: `http://127.0.0.1:${port}/v1/${ROOT}`,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends one request and returns `{ status, body }`, the body parsed. */
export async function send(peer, { method, path, body, raw }) {
  const response = await fetch(peer.documents + path, {
    method,
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    ...(method !== 'GET' && method !== 'DELETE' && { body: raw ?? JSON.stringify(body) }),
  });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}
