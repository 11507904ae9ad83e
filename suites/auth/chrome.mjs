// The suite in headless Chrome: the tests of `web.mjs` and `phone.mjs` in a page, and popups and redirects from outside.
import { resolve } from 'node:path';
import { openSuite } from '../shared/chromium.mjs';
import { gapi } from './chrome/gapi.mjs';
import { popupTests, servingPopupTests } from './popup.mjs';
import { runAll } from './tests.mjs';

const HERE = import.meta.dirname;

/**
 * Runs the suite against the server at `url`, and popups also against the one at `serving`, whose provider is `provider`;
 * answers what `runAll` does.
 */
export async function inChrome(url, serving, provider) {
  const {
    url: origin,
    browser,
    close,
  } = await openSuite({
    entry: resolve(HERE, 'chrome/page.mjs'),
    alias: { 'node:assert/strict': resolve(HERE, 'chrome/assert.mjs') },
    body: '<div id="verifier"></div>',
  });
  try {
    const context = await browser.newContext();
    // Google's script, which the SDK wants for popups, is not ours to carry: a stand-in speaks for it on both sides.
    await context.route('https://apis.google.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: `(${gapi})(document.currentScript)` }),
    );
    const page = await context.newPage();
    await page.goto(origin);
    const inside = await page.evaluate((server) => globalThis.suite.run(server), url);
    popupTests(context, origin, url);
    servingPopupTests(context, origin, serving, provider.returned);
    const outside = await runAll();
    return {
      passed: inside.passed + outside.passed,
      failures: [...inside.failures, ...outside.failures],
    };
  } finally {
    await close();
  }
}
