// Runs an unmodified functions source in real Node and checks what its functions are given: `npm run test:functions`.
// Inside `firebase emulators:exec` the same checks run against the official suite; on its own this starts our server.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSample } from './compile.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

async function underOurs() {
  compileSample();
  const program = process.env.TUCKBOX ?? join(here, '../../target/debug/tuckbox');
  const config = join(here, 'firebase.json');
  const options = ['exec', '--config', config, '--project', 'demo-functions', '--port', '0', ...server()];
  const child = spawn(program, [...options, '--', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
  });
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

function server() {
  return process.env.TUCKBOX_ARGS?.split(' ') ?? [];
}

if (process.env.FIREBASE_EMULATOR_HUB === undefined) process.exit(await underOurs());
await import('./calls.mjs');
await import('./contained.mjs');
await import('./official-client.mjs');
await import('./web.mjs');
await import('./documents.mjs');
await import('./others.mjs');
const { run } = await import('./harness.mjs');
process.exit((await run()) ? 0 : 1);
