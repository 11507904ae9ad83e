// Drives the official packages for files, unmodified, against our server, in Node and in Chrome: `node suites/storage/run.mjs`.
// The server is the example `serve_files` of storage-emu, on a local folder, or with `--s3` on an S3-compatible
// service; STORAGE_SERVER and STORAGE_SERVER_ARGS name another program and other arguments.
import { adminTests } from './admin.mjs';
import { chromeTests } from './chrome.mjs';
import { run, startServer } from './harness.mjs';
import * as official from './official.mjs';
import { loadShim } from './shim.mjs';
import { webTests } from './web.mjs';

const server = await startServer();
let endChrome;
try {
  webTests(server, 'firebase/storage', official.sdk, official.storageOf);
  const shim = await loadShim();
  webTests(server, 'shim', shim.sdk, shim.storageOf);
  adminTests(server);
  endChrome = await chromeTests(server);
  process.exitCode = (await run(server)) ? 0 : 1;
} finally {
  await endChrome?.();
  await server.stop();
}
process.exit();
