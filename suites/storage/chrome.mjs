// Runs the tests of the web API in Chrome, on a page of another origin than the file server.
import { fileURLToPath } from 'node:url';
import { openSuite } from '../shared/chromium.mjs';
import { test } from './common.mjs';
import { polyglotTests } from './polyglots.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Registers what the page's tests are, and attacks on pages; answers how to end the browser. */
export async function chromeTests(server) {
  const { url, browser, close } = await openSuite({
    entry: here('in-page.mjs'),
    alias: { 'node:assert/strict': here('assert-in-page.mjs') },
  });
  const page = await browser.newPage();
  await page.goto(url);
  const names = await page.evaluate((origin) => globalThis.suite.start(origin), server.origin);
  for (const [index, name] of names.entries()) {
    test(name, async () => {
      const fault = await page.evaluate((i) => globalThis.suite.run(i), index);
      if (fault !== null) throw new Error(fault);
    });
  }
  const endAttacks = await polyglotTests(server, browser);
  return async () => {
    await close();
    endAttacks();
  };
}
