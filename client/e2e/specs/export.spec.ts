/** Exports of a deck with backs: paper, pictures, tables and printers, and what a cancelled one leaves. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../browser.ts';
import { signUp, verify } from '../pages/account-page.ts';
import { chooseFile, confirmImport, createProject } from '../pages/project-page.ts';
import { checkPdf, pdfInfo, pdfText } from '../pdf.ts';
import { Server } from '../server.ts';
import { starforgedRows, toCsv } from '../starforged.ts';

const PERSON = { name: 'Eve Long', email: 'eve@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

/** Follows a button that ends in a download, and answers the saved file. */
async function download(button: string, name: string): Promise<string> {
  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const file = join(server.dataDir, name);
  await (await making).saveAs(file);
  return file;
}

/** Opens a group of options. */
async function open(section: string): Promise<void> {
  await page.locator('summary', { hasText: section }).first().click();
}

/** Pictures of the page as it stands, to be looked at: `TUCKBOX_SHOTS=DIR`. */
async function shot(name: string): Promise<void> {
  const folder = process.env['TUCKBOX_SHOTS'];
  if (!folder) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 1024]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(900);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ context, page, complaints } = await openPage(browser));
  await signUp(page, server.origin, PERSON);
  await verify(page, server.origin, PERSON);
  await page.goto(`${server.origin}/layouts`);
  await page.getByRole('button', { name: 'New layout' }).first().click();
  await page.waitForURL(/\/layouts\/edit\//);
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Starforged');
  const list = join(server.dataDir, 'starforged_assets.csv');
  await writeFile(list, toCsv(await starforgedRows()));
  await chooseFile(page, list);
  await confirmImport(page, 87);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Export PDF' }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

test('paper: backs behind fronts, presets, ranges, and only what changed', async () => {
  await page.getByText('87 cards on 10 sheets of A4').waitFor();
  await page.locator('canvas[data-painted]').waitFor();
  await shot('paper');
  await page.getByLabel('Backs', { exact: true }).selectOption({ index: 1 });
  await page.getByText('Page 1 of 20').waitFor();
  const whole = await download('Export PDF', 'deck.pdf');
  expect((await pdfInfo(whole))['Pages']).toBe('20');
  await checkPdf(whole);
  const text = await pdfText(whole);
  for (const [, name = ''] of await starforgedRows()) expect(text).toContain(name);

  await open('Cards');
  await page.getByLabel('Cards', { exact: true }).fill('1-3, 5x2');
  await page.getByText('5 cards on 1 sheet of A4').waitFor();
  await page.getByLabel('Cards', { exact: true }).fill('99');
  await page.getByText('There is no card 99: the last one is card 87.').waitFor();
  await page.getByLabel('Cards', { exact: true }).fill('');
  await page.getByLabel('Only what changed').selectOption('1');
  await page.getByText('No card looks different from print 1.').waitFor();
  await shot('changed');
  await page.getByRole('button', { name: 'Print all of them' }).click();
  await page.getByText('87 cards on 10 sheets of A4').waitFor();
  expect(complaints).toEqual([]);
});
