// Drives the official `firebase/auth`, in Node and in Chrome, and `firebase-admin` against a running server of accounts,
// in both modes. Run from anywhere: `node suites/auth/run.mjs`. Ends with `N passed, N failed`.
import { adminTests } from './admin.mjs';
import { inChrome } from './chrome.mjs';
import { build, start } from './harness.mjs';
import { startProvider } from './provider.mjs';
import { servingTests } from './serving.mjs';
import { runAll } from './tests.mjs';
import { webTests } from './web.mjs';

const program = build();
const provider = await startProvider('tuckbox');
const [emulator, serving] = await Promise.all([
  start(program),
  start(program, '--serving', '--provider', provider.issuer),
]);
webTests(emulator.url);
adminTests(emulator.url);
servingTests(serving.url);
const node = await runAll();
const chrome = await inChrome(emulator.url, serving.url, provider);
emulator.stop();
serving.stop();
provider.close();
let passed = 0;
let failed = 0;
for (const [name, results] of Object.entries({ node, chrome })) {
  for (const failure of results.failures) console.log(`${name}: ${failure}`);
  console.log(`${name}: ${results.passed} passed, ${results.failures.length} failed`);
  passed += results.passed;
  failed += results.failures.length;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
