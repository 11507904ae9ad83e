/** Cards in two languages: XLIFF there and back, what is missing and stale, and both languages on paper. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { exportProject } from '../../headless.ts';
import * as exportPage from '../../pages/export-page.ts';
import { chooseFile, chooseMore, confirmImport, createProject } from '../../pages/project-page.ts';
import { allSaved, cell, paste, tableShown, typeOver } from '../../pages/table-page.ts';
import { fieldOf, inState, paneOf, rowOf } from '../../pages/translation-page.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';
import { starforgedRows, toCsv } from '../../starforged.ts';

const PERSON = { name: 'Grace OMalley', email: 'grace@example.com', password: 'a long enough one' };
/** Cards that are translated, of 87. */
const TRANSLATED = 80;

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;
let project = '';
let names: string[] = [];

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Starforged');
  project = /decks\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  const rows = await starforgedRows();
  names = rows.map(([, name = '']) => name);
  await writeFile(at('assets.csv'), toCsv(rows));
  await chooseFile(page, at('assets.csv'));
  await confirmImport(page, 87);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const at = (name: string) => join(server.dataDir, name);
const pane = () => paneOf(page, 'German');
const table = () => page.getByRole('table');
const shot = (name: string) => exportPage.shot(page, name, () => page.waitForTimeout(600));

async function downloadXliff(file: string): Promise<string> {
  const offered = page.waitForEvent('download');
  await pane().getByRole('button', { name: 'XLIFF' }).click();
  await (await offered).saveAs(at(file));
  return readFile(at(file), 'utf8');
}

/** The file with a translation of every text of its first cards: the same words behind a German one. */
function translated(xliff: string): string {
  const cards = new Set<string>();
  return xliff.replace(/<unit id="(c\.[^."]+\.[^."]+)\.[\s\S]*?<\/unit>/g, (unit, card: string) => {
    cards.add(card);
    if (cards.size > TRANSLATED) return unit;
    return unit
      .replace('state="initial"', 'state="translated"')
      .replace(/<source>([\s\S]*?)<\/source>/, '$&<target>Wörter: $1</target>');
  });
}

