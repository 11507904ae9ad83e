/** Pages that are open while their server is restored from a backup. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { newLayout, properties, saved, zone } from '../../pages/editor-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  ({ server, browser, page } = await startSignedIn(ANN));
  await newLayout(page, server.origin);
  await page.keyboard.press('s');
  await page.keyboard.press('Enter');
  await saved(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const name = () => properties(page).getByLabel('Name', { exact: true });
const notice = () => page.getByRole('alert').filter({ hasText: 'The server was restored from a backup' });
const rename = async (to: string) => {
  await name().fill(to);
  await name().press('Enter');
};

test('a page says so, and what is typed goes to the server only when its author wants it', async () => {
  await server.backUp();
  await rename('After the backup');
  await saved(page);
  await server.restoreBackup();
  await notice().waitFor();
  expect(await notice().getByRole('button', { name: 'Load without saving' }).count()).toBe(1);
  await rename('Typed since');
  await page.getByText('Not saved').first().waitFor();
  expect(await faultsInBoth(page, 'restored')).toEqual([]);
  const loaded = page.waitForEvent('load');
  await notice().getByRole('button', { name: 'Save and load anew' }).click();
  await loaded;
  await zone(page, 'Typed since').waitFor();
  expect(await notice().count()).toBe(0);
});

test('whoever loads the page anew sees what the server has', async () => {
  await server.backUp();
  await zone(page, 'Typed since').click();
  await rename('Lost again');
  await saved(page);
  await server.restoreBackup();
  const loaded = page.waitForEvent('load');
  await notice().getByRole('button', { name: 'Load without saving' }).click();
  await loaded;
  await zone(page, 'Typed since').waitFor();
  await saved(page);
});
