/** What runs inside the browser's page. */

import { webDriver } from './drivers/web.mjs';
import { runCases } from './runner.mjs';

export async function run({ name, host, port, settings, only }) {
  const driver = webDriver({ name, host, port, settings, can: ['browser'] });
  const results = await runCases(driver, only);
  await driver.close();
  return results;
}
