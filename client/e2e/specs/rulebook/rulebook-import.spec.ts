/** Rulebooks that begin with a Word document, or with the rows of a component; and a document put into one. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import type { Complaints } from '../../browser.ts';
import { Turnstile } from '../../pages/images-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { createRulebook, insert, painted, saved, text } from '../../pages/rulebook-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Mary Read', email: 'mary@example.com', password: 'a long enough one' };
const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../src/core/book/docx/fixtures/${name}`, import.meta.url));

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let folder: string;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  folder = await mkdtemp(join(tmpdir(), 'tuckbox-import-'));
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Tide and Stone');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function newRulebook(begin: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rulebooks' });
  await dialog.getByRole('button', { name: 'New rulebook' }).click();
  await dialog.getByLabel('Begin with').selectOption({ label: begin });
  return dialog;
}

/** Writes at the end of a paragraph: the editor knows then that the cursor is there. */
async function writeAfter(paragraph: string, words: string): Promise<void> {
  await text(page).getByText(paragraph).click();
  await page.keyboard.press('End');
  await page.keyboard.type(words);
  await text(page).getByText(words.trim()).waitFor();
}

const headings = () => text(page).getByRole('heading').allInnerTexts();

test('a rulebook begins with a Word document, its pictures are in the project, and what is lost is said', async () => {
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('rulebook-docx')) loaded.push(request.url());
  });
  const dialog = await newRulebook('A Word document');
  const field = dialog.getByLabel('Word document');
  const old = join(folder, 'old.doc');
  await writeFile(old, Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]));
  expect(loaded).toEqual([]);
  await field.setInputFiles(old);
  await dialog.getByText('old.doc cannot be read. It is a Word document of the older kind (.doc).').waitFor();
  expect(await dialog.getByRole('button', { name: 'Make rulebook' }).isDisabled()).toBe(true);
  expect(await faultsInBoth(page, 'a refused document')).toEqual([]);
  await field.setInputFiles(fixture('word-like.docx'));
  await dialog.getByText('word-like.docx: 15 blocks, 2 pictures').waitFor();
  await dialog.getByText('2 merged cells are divided').waitFor();
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Tide and Stone');
  expect(await faultsInBoth(page, 'a document that was read')).toEqual([]);
  // Pictures that wait for the server are given up, and nothing is made.
  const turnstile = new Turnstile();
  await turnstile.install(page);
  turnstile.allow(1);
  await dialog.getByRole('button', { name: 'Make rulebook' }).click();
  await dialog.getByText('1 of 2 pictures are in the project.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByText('of 2 pictures').waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Tide and Stone');
  turnstile.allow(10);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await dialog.getByRole('button', { name: 'Make rulebook' }).click();
  const report = page.getByRole('dialog', { name: 'The text was inserted' });
  await report.getByText('Headers and footers are gone').waitFor();
  expect(await faultsInBoth(page, 'what was not taken over')).toEqual([]);
  await report.getByRole('button', { name: 'Go on' }).click();
  await report.waitFor({ state: 'detached' });
  // It is not said again when the page is loaded again.
  expect(await page.evaluate(() => window.history.state?.usr ?? null)).toBe(null);
  await expect.poll(headings).toEqual(['Set-up', 'Scoring', 'Details']);
  await text(page).getByText('The land at low tide').waitFor();
  await expect.poll(() => text(page).locator('td').count()).toBe(12);
  await painted(page);
  // Every picture was found for the pages.
  await page.getByRole('tab', { name: /Checks/ }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.waitFor();
  expect(await checks.getByText('is not in the library').count()).toBe(0);
  await page.getByRole('tab', { name: /Pages/ }).click();
});

