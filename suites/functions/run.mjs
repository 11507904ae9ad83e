// Runs unmodified functions sources in real Node and checks what their functions are given: `node suites/functions/run.mjs`.
// Inside `firebase emulators:exec` the same checks run against the official suite; on its own this starts our server.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { TUCKBOX } from '../shared/program.mjs';
import { SUITE_VARIABLE, SUITES } from './suites.mjs';

async function underOurs(name) {
  const { folder, source } = SUITES[name];
  source();
  const config = join(folder, 'firebase.json');
  const options = ['exec', '--config', config, '--project', 'demo-functions', '--port', '0', ...server()];
  const child = spawn(TUCKBOX, [...options, '--', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [SUITE_VARIABLE]: name },
  });
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

function server() {
  return process.env.TUCKBOX_ARGS?.split(' ') ?? [];
}

if (process.env.FIREBASE_EMULATOR_HUB === undefined) {
  let worst = 0;
  for (const name of Object.keys(SUITES)) worst = Math.max(worst, await underOurs(name));
  process.exit(worst);
}
for (const file of SUITES[process.env[SUITE_VARIABLE] ?? 'sample'].tests) await import(`./${file}.mjs`);
const { run } = await import('./harness.mjs');
process.exit((await run()) ? 0 : 1);
