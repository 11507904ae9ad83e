/** A layout that a page did not finish opening is opened without painting it, can be mended, and is painted again. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import type { Complaints } from '../../browser.ts';
import { layers, newLayout, saved } from '../../pages/editor-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Una Finished', email: 'una@example.com', password: 'a long enough one' };

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

/** True if something is painted on the card. */
const painted = () =>
  page
    .getByRole('region', { name: 'Canvas' })
    .locator('canvas')
    .first()
    .evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const pixels = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data;
      return pixels?.some((value) => value > 0) ?? false;
    });

test('the editor asks, opens without painting, and paints again when the page is loaded anew', async () => {
  await newLayout(page, server.origin);
  await page.getByRole('button', { name: 'Add text' }).click();
  await saved(page);
  await expect.poll(painted).toBe(true);
  const id = new URL(page.url()).pathname.split('/')[3] ?? '';

  // The mark that a page leaves which was closed before it was idle.
  await page.goto(`${server.origin}/layouts`);
  await page.evaluate((key) => localStorage.setItem(key, '1'), `tuckbox-opening:layout:${id}`);
  await page.goto(`${server.origin}/layouts/edit/${id}`);
  await page.getByText('This layout did not finish opening').waitFor();
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByRole('button', { name: 'Open it so' }).click();
  await page.getByRole('note').filter({ hasText: 'Opened without pictures' }).waitFor();
  expect(await painted()).toBe(false);
  await layers(page).getByText('Text').first().click();
  await page.keyboard.press('Delete');
  await saved(page);
  expect(await painted()).toBe(false);

  await page.reload();
  await expect.poll(painted).toBe(true);
  expect(await page.getByText('Opened without pictures').count()).toBe(0);
  expect(complaints).toEqual([]);
});