test('one undo takes the new rulebook back', async () => {
  await page.getByRole('link', { name: 'Back to the project' }).click();
  const dialog = await newRulebook('A Word document');
  await dialog.getByLabel('Word document').setInputFiles(fixture('word-like.docx'));
  await dialog.getByText('word-like.docx: 15 blocks, 2 pictures').waitFor();
  await dialog.getByLabel('Title').fill('Made by mistake');
  await dialog.getByRole('button', { name: 'Make rulebook' }).click();
  const made = page.getByRole('status').filter({ hasText: 'Made by mistake is made.' });
  await made.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  await dialog.getByText('Made by mistake, deleted').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a document is put below the cursor, and one undo takes it back', async () => {
  await createRulebook(page, 'Long rules', 'Nothing');
  await text(page).focus();
  await page.keyboard.type('Before.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('After.');
  await writeAfter('Before.', ' Still.');
  await insert(page, 'text of a file');
  const dialog = page.getByRole('dialog', { name: 'Text of a file' });
  await dialog.getByLabel('Word document or Markdown').setInputFiles(fixture('pandoc.docx'));
  await dialog.getByText('2 footnotes and endnotes are notes').waitFor();
  expect(await faultsInBoth(page, 'a document to insert')).toEqual([]);
  await dialog.getByRole('button', { name: 'Insert', exact: true }).click();
  const report = page.getByRole('dialog', { name: 'The text was inserted' });
  await report.getByText('1 equation was left out').waitFor();
  await report.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(headings).toEqual(['The Long Tide', 'Turns']);
  const words = (await text(page).textContent()) ?? '';
  expect(words.indexOf('Before.')).toBeLessThan(words.indexOf('The Long Tide'));
  expect(words.indexOf('Strong struck')).toBeLessThan(words.indexOf('After.'));
  await saved(page);
  await page.reload();
  await text(page).getByText('Phases come in this order.').waitFor();
  // Undo is of this page alone: once more, and back.
  await writeAfter('Before.', ' More.');
  await insert(page, 'text of a file');
  await dialog.getByLabel('Word document or Markdown').setInputFiles(fixture('contents.docx'));
  await dialog.getByText('contents.docx: 5 blocks').waitFor();
  await dialog.getByRole('button', { name: 'Insert', exact: true }).click();
  await report.getByRole('button', { name: 'Go on' }).click();
  await text(page).getByRole('heading', { name: 'One' }).waitFor();
  // The text takes the cursor once the window is gone.
  await report.waitFor({ state: 'detached' });
  await expect
    .poll(() => text(page).evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await page.keyboard.press('Control+z');
  await expect.poll(headings).toEqual(['The Long Tide', 'Turns']);
  await saved(page);
});

test('a rulebook begins with the rows of a component, in their order', async () => {
  await page.getByRole('link', { name: 'Back to the project' }).click();
  const list = join(folder, 'Rules text.csv');
  await writeFile(
    list,
    [
      'Chapter,Text,Remark',
      'Set-up,Take **five** cards.,short',
      'A turn,Draw. / Play.,',
      'The end,Count.,',
    ].join('\n'),
  );
  await chooseFile(page, list);
  await confirmImport(page, 3);
  const dialog = await newRulebook('A component of the project');
  await dialog.getByText('3 rows, in their order.').waitFor();
  await expect.poll(() => dialog.getByLabel('Headings from').inputValue()).not.toBe('');
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Text' }).isChecked()).toBe(true);
  await dialog.getByRole('checkbox', { name: 'Remark' }).check();
  expect(await faultsInBoth(page, 'rows of a component')).toEqual([]);
  await dialog.getByRole('button', { name: 'Make rulebook' }).click();
  await page.getByRole('heading', { name: 'Rules text', level: 1 }).waitFor();
  await text(page).getByRole('heading', { name: 'The end' }).waitFor();
  await expect.poll(headings).toEqual(['Set-up', 'A turn', 'The end']);
  expect(await text(page).locator('p').allInnerTexts()).toEqual([
    'Take five cards.',
    'short',
    'Draw.',
    'Play.',
    'Count.',
  ]);
  expect(await text(page).locator('strong').allInnerTexts()).toEqual(['five']);
});

test('nothing complained', () => {
  expect(complaints).toEqual([]);
});
