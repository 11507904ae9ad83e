/** The trial: the sample game in this browser, without an account. */

import type { Page } from 'playwright-core';
import { tableShown } from './table-page.ts';

/** Opens the trial from the first page, by its link. */
export async function openTrial(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  await page.getByRole('link', { name: 'Try it now, no account' }).click();
  await page.getByRole('heading', { name: 'Driftglass', level: 1 }).waitFor();
  await tableShown(page);
}

/** The link of the bar that takes the game into an account. */
export const keepLink = (page: Page) =>
  page.getByRole('banner').getByRole('link', { name: /keep it|in your account/i });

/** Calls of the page to the server's database, files and functions, from now on. */
export function callsOf(page: Page): readonly string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/(v1|v0|us-central1|__\/(?!firebase\/init))/.test(pathname)) calls.push(pathname);
  });
  return calls;
}
