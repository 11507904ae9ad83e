/** A rulebook is translated: by hand, by XLIFF there and back, and out again as PDF, Markdown and on the web. */

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Block } from '../../../src/core/book/document/schema.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints, openPage } from '../../browser.ts';
import { exportProject } from '../../headless.ts';
import { createProject } from '../../pages/project-page.ts';
import { makeFile, saved, text } from '../../pages/rulebook-page.ts';
import {
  addLanguage,
  chooseLanguage,
  fieldOf,
  inState,
  paneOf,
  rowOf,
  translate,
} from '../../pages/translation-page.ts';
import { checkPdf, pdfText } from '../../pdf.ts';
import { putRulebook } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Anne Bonny', email: 'anne@example.com', password: 'a long enough one' };
const TITLE = 'Rules of Driftglass';
const run = promisify(execFile);

const words = (of: string) => ({ type: 'text' as const, text: of });
const BLOCKS: Block[] = [
  { type: 'heading', id: 'h1', level: 1, content: [words('Set-up')] },
  {
    type: 'paragraph',
    id: 'p1',
    content: [words('Each player takes '), { type: 'value', formula: '2 + 3' }, words(' shells.')],
  },
  {
    type: 'paragraph',
    id: 'p2',
    content: [
      { type: 'text', text: 'Beware', marks: ['strong'] },
      words(' of the '),
      { type: 'term', definition: 'd1', text: 'tide' },
      words('.'),
    ],
  },
  {
    type: 'callout',
    id: 'c1',
    kind: 'example',
    title: '',
    blocks: [{ type: 'paragraph', id: 'p3', content: [words('Anne takes the boat.')] }],
  },
  {
    type: 'table',
    id: 't1',
    caption: [],
    headRows: 1,
    rows: [
      [[words('Card')], [words('Points')]],
      [[words('Ebb')], [words('2')]],
    ],
  },
  {
    type: 'definition',
    id: 'd1',
    term: 'tide',
    variants: [],
    forbidden: [],
    content: [words('The water that comes.')],
  },
];
/** Every text of it, with its translation. */
const GERMAN: readonly (readonly [source: string | RegExp, german: string])[] = [
  [TITLE, 'Regeln von Driftglas'],
  ['Set-up', 'Aufbau'],
  ['Each player takes', 'Alle nehmen sich {{2 + 3}} Muscheln.'],
  ['Beware', 'Vor der <t d1>Flut</t> <b>nimm dich in Acht</b>.'],
  ['Anne takes', 'Anne nimmt das Boot.'],
  [/^Card$/, 'Karte'],
  [/^Points$/, 'Punkte'],
  [/^Ebb$/, 'Ebbe'],
  [/^tide$/, 'Flut'],
  ['The water', 'Das Wasser, das kommt.'],
];

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;
let user: RestUser;
let project = '';

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Driftglass');
  project = /decks\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  user = await RestUser.signIn(server.origin, PERSON);
  await putRulebook(user, project, { id: 'book', title: TITLE, blocks: BLOCKS });
  await page.goto(`${server.origin}/rulebook-maker/${project}/book`);
  await text(page).getByText('Each player takes').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const pane = () => paneOf(page, 'German');
const tab = (name: string) => page.getByRole('tab', { name });
const at = (name: string) => join(server.dataDir, name);

test('a language is added by its name; what is no language is refused', async () => {
  await chooseLanguage(page, 'Add a language…');
  const dialog = page.getByRole('dialog', { name: 'Add a language' });
  await dialog.getByLabel('Language').fill('Klingonisch!');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('is not a language tag').waitFor();
  expect(await faultsInBoth(page, 'adding a language')).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await addLanguage(page, 'German');
  await pane().getByText('0 of 10 done').waitFor();
  expect(await faultsInBoth(page, 'a translation')).toEqual([]);
});

test('a lost placeholder is refused with its place, what was typed stays, and the placeholder is put in again', async () => {
  const field = fieldOf(pane(), 'Each player takes');
  await field.fill('Alle nehmen sich Muscheln.');
  await field.press('Control+Enter');
  const row = rowOf(pane(), 'Each player takes');
  await row.getByText('The placeholder {{2 + 3}} of the source beside “shells.” is missing.').waitFor();
  await row.getByText('Not saved').waitFor();
  expect(await faultsInBoth(page, 'a refused translation')).toEqual([]);
  // Another language, and back: it is still there.
  await chooseLanguage(page, /the text itself/);
  await text(page).waitFor();
  await chooseLanguage(page, 'German');
  await expect.poll(() => field.inputValue()).toBe('Alle nehmen sich Muscheln.');
  await field.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(17, 17));
  await field.focus();
  await row.getByRole('button', { name: 'Insert {{2 + 3}}' }).click();
  await expect.poll(() => field.inputValue()).toBe('Alle nehmen sich {{2 + 3}}Muscheln.');
  await field.press('Control+Enter');
  await inState(pane(), 'Each player takes', 'Done');
});

