// Runs the tests of the web API in Chrome, on a page of another origin than the file server.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

import { test } from './common.mjs';

const PAGE = '<!doctype html><meta charset="utf-8"><title>Files</title><script src="/suite.js"></script>';
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Registers what the page's tests are; answers how to end the browser. */
export async function chromeTests(server) {
  const bundle = await build({
    entryPoints: [here('in-page.mjs')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    alias: { 'node:assert/strict': here('assert-in-page.mjs') },
    logLevel: 'error',
  });
  const site = createServer((request, reply) => {
    const script = request.url === '/suite.js';
    reply.setHeader('content-type', script ? 'text/javascript' : 'text/html');
    reply.end(script ? bundle.outputFiles[0].contents : PAGE);
  });
  await new Promise((listening) => site.listen(0, '127.0.0.1', listening));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
    ],
  });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${site.address().port}/`);
  const names = await page.evaluate((origin) => globalThis.suite.start(origin), server.origin);
  for (const [index, name] of names.entries()) {
    test(name, async () => {
      const fault = await page.evaluate((i) => globalThis.suite.run(i), index);
      if (fault !== null) throw new Error(fault);
    });
  }
  return async () => {
    await browser.close();
    site.close();
  };
}
