/** The suite's entry inside the browser's page. */

import { webDriver } from './drivers/web.mjs';
import { runCases } from './runner.mjs';

export { openTab } from './tab.mjs';

/** The calls of the host, as the page was given them. */
const host = new Proxy({}, { get: (_calls, name) => globalThis[`host_${String(name)}`] });

export async function run({ name, host: address, port, settings, only }) {
  const driver = webDriver({ name, host: address, port, settings, can: ['browser'] });
  const results = await runCases(driver, host, only);
  await driver.close();
  return results;
}
