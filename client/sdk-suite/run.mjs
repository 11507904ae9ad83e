/** Runs the suite: `node run.mjs [driver…]`. See README.md. */

import { runInChrome } from './chrome.mjs';
import { liteDriver } from './drivers/lite.mjs';
import { serverDriver } from './drivers/server.mjs';
import { webDriver } from './drivers/web.mjs';
import { runCases } from './runner.mjs';
import { startServer } from './server.mjs';

const inNode = (make) => async (options) => {
  const driver = make(options);
  const results = await runCases(driver, options.only);
  await driver.close();
  return results;
};

const DRIVERS = {
  node: inNode(webDriver),
  chrome: runInChrome,
  polling: (options) => runInChrome({ ...options, settings: { experimentalForceLongPolling: true } }),
  lite: inNode(liteDriver),
  server: inNode(serverDriver),
  rest: inNode((options) => serverDriver({ ...options, preferRest: true })),
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !DRIVERS[name]);
if (unknown) {
  console.error(`unknown driver \`${unknown}\`; there are: ${Object.keys(DRIVERS).join(', ')}`);
  process.exit(2);
}

const server = await startServer();
// Also when an SDK's own failure ends this process.
process.on('exit', () => server.stop());
let passed = 0;
let failed = 0;
try {
  for (const name of names.length ? names : Object.keys(DRIVERS)) {
    const started = Date.now();
    const results = await DRIVERS[name]({
      name,
      host: server.host,
      port: server.port,
      only: process.env.ONLY ?? '',
    });
    const ran = results.filter((result) => !result.skipped);
    for (const { name: title, error } of ran.filter((result) => result.error)) {
      console.log(`FAIL ${name}: ${title}\n     ${error.split('\n').slice(0, 6).join('\n     ')}`);
    }
    const wrong = ran.filter((result) => result.error).length;
    failed += wrong;
    passed += ran.length - wrong;
    const slowest = [...ran].sort((a, b) => b.milliseconds - a.milliseconds)[0];
    console.log(
      `${name}: ${ran.length - wrong} passed, ${wrong} failed, ${results.length - ran.length} not for this client, ` +
        `${Date.now() - started} ms (slowest: ${slowest?.name}, ${slowest?.milliseconds} ms)`,
    );
  }
} finally {
  await server.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