test('a language is added on a page of its own, and its texts come from XLIFF', async () => {
  await chooseMore(page, 'Languages');
  await page.getByRole('heading', { name: 'One language so far' }).waitFor();
  await shot('languages-none');
  expect(await faultsInBoth(page, 'a project of one language')).toEqual([]);
  await page.getByRole('button', { name: 'Add a language' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a language' });
  await dialog.getByLabel('Language').fill('English');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('The project itself is in English.').waitFor();
  await dialog.getByLabel('Language').fill('German');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await pane().waitFor();
  await writeFile(at('de.xlf'), translated(await downloadXliff('empty.xlf')));
  await pane().getByRole('button', { name: 'Import', exact: true }).click();
  const window = page.getByRole('dialog', { name: 'Import German' });
  await window.getByLabel('XLIFF, Excel or CSV file').setInputFiles(at('de.xlf'));
  await window.getByText(/^\d+ to import, 0 unchanged, \d+ without a translation\.$/).waitFor();
  await shot('languages-import');
  await window.getByRole('button', { name: /^Import \d+ texts$/ }).click();
  await window.waitFor({ state: 'detached' });
  await pane().getByRole('tab', { name: 'Stale 0' }).waitFor();
  await shot('languages-texts');
  expect(await faultsInBoth(page, 'the texts of a language')).toEqual([]);
  for (const [button, file] of [
    ['Excel', 'de.xlsx'],
    ['CSV', 'de.csv'],
  ] as const) {
    const offered = page.waitForEvent('download');
    await pane().getByRole('button', { name: button }).click();
    await (await offered).saveAs(at(file));
    await pane().getByRole('button', { name: 'Import', exact: true }).click();
    await window.getByLabel('XLIFF, Excel or CSV file').setInputFiles(at(file));
    await window.getByText(/^0 to import, \d+ unchanged, \d+ without a translation\.$/).waitFor();
    await window.getByRole('button', { name: 'Cancel' }).click();
    await window.waitFor({ state: 'detached' });
  }
  // The import comes out again as it was.
  const out = await downloadXliff('out.xlf');
  expect(out.match(/<target>/g)?.length).toBe(
    (await readFile(at('de.xlf'), 'utf8')).match(/<target>/g)?.length,
  );
});

test('the seven cards without a translation are counted, and named on the export page', async () => {
  await page.goto(`${server.origin}/decks/${project}/languages`);
  const row = table().getByRole('row').filter({ hasText: 'German' });
  await row.waitFor();
  expect((await row.getByRole('cell').allInnerTexts()).slice(2)).toEqual(['0', '0', '0', '7', '–', '–', '–']);
  await page.getByRole('button', { name: 'Check how texts fit in every language' }).click();
  await row.getByText(/^\d+\.\d pt$/).waitFor({ timeout: 120_000 });
  await shot('languages-table-checked');
  // A number leads to the first text that it counts.
  await row.getByRole('link', { name: /^German: missing, \d+$/ }).click();
  const first = pane().getByRole('listitem').filter({ hasText: 'Missing' }).first().getByRole('textbox');
  await expect.poll(() => first.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.goBack();
  await row.waitFor();
  await shot('languages-table');
  expect(await faultsInBoth(page, 'languages and their states')).toEqual([]);
  await page.goto(`${server.origin}/decks/print/${project}`);
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'German' });
  await page.getByText('7 of 87 cards show the source').waitFor();
  await shot('export-language');
});

test('two PDFs have the same pages, and other words', async () => {
  await exportPage.download(page, 'Export PDF', at('de.pdf'));
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'English' });
  await page.getByText('7 of 87 cards show the source').waitFor({ state: 'detached' });
  await exportPage.download(page, 'Export PDF', at('en.pdf'));
  const [german, english] = await Promise.all([pdfText(at('de.pdf')), pdfText(at('en.pdf'))]);
  const [a, b] = await Promise.all([pdfInfo(at('de.pdf')), pdfInfo(at('en.pdf'))]);
  expect([a['Pages'], a['Page size']]).toEqual([b['Pages'], b['Page size']]);
  await checkPdf(at('de.pdf'));
  const flat = (text: string) => text.replace(/[\s-]+/g, '');
  expect(flat(german)).toContain(flat(`Wörter: ${names[0]}`));
  expect(flat(english)).not.toContain('Wörter:');
  for (const name of names) expect(flat(german)).toContain(flat(name));
  // Each language has prints of its own.
  await page.locator('summary', { hasText: 'Cards' }).first().click();
  const since = page.getByLabel('Only what changed');
  await since.selectOption('2');
  await page.getByText('No card looks different from print 2.').waitFor();
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'German' });
  await page.getByText('Prints in German.').waitFor();
  expect(await since.getByRole('option').count()).toBe(2);
  await since.selectOption('1');
  await page.getByText('No card looks different from print 1.').waitFor();
  await shot('export-since');
});

/** A ZIP's files by name. */
const unzipped = async (file: string) => unzipSync(new Uint8Array(await readFile(at(file))));

