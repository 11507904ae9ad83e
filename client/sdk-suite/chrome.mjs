/** Runs the cases inside headless Chromium. */

import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { makeHost } from './host.mjs';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Serves a page that has `entry` as `globalThis.suite`, and starts the browser; answers `{ url, browser, close }`. */
export async function openChrome(entry = resolve(import.meta.dirname, 'page.mjs')) {
  const bundle = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    globalName: 'suite',
    write: false,
    logLevel: 'error',
  });
  // A page of another origin than the server's: every request is cross-origin, as in an application.
  const pages = createServer((request, response) => {
    const script = request.url === '/suite.js';
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    response.end(script ? bundle.outputFiles[0].text : '<!doctype html><script src="/suite.js"></script>');
  });
  await new Promise((done) => pages.listen(0, '127.0.0.1', done));
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS });
  const close = async () => {
    await browser.close();
    pages.close();
  };
  return { url: `http://127.0.0.1:${pages.address().port}/`, browser, close };
}

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
