// Runs the sample functions and their tests under the official suite: `scripts/bench sample` does so beside ours. The
// command of firebase-tools is named by FIREBASE_TOOLS.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/free-port.mjs';
import { compileSample } from './compile.mjs';
import { officialSuite } from './official.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'tuckbox-official-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const { command, env, emulators, notes } = officialSuite(folder);
for (const note of notes) console.error(`official suite: ${note}`);
cpSync(compileSample(), path.join(folder, 'functions'), { recursive: true });
symlinkSync(path.join(here, '../node_modules'), path.join(folder, 'functions/node_modules'));
cpSync(path.join(here, 'storage.rules'), path.join(folder, 'storage.rules'));
const ports = {};
for (const name of [...emulators, 'hub', 'logging'])
  ports[name] = { host: '127.0.0.1', port: await freePort() };
if (ports.firestore) ports.firestore.websocketPort = await freePort();
const ours = JSON.parse(readFileSync(path.join(here, 'firebase.json'), 'utf8'));
const config = { ...ours, emulators: { ...ports, ui: { enabled: false } } };
writeFileSync(path.join(folder, 'firebase.json'), JSON.stringify(config));
const tests = [process.execPath, path.join(here, 'run.mjs'), ...process.argv.slice(2)];
const only = emulators.join(',');
const quoted = tests.map((word) => `'${word}'`).join(' ');
const args = ['emulators:exec', '--project', 'demo-functions', '--only', only, quoted];
const child = spawn(command, args, { cwd: folder, env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