test('all is translated by keys alone, and Undo takes a change back', async () => {
  await pane()
    .getByRole('button', { name: /Next open/ })
    .click();
  for (const [source, german] of GERMAN) {
    const field = fieldOf(pane(), source);
    const done = (await rowOf(pane(), source).getAttribute('data-state')) === 'done';
    if (!done) await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    else await field.focus();
    await field.fill(german);
    await page.keyboard.press('Control+Enter');
    await inState(pane(), source, 'Done');
  }
  await pane().getByText('10 of 10 done').waitFor();
  await translate(pane(), 'Set-up', 'Vorbereitung');
  await pane().getByRole('button', { name: 'Undo a change' }).click();
  await expect.poll(() => fieldOf(pane(), 'Set-up').inputValue()).toBe('Aufbau');
});

test('two people translate different texts at once', async () => {
  const other = await context.newPage();
  await other.goto(page.url());
  await chooseLanguage(other, 'German');
  const [mine, hers] = [pane(), paneOf(other, 'German')];
  await Promise.all([
    translate(mine, 'Anne takes', 'Anne nimmt sich das Boot.'),
    translate(hers, 'The water', 'Wasser, das kommt.'),
  ]);
  await expect.poll(() => fieldOf(hers, 'Anne takes').inputValue()).toBe('Anne nimmt sich das Boot.');
  await expect.poll(() => fieldOf(mine, 'The water').inputValue()).toBe('Wasser, das kommt.');
  await other.close();
});

