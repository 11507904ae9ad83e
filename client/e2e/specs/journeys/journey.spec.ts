/** The main job, once from end to end: an account, a real card list, a layout drawn by hand, a PDF. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { addColumnText, type Place, saved } from '../../pages/editor-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import { Server } from '../../server.ts';
import { starforgedRows, toCsv } from '../../starforged.ts';

const PERSON = { name: 'Ada Verne', email: 'ada@example.com', password: 'a long enough one' };
/** Places of the columns on a poker card of 63.5 × 88.9 mm. */
const PLACES: Readonly<Record<string, Place>> = {
  Name: { x: 5, y: 5, w: 53.5, h: 8 },
  Category: { x: 5, y: 14, w: 53.5, h: 6 },
  'Ability 1': { x: 5, y: 21, w: 53.5, h: 20 },
  'Ability 2': { x: 5, y: 42, w: 53.5, h: 20 },
  'Ability 3': { x: 5, y: 63, w: 53.5, h: 20 },
};

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a designer signs up, imports, designs, survives a kill -9, and prints', async () => {
  const { context, page, complaints } = await openPage(browser);
  const rows = await starforgedRows();
  expect(rows).toHaveLength(87);

  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
  await createProject(page, 'Starforged');
  const list = join(server.dataDir, 'starforged_assets.csv');
  await writeFile(list, toCsv(rows));
  await chooseFile(page, list);
  await confirmImport(page, rows.length);

  await page.getByRole('button', { name: 'Empty layout' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  for (const [column, place] of Object.entries(PLACES)) await addColumnText(page, column, place);
  await saved(page);
  const editor = page.url();

  await server.kill9();
  await server.restart();
  await page.goto(editor);
  const layers = page.getByRole('complementary', { name: 'Layers' });
  for (const column of Object.keys(PLACES)) await layers.getByText(column, { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText(`${rows.length} cards`).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export PDF' }).click();
  await page.getByRole('link', { name: /^Download / }).click();
  const download = await making;
  const file = join(server.dataDir, 'deck.pdf');
  await download.saveAs(file);

  const info = await pdfInfo(file);
  expect(info['Pages']).toBe('10');
  expect(info['Page size']).toMatch(/^595\.\d+ x 841\.\d+ pts \(A4\)/);
  await checkPdf(file);
  const text = await pdfText(file);
  for (const [, name = ''] of rows) expect(text).toContain(name);

  // The kill broke connections that the page then found again: those are no fault of the page.
  const faults = complaints.filter(
    (line) => !/ERR_CONNECTION|Failed to fetch|network|ERR_INCOMPLETE/i.test(line),
  );
  expect(faults).toEqual([]);
  await context.close();
});
