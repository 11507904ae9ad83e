/** Debian's Chromium, driven over the DevTools protocol. */

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core';

/** Chromium without windows, which spends no time on an interface that nobody sees; else the whole one. */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const EXECUTABLE = process.env['CHROMIUM'] ?? INSTALLED.find((path) => existsSync(path));
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

/** End of a commit's address. */
const COMMIT = '/documents:commit';

/** Factor by which pages compute more slowly than the machine can: `TUCKBOX_SLOW=6` is a slow phone. */
const SLOWNESS = Number(process.env['TUCKBOX_SLOW'] ?? 1);
/** Milliseconds by which every request of a page takes longer: `TUCKBOX_LATENCY=200` is a server far away. */
const LATENCY_MS = Number(process.env['TUCKBOX_LATENCY'] ?? 0);

const browsers = new Set<Browser>();

export async function launch(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error(`no browser at ${INSTALLED.join(' or ')}`);
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: QUIET });
  browsers.add(browser);
  if (SLOWNESS > 1 || LATENCY_MS > 0) browser.on('context', (context) => context.on('page', slowDown));
  browser.once('disconnected', () => browsers.delete(browser));
  return browser;
}

/** Slows a page and its requests down until it is closed. */
async function slowDown(page: Page): Promise<void> {
  try {
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
    if (LATENCY_MS === 0) return;
    await client.send('Network.enable');
    const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
    await client.send('Network.emulateNetworkConditions', { ...unlimited, latency: LATENCY_MS });
  } catch (error) {
    if (!page.isClosed()) throw error;
  }
}

/** The pages that are open, for the report of a failed test. */
export const openPages = (): Page[] =>
  [...browsers].flatMap((browser) => browser.contexts()).flatMap((context) => context.pages());

/** Console errors and uncaught exceptions, none of which a user should ever cause. */
export type Complaints = string[];

/** A page in a profile of its own. */
export interface OpenedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: Complaints;
}

/** A fresh profile with one page whose console errors are collected. */
export async function openPage(browser: Browser): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  const complaints: Complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() !== 'error') return;
    // A refused commit is told of with its reason.
    const refused = url.endsWith(COMMIT) && message.text().includes('the server responded');
    if (!refused) complaints.push(`${message.text()} ${url}`);
  });
  page.on('response', async (response) => {
    const reason = response.ok() || !response.url().endsWith(COMMIT) ? undefined : await refusal(response);
    if (reason) complaints.push(`${reason} ${response.url()}`);
  });
  return { context, page, complaints };
}

/** Requests of a page that store or change files, from now on. */
export function uploadsOf(page: Page): readonly string[] {
  const uploads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const stores = pathname.includes('/v0/b/') && request.method() !== 'GET';
    if (stores) uploads.push(`${request.method()} ${pathname}`);
  });
  return uploads;
}

/** Complaints without those of concurrent writes: a transaction that loses a race is retried. */
export const besidesRetries = (complaints: Complaints): Complaints =>
  complaints.filter((complaint) => !complaint.startsWith('FAILED_PRECONDITION '));

/** Why a commit was refused. */
async function refusal(response: Response): Promise<string | undefined> {
  // Nothing is known of an answer that the page left behind.
  const said = await response.text().catch(() => undefined);
  if (said === undefined) return undefined;
  return /"status":\s*"(\w+)"/.exec(said)?.[1] ?? `${response.status()} ${said}`;
}
