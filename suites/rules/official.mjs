// The product's policy (firestore.rules, storage.rules) through Google's own testing library, unmodified, against
// the real server: `node suites/rules/official.mjs`. Ends with `N passed, N failed`. TUCKBOX_BIN names another program.
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { assertFails, assertSucceeds, initializeTestEnvironment } from '@firebase/rules-unit-testing';
import { setLogLevel } from 'firebase/firestore';

import { ROOT, startTuckbox } from '../shared/program.mjs';
import { documentTests } from './documents.mjs';
import { fileTests } from './files.mjs';
import { translationTests } from './translations.mjs';

const PROJECT = 'demo-policy';

/** Starts the server, in memory, on any free port; beside no configuration file, so that it is the only one. */
function startServer() {
  const args = ['serve', '--mode', 'emulator', '--in-memory', '--port', '0', '--project', PROJECT];
  return startTuckbox(args, { cwd: tmpdir() });
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
translationTests(environment, declare);

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
await server.stop();
process.stdout.write(`${tests.length - failed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
