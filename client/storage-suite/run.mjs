// Drives the official packages for files, unmodified, against our server: `npm run test:storage`.
// The server is the example `serve_memory` of storage-emu, on a local folder; STORAGE_SERVER and
// STORAGE_SERVER_ARGS name another program and other arguments.
import { adminTests } from './admin.mjs';
import { run, startServer } from './harness.mjs';
import { webTests } from './web.mjs';

const server = await startServer();
try {
  webTests(server);
  adminTests(server);
  process.exitCode = (await run(server)) ? 0 : 1;
} finally {
  await server.stop();
}
process.exit();
