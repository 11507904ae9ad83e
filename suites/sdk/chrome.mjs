/** Runs the cases inside headless Chromium. */

import { resolve } from 'node:path';
import { openSuite } from '../shared/chromium.mjs';
import { makeHost } from './host.mjs';

/** The browser, and a page that has the cases of `entry`, as `openSuite` answers them. */
export const openChrome = (entry = resolve(import.meta.dirname, 'page.mjs')) => openSuite({ entry });

/** Answers the results, as [`runCases`] does. */
export async function runInChrome({ name, host, port, settings, only }) {
  const { url, browser, close } = await openChrome();
  try {
    const page = await browser.newPage();
    if (process.env.VERBOSE) page.on('console', (message) => console.log(`  [page] ${message.text()}`));
    for (const [call, run] of Object.entries(makeHost({ host, port }))) {
      await page.exposeFunction(`host_${call}`, run);
    }
    await page.goto(url);
    return await page.evaluate((options) => globalThis.suite.run(options), {
      name,
      host,
      port,
      settings,
      only,
    });
  } finally {
    await close();
  }
}
