/** A rulebook is written by the keyboard, set as pages, written on by two at once, and read back from its PDF. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { createProject } from '../../pages/project-page.ts';
import { insert, pagesOf, painted, saved, text, wordsOf } from '../../pages/rulebook-page.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Anne Bonny', email: 'anne@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Driftglass');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a rulebook is made from a skeleton, and opens with its pages beside it', async () => {
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rulebooks' });
  await dialog.getByText('No rulebook yet.').waitFor();
  expect(await faultsInBoth(page, 'no rulebooks')).toEqual([]);
  await dialog.getByRole('button', { name: 'New rulebook' }).click();
  await dialog.getByLabel('Title').fill('Rules of Driftglass');
  await dialog.getByLabel('Begin with').selectOption({ label: 'On two pages' });
  await dialog.getByRole('button', { name: 'Make rulebook' }).click();
  await page.getByRole('heading', { name: 'Rules of Driftglass', level: 1 }).waitFor();
  await text(page).getByRole('heading', { name: 'Goal' }).waitFor();
  await painted(page);
  expect(await pagesOf(page).count()).toBeGreaterThan(0);
});

test('it is written by the keyboard alone, and what is written is there after a reload', async () => {
  await text(page).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type('# The storm has passed');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Shells lie on the beach. ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('Take them');
  await page.keyboard.press('Control+b');
  await page.keyboard.type(' before the tide does.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- One shell');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Two shells');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/');
  const dialog = page.getByRole('dialog', { name: 'Insert' });
  await dialog.getByLabel('Block or inline').fill('definition');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  // Its term comes first, and then its meaning.
  await page.keyboard.type('Found');
  await page.keyboard.press('Enter');
  await page.keyboard.type('What the sea gives back.');
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.type('Find');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+End');
  await insert(page, 'table');
  await page.keyboard.type('Tide');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Effect');
  await page.keyboard.press('Control+End');
  await insert(page, 'example');
  await page.keyboard.type('Mira takes two shells.');
  await page.keyboard.press('Control+End');
  await insert(page, 'contents');
  await saved(page);
  await page.reload();
  await text(page).getByRole('heading', { name: 'The storm has passed' }).waitFor();
  await text(page).getByText('Take them').waitFor();
  expect(await text(page).locator('strong').allInnerTexts()).toEqual(['Take them']);
  expect(await text(page).locator('li').allInnerTexts()).toEqual(['One shell', 'Two shells']);
  expect(await text(page).locator('td').first().textContent()).toBe('Tide');
  for (const words of ['Find', 'What the sea gives back.', 'Mira takes two shells.']) {
    await text(page).getByText(words, { exact: true }).waitFor();
  }
  await painted(page);
  expect(await faultsInBoth(page, 'rulebook')).toEqual([]);
});

test('a click on a page goes to its text, and the checks lead to what they find', async () => {
  await pagesOf(page)
    .first()
    .click({ position: { x: 60, y: 120 } });
  await expect
    .poll(() => text(page).evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await page.getByRole('tab', { name: /Checks/ }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.getByText('Find is defined and used neither').waitFor();
  expect(await faultsInBoth(page, 'checks')).toEqual([]);
  await checks.getByRole('button', { name: 'Show' }).first().click();
  await page.getByLabel('Term').waitFor();
  await page.getByRole('tab', { name: /Pages/ }).click();
});

test('a column of a table is aligned, in the text, on its page and after a reload', async () => {
  await text(page).getByText('Effect', { exact: true }).click();
  await page.getByLabel('Text of the column').selectOption({ label: 'Right' });
  const aligned = text(page).locator('td[data-align="right"]');
  await expect.poll(() => aligned.count()).toBe(3);
  expect(await aligned.first().evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('right');
  expect(await faultsInBoth(page, 'an aligned column')).toEqual([]);
  await saved(page);
  await page.reload();
  await expect.poll(() => aligned.count()).toBe(3);
});

test('two write at once, one of them offline for a while, and no word is lost', async () => {
  const two = await context.newPage();
  await two.goto(page.url());
  await text(two).getByText('Take them').waitFor();
  await text(page).getByText('Mira takes two shells.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Then she waits.');
  await text(two).getByText('Then she waits.').waitFor();
  await page.route(/firestore|Listen|documents/i, (route) => route.abort());
  await page.keyboard.type(' She wrote this offline.');
  await page.getByRole('status').filter({ hasText: 'Not saved' }).waitFor();
  await text(two).getByText('One shell').click();
  await two.keyboard.press('End');
  await two.keyboard.type(' for you');
  await saved(two);
  await page.unroute(/firestore|Listen|documents/i);
  for (const on of [page, two]) {
    await text(on).getByText('She wrote this offline.').waitFor({ timeout: 60_000 });
    await text(on).getByText('One shell for you').waitFor({ timeout: 60_000 });
  }
  await Promise.all([saved(page), saved(two)]);
  await expect.poll(() => wordsOf(text(page))).toEqual(await wordsOf(text(two)));
  await text(two).focus();
  // Words that came slowly are several acts. All acts of this window are those words.
  await expect
    .poll(async () => {
      await two.keyboard.press('Control+z');
      return wordsOf(text(two).locator('li'));
    })
    .toEqual(['One shell', 'Two shells']);
  await expect.poll(() => wordsOf(text(page).locator('li'))).toEqual(['One shell', 'Two shells']);
  expect(await text(page).textContent()).toContain('She wrote this offline.');
  await two.close();
});

test('its PDF, booklet and zine are sound, and say what was written', async () => {
  await page.getByRole('button', { name: 'Settings of the rulebook' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of the rulebook' });
  await settings.getByLabel('Subtitle').fill('A game of tides');
  await settings.getByLabel('House style').selectOption({ index: 1 });
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  for (const [label, words] of [
    ['PDF to read', 'A game of tides'],
    ['Booklet to print', 'The storm has passed'],
    ['Zine of one sheet', 'The storm has passed'],
  ] as const) {
    await dialog.getByRole('radio', { name: label }).check();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Make the file' }).click();
    const file = join(server.dataDir, `${label}.pdf`);
    await (await download).saveAs(file);
    expect(await checkPdf(file)).toContain('No syntax or stream encoding errors');
    const read = await pdfText(file);
    expect(read).toContain(words);
    expect(read).toContain('She wrote this offline.');
    if (label === 'PDF to read') expect((await pdfInfo(file))['Tagged']).toBe('yes');
  }
  expect(await faultsInBoth(page, 'export')).toEqual([]);
  await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();
});

test('its Markdown begins another rulebook', async () => {
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('radio', { name: 'Markdown' }).check();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Make the file' }).click();
  const file = join(server.dataDir, 'Rules.md');
  await (await download).saveAs(file);
  const words = await readFile(file, 'utf8');
  for (const line of ['# The storm has passed', 'Find\n: What the sea gives back.', '- Two shells']) {
    expect(words).toContain(line);
  }
  await dialog.locator('footer').getByRole('button', { name: 'Close' }).click();
  const before = await wordsOf(text(page));
  const address = page.url();
  await page.getByRole('link', { name: 'Back to the project' }).click();
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  const list = page.getByRole('dialog', { name: 'Rulebooks' });
  await list.getByRole('button', { name: 'New rulebook' }).click();
  await list.getByLabel('Begin with').selectOption({ label: 'A file of Markdown' });
  expect(await list.getByRole('button', { name: 'Make rulebook' }).isDisabled()).toBe(true);
  await list.getByLabel('Markdown file').setInputFiles(file);
  await list.getByText('Rules.md: ').waitFor();
  expect(await list.getByLabel('Title').inputValue()).toBe('Rules of Driftglass');
  expect(await faultsInBoth(page, 'from Markdown')).toEqual([]);
  await list.getByLabel('Title').fill('The same again');
  await list.getByRole('button', { name: 'Make rulebook' }).click();
  await page.getByRole('heading', { name: 'The same again', level: 1 }).waitFor();
  await text(page).getByRole('heading', { name: 'The storm has passed' }).waitFor();
  await expect.poll(() => wordsOf(text(page))).toEqual(before);
  await page.goto(address);
  await text(page).getByText('She wrote this offline.').waitFor();
});

test('the project lists it; a deletion can be taken back', async () => {
  await page.getByRole('link', { name: 'Back to the project' }).click();
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rulebooks' });
  const more = dialog.getByRole('button', { name: 'More about Rules of Driftglass' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog.getByLabel('New name of Rules of Driftglass').fill('Driftglass: rules');
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: /Driftglass: rules/ }).waitFor();
  await dialog.getByRole('button', { name: 'More about Driftglass: rules' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByText('Driftglass: rules, deleted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByRole('link', { name: /Driftglass: rules/ }).click();
  await text(page).getByText('She wrote this offline.').waitFor();
  const offline = (complaint: string) => complaint.includes('net::ERR_FAILED');
  expect(besidesRetries(complaints).filter((one) => !offline(one))).toEqual([]);
});
