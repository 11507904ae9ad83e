// The suite in headless Chrome: the tests of `web.mjs` and `phone.mjs` in a page, and popups and redirects from outside.
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { gapi } from './chrome/gapi.mjs';
import { popupTests } from './popup.mjs';
import { runAll } from './tests.mjs';

const HERE = import.meta.dirname;
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-sync',
];

async function bundle() {
  const built = await build({
    entryPoints: [resolve(HERE, 'chrome/page.mjs')],
    alias: { 'node:assert/strict': resolve(HERE, 'chrome/assert.mjs') },
    bundle: true,
    format: 'iife',
    globalName: 'suite',
    write: false,
    logLevel: 'error',
  });
  return built.outputFiles[0].text;
}

/** Runs the suite against the server at `url`; answers what `runAll` does. */
export async function inChrome(url) {
  const script = await bundle();
  const pages = createServer((request, response) => {
    const wanted = request.url === '/suite.js';
    response.setHeader('content-type', wanted ? 'text/javascript' : 'text/html');
    response.end(
      wanted ? script : '<!doctype html><body><div id="verifier"></div><script src="/suite.js"></script>',
    );
  });
  await new Promise((done) => pages.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${pages.address().port}/`;
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
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
    const outside = await runAll();
    return {
      passed: inside.passed + outside.passed,
      failures: [...inside.failures, ...outside.failures],
    };
  } finally {
    await browser.close();
    pages.close();
  }
}
