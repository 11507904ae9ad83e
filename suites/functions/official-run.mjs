// Runs the sources of functions and their tests under the official suite: `scripts/bench sample` does so beside ours. The
// command of firebase-tools is named by FIREBASE_TOOLS.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../shared/free-port.mjs';
import { officialSuite } from './official.mjs';
import { SUITE_VARIABLE, SUITES } from './suites.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

async function underTheirs(suite) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-official-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { command, env, emulators, notes } = officialSuite(folder);
  for (const note of notes) console.error(`official suite: ${note}`);
  const { folder: own, source } = SUITES[suite];
  cpSync(source(), path.join(folder, 'functions'), { recursive: true });
  symlinkSync(path.join(here, '../node_modules'), path.join(folder, 'functions/node_modules'));
  cpSync(path.join(here, 'storage.rules'), path.join(folder, 'storage.rules'));
  const ports = {};
  for (const name of [...emulators, 'hub', 'logging'])
    ports[name] = { host: '127.0.0.1', port: await freePort() };
  if (ports.firestore) ports.firestore.websocketPort = await freePort();
  const ours = JSON.parse(readFileSync(path.join(own, 'firebase.json'), 'utf8'));
  const needed = { firestore: {}, storage: { rules: 'storage.rules' } };
  const config = { ...needed, ...ours, emulators: { ...ports, ui: { enabled: false } } };
  writeFileSync(path.join(folder, 'firebase.json'), JSON.stringify(config));
  const tests = [process.execPath, path.join(here, 'run.mjs'), ...process.argv.slice(2)];
  const only = emulators.join(',');
  const quoted = tests.map((word) => `'${word}'`).join(' ');
  const args = ['emulators:exec', '--project', 'demo-functions', '--only', only, quoted];
  const told = { ...env, [SUITE_VARIABLE]: suite };
  const child = spawn(command, args, { cwd: folder, env: told, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

let worst = 0;
for (const suite of Object.keys(SUITES)) worst = Math.max(worst, await underTheirs(suite));
process.exit(worst);
