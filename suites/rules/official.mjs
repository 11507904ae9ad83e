// The product's policy (firestore.rules, storage.rules) through Google's own testing library, unmodified, against
// the real server: `node suites/rules/official.mjs`. Ends with `N passed, N failed`. TUCKBOX_BIN names another program.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { assertFails, assertSucceeds, initializeTestEnvironment } from '@firebase/rules-unit-testing';
import { setLogLevel } from 'firebase/firestore';

import { ROOT, TUCKBOX } from '../shared/program.mjs';
import { documentTests } from './documents.mjs';
import { fileTests } from './files.mjs';

const PROJECT = 'demo-policy';

/** Starts the server, in memory, on any free port; beside no configuration file, so that it is the only one. */
async function startServer() {
  const args = ['serve', '--mode', 'emulator', '--in-memory', '--port', '0', '--project', PROJECT];
  const server = spawn(TUCKBOX, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await new Promise((ready, failed) => {
    server.once('error', failed);
    server.once('exit', (code) => failed(new Error(`the server ended with ${code} before it was ready`)));
    createInterface({ input: server.stdout }).on('line', (line) => {
      const found = /^Tuckbox is ready: http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (found !== undefined) ready(Number(found));
    });
  });
  return { port, stop: () => server.kill('SIGTERM') };
}

// A refusal is what half of these tests are after; the library would log each.
setLogLevel('silent');
const server = await startServer();
const address = { host: '127.0.0.1', port: server.port };
const environment = await initializeTestEnvironment({
  projectId: PROJECT,
  firestore: { ...address, rules: await readFile(`${ROOT}/firestore.rules`, 'utf8') },
  storage: { ...address, rules: await readFile(`${ROOT}/storage.rules`, 'utf8') },
});
const tests = [];
const declare = { test: (name, run) => tests.push({ name, run }), may: assertSucceeds, mayNot: assertFails };
documentTests(environment, declare);
fileTests(environment, declare);

let failed = 0;
for (const { name, run } of tests) {
  await environment.clearFirestore();
  await environment.clearStorage();
  try {
    await run();
  } catch (error) {
    failed += 1;
    console.error(`FAIL  ${name}\n${error?.stack ?? error}`);
  }
}
await environment.cleanup();
server.stop();
process.stdout.write(`${tests.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
