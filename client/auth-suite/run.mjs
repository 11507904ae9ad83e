// Drives the official `firebase/auth` and `firebase-admin` against a running server of accounts, in both
// modes. Run from anywhere: `node client/auth-suite/run.mjs`. Ends with `N passed, N failed`.
import { adminTests } from './admin.mjs';
import { build, runAll, start } from './harness.mjs';
import { servingTests } from './serving.mjs';
import { webTests } from './web.mjs';

const program = build();
const [emulator, serving] = await Promise.all([start(program), start(program, '--serving')]);
webTests(emulator.url);
adminTests(emulator.url);
servingTests(serving.url);
const passed = await runAll();
emulator.stop();
serving.stop();
process.exit(passed ? 0 : 1);
