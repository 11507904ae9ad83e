/** The picture of a project's set-up: in the editor, in the PDF, in plain text, and for readers. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints, openPage } from '../../browser.ts';
import { createDrawnProject } from '../../pages/project-page.ts';
import { createRulebook, insert, makeFile, painted, saved, text } from '../../pages/rulebook-page.ts';
import { checkPdf, pdfText } from '../../pdf.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Seta Upp', email: 'seta@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createDrawnProject(page, 'Driftglass', ['Spring tide', 'Neap tide'], server.dataDir);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Makes a file of the rulebook and answers its path. */
async function exported(label: string, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const file = join(server.dataDir, name);
  const dialog = await makeFile(page, label, file);
  await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  return file;
}

test('it is inserted as a block, and says on the page what lies where', async () => {
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('link', { name: 'Open Driftglass' }).click();
  await createRulebook(page, 'Rules', 'Nothing');
  await text(page).focus();
  await page.keyboard.type('# Set-up');
  await page.keyboard.press('Enter');
  await insert(page, 'set-up');
  await text(page).getByText('Set-up picture').waitFor();
  await page.keyboard.press('Control+End');
  await insert(page, 'list of components');
  await saved(page);
  await painted(page);
  await page.getByRole('tab', { name: 'Checks 0' }).waitFor();
  expect(await faultsInBoth(page, 'set-up picture')).toEqual([]);
});

test('the PDF has its words, as have plain text and Markdown, which brings the block back', async () => {
  const pdf = await exported('PDF to read', 'Rules.pdf');
  expect(await checkPdf(pdf)).toContain('No syntax or stream encoding errors');
  expect((await pdfText(pdf)).replace(/\s+/g, ' ')).toMatch(/1: 2 × \S+ · 2: \S+ discard/);
  expect(await readFile(await exported('Plain text', 'Rules.txt'), 'utf8')).toMatch(
    /1\. 2 × \S+\n2\. \S+ discard/,
  );
  expect(await readFile(await exported('Markdown', 'Rules.md'), 'utf8')).toContain('<!-- list "setup" -->');
});

test('readers see the table with the numbers of its parts', async () => {
  await page.getByRole('button', { name: 'On the web' }).click();
  const web = page.getByRole('dialog', { name: 'On the web' });
  await web.getByRole('button', { name: 'Publish' }).click();
  await web.getByText('Edition 1').waitFor();
  const link = (await web.locator('code').textContent()) ?? '';
  const { page: visitor, complaints: theirs } = await openPage(browser);
  await visitor.goto(link);
  const table = visitor.getByRole('img', { name: /^1: 2 × / });
  await expect.poll(() => table.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1_600);
  const legend = visitor.getByRole('article').getByRole('listitem');
  await legend.filter({ hasText: 'discard' }).waitFor();
  await visitor.setViewportSize({ width: 390, height: 844 });
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await faultsInBoth(visitor, 'reader of the set-up')).toEqual([]);
  expect([...besidesRetries(complaints), ...theirs]).toEqual([]);
});
