/**
 * Runs the cases with every client that can, or with those named: `node run.mjs [driver…]`. `ONLY` picks cases by a part
 * of their names.
 */

import { runInChrome } from './chrome.mjs';
import { adminDriver } from './drivers/admin.mjs';
import { liteDriver } from './drivers/lite.mjs';
import { plainDriver } from './drivers/plain.mjs';
import { serverDriver } from './drivers/server.mjs';
import { shimDriver } from './drivers/shim.mjs';
import { webDriver } from './drivers/web.mjs';
import { makeHost } from './host.mjs';
import { runCases } from './runner.mjs';
import { startServer } from './server.mjs';
import { runTabs } from './tabs.mjs';

const inNode = (make) => async (options) => {
  const driver = await make(options);
  const results = await runCases(driver, makeHost(options), options.only);
  await driver.close();
  return results;
};

/** The slowest first, so that they do not run alone at the end. */
const DRIVERS = {
  persistent: (options) => runInChrome({ ...options, settings: { persistent: true } }),
  chrome: runInChrome,
  polling: (options) => runInChrome({ ...options, settings: { experimentalForceLongPolling: true } }),
  tabs: runTabs,
  node: inNode(webDriver),
  server: inNode(serverDriver),
  rest: inNode((options) => serverDriver({ ...options, preferRest: true })),
  admin: inNode(adminDriver),
  shim: inNode(shimDriver),
  lite: inNode(liteDriver),
  plain: inNode(plainDriver),
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !DRIVERS[name]);
if (unknown) {
  console.error(`unknown driver \`${unknown}\`; there are: ${Object.keys(DRIVERS).join(', ')}`);
  process.exit(2);
}

/** Drivers that run at once: most of their time they wait. */
const AT_ONCE = 3;

async function runDriver(name) {
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

const server = await startServer();
// Also when an SDK's own failure ends this process.
process.on('exit', () => server.stop());
let passed = 0;
let failed = 0;
try {
  const waiting = names.length ? names : Object.keys(DRIVERS);
  const worker = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) await runDriver(name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
} finally {
  await server.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