test('both languages come in one ZIP, with the language in the name of each file', async () => {
  await page.goto(`${server.origin}/decks/print/${project}?language=de`);
  await page.getByRole('group', { name: 'Also in' }).getByLabel('English').click();
  await page.getByText('One ZIP with a file of each of 2 languages.').waitFor();
  await shot('export-several');
  expect(await faultsInBoth(page, 'an export in two languages')).toEqual([]);
  await exportPage.download(page, 'Export PDF', at('both.zip'));
  const pdfs = await unzipped('both.zip');
  expect(Object.keys(pdfs)).toEqual([expect.stringMatching(/ de\.pdf$/), expect.stringMatching(/ en\.pdf$/)]);
  for (const [name, bytes] of Object.entries(pdfs)) {
    await writeFile(at('one.pdf'), bytes);
    await checkPdf(at('one.pdf'));
    expect(await pdfText(at('one.pdf'))).toBe(
      await pdfText(at(name.endsWith('de.pdf') ? 'de.pdf' : 'en.pdf')),
    );
  }
  // Both prints are noted: neither language has anything new since.
  await page.locator('summary', { hasText: 'Cards' }).first().click();
  await page.getByLabel('Only what changed').selectOption('3');
  await page.getByText('No card looks different from print 3.').waitFor();
  await page.getByRole('button', { name: 'Export PDF' }).click();
  await page.getByText('There is nothing to print in any of these languages.').waitFor({ timeout: 60_000 });
  // Pictures come as a ZIP of each language, as a printing house takes it.
  await page.goto(`${server.origin}/decks/print/${project}?language=de&also=en,fr&to=pictures`);
  await page.getByText('not translated into it: French').waitFor();
  await page.getByLabel('Per cent').fill('10');
  await page.getByLabel('Per cent').blur();
  await exportPage.download(page, 'Export pictures', at('pictures.zip'));
  const zips = await unzipped('pictures.zip');
  expect(Object.keys(zips)).toEqual([expect.stringMatching(/ de\.zip$/), expect.stringMatching(/ en\.zip$/)]);
  for (const bytes of Object.values(zips)) {
    expect(Object.keys(unzipSync(bytes)).filter((name) => name.endsWith('.png'))).toHaveLength(87);
  }
});

test('the command line makes the same words, says what is missing, and names the languages there are', async () => {
  const { stderr } = await exportProject(server, PERSON, 'Starforged', at('cli.pdf'), ['--language', 'de']);
  expect(stderr).toContain('German: 7 of 87 cards show the source.');
  expect(await pdfText(at('cli.pdf'))).toContain('Wörter:');
  const refused = exportProject(server, PERSON, 'Starforged', at('no.pdf'), ['--language', 'fr']);
  await expect(refused).rejects.toThrow('are not translated into “fr”. There is: en, de.');
  // Several languages make a file each, or none where one is not there.
  const several = (tags: string, file: string) =>
    exportProject(server, PERSON, 'Starforged', at(file), ['--language', tags]);
  await expect(several('de,fr', 'none.pdf')).rejects.toThrow('are not translated into “fr”.');
  await expect(readFile(at('none-de.pdf'))).rejects.toThrow('ENOENT');
  const both = await several('en,de', 'both.pdf');
  expect(both.stderr).toMatch(/both-en\.pdf: \d+ pages[\s\S]*both-de\.pdf: \d+ pages/);
  expect(await pdfText(at('both-de.pdf'))).toContain('Wörter:');
  expect(await pdfText(at('both-en.pdf'))).not.toContain('Wörter:');
});

