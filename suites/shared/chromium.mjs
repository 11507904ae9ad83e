/** Debian's Chromium without a window, and the page of a test suite in it. */

import { createServer } from 'node:http';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

/** Keeps the browser from looking for anything but the server under test. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchChromium() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/**
 * Serves a page that has the module `entry` as `globalThis.suite`, and starts the browser. The page is of another
 * origin than the server under test: every request is cross-origin, as in an application.
 *
 * @returns `{ url, browser, close }`
 */
export async function openSuite({ entry, alias = {}, body = '' }) {
  const bundle = await build({
    entryPoints: [entry],
    alias,
    bundle: true,
    format: 'iife',
    globalName: 'suite',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  const pages = createServer((request, response) => {
    const script = request.url === '/suite.js';
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    response.end(
      script
        ? bundle.outputFiles[0].contents
        : `<!doctype html><meta charset="utf-8"><title>Suite</title><body>${body}<script src="/suite.js"></script>`,
    );
  });
  await new Promise((listening) => pages.listen(0, '127.0.0.1', listening));
  const browser = await launchChromium();
  const close = async () => {
    await browser.close();
    pages.close();
  };
  return { url: `http://127.0.0.1:${pages.address().port}/`, browser, close };
}
