/**
 * The Starforged deck from nothing, as a designer would: the card list comes in, the card is drawn in the
 * editor, tried with long and short samples, and all 87 cards are looked at. `TUCKBOX_SHOTS=DIR` keeps pictures.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { layers, type Place, properties, saved, setNumber } from '../../pages/editor-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { Server } from '../../server.ts';
import { starforgedRows, toCsv } from '../../starforged.ts';

const PERSON = { name: 'Ada Verne', email: 'ada@example.com', password: 'a long enough one' };
const ABILITIES = ['Ability 1', 'Ability 2', 'Ability 3'] as const;

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, complaints } = await openPage(browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function shot(name: string): Promise<void> {
  const folder = process.env['TUCKBOX_SHOTS'];
  if (!folder) return;
  await page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'));
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of ['light', 'dark'] as const) {
      const toggle = page.getByRole('button', { name: theme === 'dark' ? 'Dark theme' : 'Light theme' });
      if (await toggle.isVisible()) await toggle.click();
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const field = (label: string) => properties(page).getByLabel(label, { exact: true });
const pick = (label: string, option: string) => field(label).selectOption({ label: option });
async function pickFont(family: string): Promise<void> {
  await properties(page).getByRole('button', { name: 'Font', exact: true }).click();
  const search = page.getByRole('dialog', { name: 'Fonts' }).getByLabel('Search fonts');
  await search.fill(family);
  await page.getByRole('option', { name: family, exact: true }).first().click();
  await search.waitFor({ state: 'hidden' });
}
async function place({ x, y, w, h }: Place): Promise<void> {
  await setNumber(page, 'X', x);
  await setNumber(page, 'Y', y);
  await setNumber(page, 'Width', w);
  await setNumber(page, 'Height', h);
}
async function colour(label: string, value: string): Promise<void> {
  await field(label).fill(value);
  await field(label).press('Tab');
}
async function add(kind: 'text' | 'shape', name: string, box: Place): Promise<void> {
  await page.getByRole('button', { name: `Add ${kind}` }).click();
  await field('Name').fill(name);
  await place(box);
}

test('from a card list to a deck that could be printed', async () => {
  const rows = await starforgedRows();
  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
  await createProject(page, 'Starforged');
  const list = join(server.dataDir, 'starforged.csv');
  await writeFile(list, toCsv(rows));
  await chooseFile(page, list);
  await confirmImport(page, rows.length);
  await page.getByRole('button', { name: 'Empty layout' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  await page.getByRole('button', { name: 'Add text' }).waitFor();

  // The card: paper with a band of the category's colour, in which the name stands.
  await colour('Fill colour', '#f5f1e8');
  await add('shape', 'Band', { x: -3.2, y: -3.2, w: 69.9, h: 23.5 });
  await pick('Fill', 'Column: Color');
  await add('text', 'Title', { x: 5, y: 5, w: 53.5, h: 8 });
  await pick('Content', 'Column: Name');
  await pickFont('Cinzel');
  await setNumber(page, 'Size', 15);
  await colour('Text colour', '#ffffff');
  await pick('Too much text', 'Shrink to fit');
  await add('text', 'Kind', { x: 5, y: 13, w: 53.5, h: 4 });
  await pick('Content', 'Column: Category');
  await pickFont('Oswald');
  await setNumber(page, 'Size', 6.5);
  await pick('Letters', 'CAPITALS');
  await setNumber(page, 'Letter spacing', 12);
  await colour('Text colour', '#ffffffd9');

  // Three abilities: one drawn with care, the others copies of it, all set in one size.
  for (const [at, column] of ABILITIES.entries()) {
    const y = 22.5 + at * 21;
    if (at === 0) {
      await add('text', column, { x: 5, y, w: 53.5, h: 19.5 });
      await pickFont('EB Garamond');
      await setNumber(page, 'Size', 9.5);
      await pick('Too much text', 'Shrink on all cards alike');
      await setNumber(page, 'Padding', 2);
      await page.getByRole('button', { name: 'Align middle', exact: true }).click();
      await pick('Own fill', 'Colour');
      await colour('Fill colour', '#ffffff');
      await setNumber(page, 'Corner radius', 1.5);
      await setNumber(page, 'Line', 0.25);
      await colour('Line colour', '#d9cfbb');
    } else {
      await page.keyboard.press('Control+d');
      await field('Name').fill(column);
      await place({ x: 5, y, w: 53.5, h: 19.5 });
    }
    await pick('Content', `Column: ${column}`);
    await field('Name').press('Tab');
    await layers(page).getByRole('button', { name: column, exact: true }).click();
  }
  await saved(page);
  await shot('starforged-editor');

  // Tried with more text than any card has, with hardly any, and with none.
  const bar = page.getByRole('group', { name: 'Card shown' });
  await bar.getByText(`1/${rows.length}`).waitFor();
  for (let step = 0; step < 3; step++) await bar.getByRole('button', { name: 'Next card' }).click();
  await bar.getByText(`4/${rows.length}`).waitFor();

  // A word of the text becomes an icon wherever it stands.
  await layers(page).getByRole('button', { name: 'Card', exact: true }).click();
  await page.getByRole('button', { name: 'Add a word, icon or style' }).click();
  await page.getByRole('menuitem', { name: 'Style' }).click();
  await field('Colour').fill('#8d2b14');
  await page.getByText('{Style: text} in a text').waitFor();
  await saved(page);
  await shot('starforged-card');

  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByText(`${rows.length} cards`).waitFor();
  await page.getByRole('tab', { name: 'Cards' }).click();
  await page.getByRole('button', { name: /Edit Starship/ }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'));
  await shot('starforged-cards');
  expect(complaints).toEqual([]);
});