test('one changed cell makes exactly one text stale, whose difference is shown; it is accepted, and undone', async () => {
  await page.goto(`${server.origin}/decks/${project}`);
  await tableShown(page);
  await cell(page, names[0] ?? '').click();
  await typeOver(page, `${names[0]} II`);
  await allSaved(page);
  await page.goto(`${server.origin}/decks/${project}/languages?language=de`);
  await pane().getByRole('tab', { name: 'Stale 1' }).click();
  const rows = pane().getByRole('list', { name: 'Texts' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(1);
  expect(await pane().locator('ins').allInnerTexts()).toEqual([' II']);
  await shot('languages-stale');
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.getByRole('button', { name: 'Check how texts fit' }).click();
  await checks.getByRole('button', { name: 'Check again how texts fit' }).waitFor({ timeout: 120_000 });
  await shot('languages-checks');
  expect(await faultsInBoth(page, 'the checks of a language')).toEqual([]);
  await pane().getByRole('button', { name: 'Accept as it is' }).click();
  await inState(pane(), `${names[0]} II`, 'Done');
  await pane().getByRole('button', { name: 'Undo an acceptance' }).click();
  await inState(pane(), `${names[0]} II`, 'Stale');
  // The German card prints as before, so the ZIP of what changed has the English one alone.
  await page.goto(`${server.origin}/decks/print/${project}?language=de&also=en`);
  await page.locator('summary', { hasText: 'Cards' }).first().click();
  await page.getByLabel('Only what changed').selectOption('3');
  await page.getByText('No card looks different from print 3.').waitFor();
  await exportPage.download(page, 'Export PDF', at('changed.zip'));
  const changed = Object.entries(await unzipped('changed.zip'));
  expect(changed.map(([name]) => name)).toEqual([expect.stringMatching(/ en\.pdf$/)]);
  await writeFile(at('changed.pdf'), changed[0]?.[1] ?? new Uint8Array());
  expect((await pdfInfo(at('changed.pdf')))['Pages']).toBe('1');
});

test('a language that is removed comes back whole', async () => {
  await page.goto(`${server.origin}/decks/${project}/languages?language=de`);
  await pane().getByRole('tab', { name: 'Stale 1' }).waitFor();
  const before = await downloadXliff('before.xlf');
  await pane().getByRole('button', { name: 'Remove German' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'One language so far' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await table().getByRole('link', { name: 'German', exact: true }).click();
  await pane().getByRole('tab', { name: 'Stale 1' }).waitFor();
  expect(await downloadXliff('after.xlf')).toBe(before);
});

test('a copy of the project has its languages, and takes no file of the first', async () => {
  const before = (await readFile(at('after.xlf'), 'utf8')).match(/<target>[\s\S]*?<\/target>/g);
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('button', { name: 'More for Starforged', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click();
  await page.getByRole('link', { name: 'Open Starforged copy' }).click();
  await chooseMore(page, 'Languages');
  await table().getByRole('link', { name: 'German', exact: true }).click();
  await pane().getByRole('tab', { name: 'Stale 1' }).waitFor();
  const copy = await downloadXliff('copy.xlf');
  expect(copy.match(/<target>[\s\S]*?<\/target>/g)).toEqual(before);
  // A file of the first is none of the copy.
  await pane().getByRole('button', { name: 'Import', exact: true }).click();
  const window = page.getByRole('dialog', { name: 'Import German' });
  await window.getByLabel('XLIFF, Excel or CSV file').setInputFiles(at('after.xlf'));
  await window
    .getByText('The file is a translation of another project “Starforged”: open it there.')
    .waitFor();
  await page.goto(`${server.origin}/decks/${project}/languages?language=de`);
  await pane().getByRole('tab', { name: 'Stale 1' }).waitFor();
});

test('a placeholder that the source does not have is refused with its place, by keyboard alone', async () => {
  await pane().getByRole('tab', { name: 'Stale 1' }).focus();
  await page.keyboard.press('Enter');
  const row = rowOf(pane(), `${names[0]} II`);
  await fieldOf(pane(), `${names[0]} II`).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Schiff {Category}');
  await page.keyboard.press('Control+Enter');
  await row.getByText('The placeholder {Category} beside “Schiff” is not in the source').waitFor();
  await row.getByText('Not saved').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Schiff');
  await page.keyboard.press('Control+Enter');
  await inState(pane(), `${names[0]} II`, 'Done');
});

test('a translation that no longer fits its zone is found, and the finding leads to it', async () => {
  const field = fieldOf(pane(), `${names[0]} II`);
  await field.fill('Sternenschiffsverbandsgemeinschaft '.repeat(40).trim());
  await field.press('Control+Enter');
  await inState(pane(), `${names[0]} II`, 'Done');
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.getByRole('button', { name: /^Check (again )?how texts fit$/ }).click();
  await checks.getByRole('heading', { name: 'Text does not fit 1' }).waitFor({ timeout: 120_000 });
  await shot('languages-overflow');
  expect(await faultsInBoth(page, 'what does not fit')).toEqual([]);
  await checks
    .getByRole('button', { name: /Sternenschiff|does not fit|II · Name/ })
    .first()
    .click();
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
});

test('texts that translate a term in another way, or call a card by another name, are marked', async () => {
  const terms = page.getByRole('region', { name: 'Terms', exact: true });
  for (const [term, words] of [
    ['Starship II', 'Sternenschiff'],
    ['asset', 'Besitz'],
  ] as const) {
    await terms.getByLabel('Term', { exact: true }).fill(term);
    await terms.getByLabel('Translation', { exact: true }).fill(words);
    await page.keyboard.press('Enter');
    await terms.getByLabel(`Translation of the term ${term}`).waitFor();
  }
  await terms.getByLabel('Term', { exact: true }).fill('ASSET');
  await terms.getByLabel('Translation', { exact: true }).fill('x');
  await page.keyboard.press('Enter');
  await terms.getByText('“asset” is in the list already').waitFor();
  await pane()
    .getByRole('tab', { name: /^Terms \d+$/ })
    .click();
  await pane().getByText('The term “asset” is translated as “Besitz”.').first().waitFor();
  await shot('languages-terms');
  expect(await faultsInBoth(page, 'terms')).toEqual([]);
  await terms.getByRole('button', { name: 'Remove the term asset' }).click();
  await pane().getByText('The term “asset” is translated').first().waitFor({ state: 'detached' });
  await pane().getByRole('tab', { name: /^All/ }).click();
});

test('the card table shows a language, and its cells are translated, refused and undone there', async () => {
  const toolbar = page.getByRole('toolbar', { name: 'Table' });
  const undo = toolbar.getByRole('button', { name: /^(Undo|Nothing to undo)/ });
  await page.goto(`${server.origin}/decks/${project}`);
  await tableShown(page);
  await toolbar.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: 'German' }).click();
  await cell(page, `Wörter: ${names[1]}`).waitFor();
  await shot('table-language');
  expect(await faultsInBoth(page, 'a table in a language')).toEqual([]);
  await cell(page, `Wörter: ${names[1]}`).click();
  await typeOver(page, 'Ganz anders');
  await cell(page, 'Ganz anders').click();
  await toolbar.getByRole('button', { name: /^Undo a translation/ }).waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, `Wörter: ${names[1]}`).waitFor();
  // A change of the table after a translation is taken back before it.
  // Another cell first: a click on the one under the cursor goes on with its text.
  await cell(page, names[2] ?? '').click();
  await cell(page, `Wörter: ${names[1]}`).click();
  await typeOver(page, 'Noch anders');
  await cell(page, names[2] ?? '').click();
  await typeOver(page, 'A new name');
  await allSaved(page);
  await undo.click();
  await cell(page, names[2] ?? '').waitFor();
  await cell(page, 'Noch anders').waitFor();
  await undo.click();
  await cell(page, `Wörter: ${names[1]}`).waitFor();
  // Two cells at once; the second has a placeholder that its source does not have.
  await cell(page, `Wörter: ${names[1]}`).click();
  await paste(page, 'Eins\nZwei {Category}');
  await page.getByText('A translation was not stored.').waitFor();
  await cell(page, 'Eins').waitFor();
  await page.locator('.sheet').getByText('Not saved').first().waitFor();
  await toolbar.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitem', { name: 'In place of their own words' }).click();
  await cell(page, names[1] ?? '').waitFor({ state: 'detached' });
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await cell(page, 'Eins').waitFor();
  await shot('table-language-alone');
  await page.getByRole('tab', { name: 'Cards', exact: true }).click();
  await page.getByRole('button', { name: 'Language: German' }).waitFor();
  await shot('cards-language');
  expect(await faultsInBoth(page, 'cards in a language')).toEqual([]);
  expect(besidesRetries(complaints)).toEqual([]);
});