test('a sentence that changes makes exactly one translation stale, with its difference', async () => {
  await chooseLanguage(page, /the text itself/);
  await text(page).getByText('Anne takes the boat.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' And an oar.');
  await saved(page);
  await tab('Checks').click();
  const finding = page.getByRole('listitem').filter({ hasText: 'has changed since it was translated' });
  await expect.poll(() => finding.count()).toBe(1);
  await finding.getByRole('button', { name: 'Translate' }).click();
  await expect
    .poll(() => fieldOf(pane(), 'Anne takes').evaluate((one) => one === document.activeElement))
    .toBe(true);
  await pane().getByRole('tab', { name: 'Stale 1' }).click();
  const rows = pane().getByRole('list', { name: 'Texts' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(() => pane().locator('ins').allInnerTexts()).toEqual([' And an oar.']);
  expect(await pane().locator('del').count()).toBe(0);
  expect(await faultsInBoth(page, 'a stale translation')).toEqual([]);
  await pane().getByRole('button', { name: 'Accept as it is' }).click();
  await inState(pane(), 'Anne takes', 'Done');
  await pane().getByRole('button', { name: 'Undo an acceptance' }).click();
  await inState(pane(), 'Anne takes', 'Stale');
  await pane().getByRole('tab', { name: /^All/ }).click();
});

async function download(file: string): Promise<string> {
  const offered = page.waitForEvent('download');
  await pane().getByRole('button', { name: 'XLIFF' }).click();
  await (await offered).saveAs(at(file));
  return readFile(at(file), 'utf8');
}

const window = () => page.getByRole('dialog', { name: 'Import German' });

async function choose(file: string): Promise<void> {
  await pane().getByRole('button', { name: 'Import' }).click();
  await window().getByLabel('XLIFF file').setInputFiles(at(file));
}

const closeWindow = async () => {
  await window().getByRole('button', { name: 'Cancel' }).click();
  await window().waitFor({ state: 'detached' });
};

test('XLIFF goes out, and back in after a look at what it changes; all of it is one undo', async () => {
  const xliff = await download('rules.xlf');
  await choose('rules.xlf');
  await window().getByText('0 to import, 10 unchanged.').waitFor();
  await closeWindow();
  const changed = xliff
    .replace('<target>Aufbau</target>', '<target>Spielaufbau</target>')
    .replace('<target>Punkte</target>', '<target>Siegpunkte</target>')
    .replace(/<target>Alle nehmen sich <ph[^>]*\/>/, '<target>Alle nehmen sich');
  await writeFile(at('changed.xlf'), changed);
  await choose('changed.xlf');
  await window().getByText('2 to import, 1 refused, 7 unchanged.').waitFor();
  await window().getByText('The placeholder {{2 + 3}} of the source').waitFor();
  expect(await faultsInBoth(page, 'what a file would change')).toEqual([]);
  await window().getByRole('button', { name: 'Import 2 texts' }).click();
  await window().waitFor({ state: 'detached' });
  await expect.poll(() => fieldOf(pane(), 'Set-up').inputValue()).toBe('Spielaufbau');
  await pane().getByRole('button', { name: 'Undo the import of changed.xlf' }).click();
  await expect.poll(() => fieldOf(pane(), 'Set-up').inputValue()).toBe('Aufbau');
  expect(await download('again.xlf')).toBe(xliff);
});

test('files of something else are refused as a whole, with the reason', async () => {
  const xliff = await readFile(at('rules.xlf'), 'utf8');
  const refusals: readonly (readonly [string, string, string])[] = [
    ['french.xlf', xliff.replace('trgLang="de"', 'trgLang="fr"'), 'a translation into fr, not de'],
    [
      'other.xlf',
      xliff.replace('file id="book"', 'file id="other"'),
      'of another rulebook “Rules of Driftglass”',
    ],
    [
      'entities.xlf',
      xliff.replace('<xliff', '<!DOCTYPE xliff [<!ENTITY a "b">]><xliff'),
      'has a document type',
    ],
    ['table.csv', 'a;b;c', 'not well-formed XML'],
  ];
  await pane().getByRole('button', { name: 'Import' }).click();
  for (const [name, content, reason] of refusals) {
    await writeFile(at(name), content);
    await window().getByLabel('XLIFF file').setInputFiles(at(name));
    await window().getByText(`${name} cannot be imported.`).waitFor();
    await window().getByText(reason).waitFor();
    await expect.poll(() => window().getByRole('button', { name: 'Import 0 texts' }).isDisabled()).toBe(true);
  }
  await closeWindow();
});

test('the text gets no language that it is translated into, by whichever of its tags', async () => {
  await page.getByRole('button', { name: 'Settings of the rulebook' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of the rulebook' });
  await settings.getByLabel('Language').selectOption({ label: 'German' });
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('The rulebook has a translation into German.').waitFor();
  expect(await faultsInBoth(page, 'a language that is taken')).toEqual([]);
  await settings.getByRole('button', { name: 'Cancel' }).click();
  await settings.waitFor({ state: 'detached' });
  await chooseLanguage(page, 'Add a language…');
  const dialog = page.getByRole('dialog', { name: 'Add a language' });
  await dialog.getByLabel('Language').fill('de-DE');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('The rulebook has a translation into German.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('the PDF and the Markdown of the window are in the chosen language, and say so', async () => {
  await page.getByRole('button', { name: 'Export' }).click();
  await makeFile(page, 'PDF to read', at('de.pdf'));
  await checkPdf(at('de.pdf'));
  const german = await pdfText(at('de.pdf'));
  for (const one of [
    'Aufbau',
    'Alle nehmen sich 5 Muscheln.',
    'Vor der Flut nimm dich in Acht.',
    'B EISPIEL',
    'Ebbe',
  ])
    expect(german).toContain(one);
  expect(german).not.toContain('Set-up');
  const { stdout } = await run('qpdf', ['--json', '--json-key=qpdf', at('de.pdf')], { maxBuffer: 64 << 20 });
  expect(stdout).toMatch(/"\/Lang": "u:de"/);
  const dialog = await makeFile(page, 'Markdown', at('de.md'));
  expect(await readFile(at('de.md'), 'utf8')).toContain('language: de');
  await dialog.getByLabel('Language').selectOption({ label: 'British English (the text itself)' });
  await makeFile(page, 'Markdown', at('en.md'));
  expect(await readFile(at('en.md'), 'utf8')).toContain('# Set-up');
  expect(await faultsInBoth(page, 'export in a language')).toEqual([]);
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
  await dialog.waitFor({ state: 'detached' });
});

test('the command line makes it in a language, and names those there are', async () => {
  await exportProject(server, PERSON, 'Driftglass', at('cli.pdf'), [
    '--format',
    'rulebook',
    '--language',
    'de',
  ]);
  expect(await pdfText(at('cli.pdf'))).toContain('Alle nehmen sich 5 Muscheln.');
  const french = exportProject(server, PERSON, 'Driftglass', at('no.pdf'), [
    '--format',
    'rulebook',
    '--language',
    'fr',
  ]);
  await expect(french).rejects.toMatchObject({ stderr: expect.stringContaining('There is: en-gb, de.') });
});

test('readers of what is published choose the language', async () => {
  await page.getByRole('button', { name: 'On the web' }).click();
  const web = page.getByRole('dialog', { name: 'On the web' });
  await web.getByRole('checkbox', { name: 'German, 1 stale' }).waitFor();
  expect(await faultsInBoth(page, 'publishing languages')).toEqual([]);
  await web.getByRole('button', { name: 'Publish' }).click();
  await web.getByText('Edition 1').waitFor();
  const link = (await web.locator('code').textContent()) ?? '';
  const { page: visitor, complaints: theirs } = await openPage(browser);
  await visitor.goto(link);
  await visitor.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  await visitor.getByLabel('Language').selectOption({ label: 'Deutsch' });
  await visitor.getByRole('heading', { name: 'Regeln von Driftglas', level: 1 }).waitFor();
  await visitor.getByText('Alle nehmen sich 5 Muscheln.').waitFor();
  await expect.poll(() => visitor.getByRole('main').getAttribute('lang')).toBe('de');
  expect(await faultsInBoth(visitor, 'reading in German')).toEqual([]);
  await visitor.reload();
  await visitor.getByRole('heading', { name: 'Regeln von Driftglas', level: 1 }).waitFor();
  expect(besidesRetries(theirs)).toEqual([]);
  await web.getByRole('button', { name: 'Close', exact: true }).first().click();
  await web.waitFor({ state: 'detached' });
});

test('a copy of the project has the translation; a language that is removed can be brought back', async () => {
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('button', { name: 'More for Driftglass', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click();
  await page.getByRole('link', { name: 'Open Driftglass copy' }).click();
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  await page.getByRole('link', { name: TITLE }).click();
  await chooseLanguage(page, 'German');
  await pane().getByText('9 of 10 done').waitFor();
  await expect
    .poll(() => fieldOf(pane(), 'Beware').inputValue())
    .toBe('Vor der <t d1>Flut</t> <b>nimm dich in Acht</b>.');
  await pane().getByRole('button', { name: 'Remove German' }).click();
  await page.getByRole('dialog', { name: 'Remove German?' }).getByRole('button', { name: 'Remove' }).click();
  await pane().waitFor({ state: 'detached' });
  const message = page.getByRole('status').filter({ hasText: 'German is removed.' });
  await message.getByRole('button', { name: 'Undo' }).click();
  await chooseLanguage(page, 'German');
  await pane().getByText('9 of 10 done').waitFor();
});

test('a translation whose placeholder is gone from the source is not printed, and it is said', async () => {
  await chooseLanguage(page, /the text itself/);
  await text(page).getByText('Each player takes').click({ clickCount: 3 });
  await page.keyboard.type('Each player takes two shells.');
  await text(page).getByText('Each player takes two shells.').waitFor();
  await saved(page);
  await chooseLanguage(page, 'German');
  const row = rowOf(pane(), 'Each player takes');
  await row.getByText('The source is printed instead. The placeholder {{2 + 3}}').waitFor();
  expect(await row.getByRole('button', { name: 'Accept as it is' }).count()).toBe(0);
  expect(await faultsInBoth(page, 'a translation that does not fit')).toEqual([]);
  await page.getByRole('button', { name: 'On the web' }).click();
  const web = page.getByRole('dialog', { name: 'On the web' });
  await web.getByRole('checkbox', { name: 'German, 2 stale; readers see the source of 1 text' }).waitFor();
  await web.getByRole('button', { name: 'Close', exact: true }).first().click();
  await web.waitFor({ state: 'detached' });
});

test('what was typed for a text that is deleted is said, and comes back with it', async () => {
  const field = fieldOf(pane(), 'Beware');
  await field.fill('Vor der Flut!');
  await field.press('Control+Enter');
  await rowOf(pane(), 'Beware').getByText('Not saved').waitFor();
  await chooseLanguage(page, /the text itself/);
  await text(page).getByText('Beware').click({ clickCount: 3 });
  await page.keyboard.press('Backspace');
  await text(page).getByText('Beware').waitFor({ state: 'detached' });
  await chooseLanguage(page, 'German');
  await page.getByText('The text for which you typed “Vor der Flut!” was deleted.').waitFor();
  await chooseLanguage(page, /the text itself/);
  await text(page).click();
  await page.keyboard.press('Control+z');
  await text(page).getByText('Beware').waitFor();
  await chooseLanguage(page, 'German');
  await expect.poll(() => field.inputValue()).toBe('Vor der Flut!');
  await saved(page);
});

test('a rulebook that was deleted more than a day ago goes with its translations', async () => {
  const root = `${server.origin}/v1/projects/demo-tuckbox/databases/(default)/documents/projects/${project}/rulebooks/book`;
  const headers = { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' };
  const count = async (path: string): Promise<number> => {
    const reply = await fetch(`${root}/${path}`, { headers });
    return ((await reply.json()) as { documents?: unknown[] }).documents?.length ?? 0;
  };
  const parts = ['languages', 'languages/de/parts', 'steps'];
  for (const part of parts) expect(await count(part)).toBeGreaterThan(0);
  const twoDaysAgo = String(Date.now() - 2 * 24 * 60 * 60 * 1_000);
  await fetch(`${root}?updateMask.fieldPaths=deletedAt`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ fields: { deletedAt: { integerValue: twoDaysAgo } } }),
  });
  await page.goto(`${server.origin}/decks/${project}`);
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  await expect.poll(async () => Promise.all(parts.map(count))).toEqual([0, 0, 0]);
});

test('nothing was complained about', () => {
  expect(besidesRetries(complaints)).toEqual([]);
});
