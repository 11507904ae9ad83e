/** Settings of the account that screens go by: the grid, zones copied on another device, news about exporting. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, openPage } from '../../browser.ts';
import { settingsStored } from '../../pages/account-page.ts';
import { layers, newLayout, saved } from '../../pages/editor-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Kay Kept', email: 'kay@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const stored = (act: () => Promise<void>) => settingsStored(page, act);

test('the grid is shown where the account wants it, and hidden by its shortcut', async () => {
  await newLayout(page, server.origin);
  const grid = page.locator('[data-grid]');
  expect(await grid.count()).toBe(0);
  await stored(() => page.getByRole('button', { name: 'Show grid' }).click());
  await grid.waitFor();
  await page.reload();
  await grid.waitFor();
  expect(await page.getByRole('button', { name: 'Show grid' }).getAttribute('aria-pressed')).toBe('true');
  await stored(() => page.keyboard.press("Control+Shift+'"));
  await grid.waitFor({ state: 'detached' });
});

test('zones copied here are pasted on another device', async () => {
  await page.getByRole('button', { name: 'Add text' }).click();
  await saved(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+a');
  await stored(() => page.keyboard.press('Control+c'));
  const { context, page: other } = await openPage(browser);
  await other.goto(`${server.origin}/login`);
  await other.getByLabel('E-mail').fill(PERSON.email);
  await other.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await other.getByRole('button', { name: 'Log in' }).click();
  await other.waitForURL('**/decks');
  await newLayout(other, server.origin);
  await other.keyboard.press('Control+v');
  await layers(other).getByText('Text', { exact: true }).waitFor();
  await saved(other);
  await context.close();
});

test('news about exporting stand on the page until they were read', async () => {
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'News');
  const list = join(server.dataDir, 'cards.csv');
  await writeFile(list, 'Name\nInn\n');
  await chooseFile(page, list);
  await confirmImport(page, 1);
  const address = page.url().replace('/decks/', '/decks/print/').replace(/\?.*$/, '');
  await page.goto(address);
  const news = page.getByRole('region', { name: 'New in Export' });
  await news.waitFor();
  expect(await faultsInBoth(page, 'news about exporting')).toEqual([]);
  await stored(() => news.getByRole('button', { name: 'Got it' }).click());
  await news.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Export', level: 1 }).waitFor();
  await page.getByText('These cards have no layout yet').waitFor();
  expect(await news.count()).toBe(0);
  expect(complaints).toEqual([]);
});
