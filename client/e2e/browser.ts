/** Debian's Chromium, driven over the DevTools protocol. */

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** Keeps the browser from looking for anything but the server under test. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const browsers = new Set<Browser>();

export async function launch(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: QUIET });
  browsers.add(browser);
  browser.once('disconnected', () => browsers.delete(browser));
  return browser;
}

/** The pages that are open, for the report of a failed test. */
export const openPages = (): Page[] =>
  [...browsers].flatMap((browser) => browser.contexts()).flatMap((context) => context.pages());

/** What a page said that a user should never have caused: console errors and uncaught exceptions. */
export type Complaints = string[];

/** A fresh profile with one page whose console errors are collected. */
export async function openPage(
  browser: Browser,
): Promise<{ context: BrowserContext; page: Page; complaints: Complaints }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  const complaints: Complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  return { context, page, complaints };
}
