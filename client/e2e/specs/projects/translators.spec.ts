/** A translator: invited to languages, translates on the page of the language, in the table and a rulebook, and no more. */

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import * as exportPage from '../../pages/export-page.ts';
import { chooseMore, copiedLink, createListedProject } from '../../pages/project-page.ts';
import { cell, tableShown, typeOver } from '../../pages/table-page.ts';
import { inState, paneOf, translate } from '../../pages/translation-page.ts';
import type { Server } from '../../server.ts';
import { signInBeside, startSignedIn } from '../../signed-in.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const TINA = { name: 'Tina Tell', email: 'tina@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let annContext: BrowserContext;
let tinaContext: BrowserContext;
let ann: Page;
let tina: Page;
let project = '';

beforeAll(async () => {
  ({ server, browser, context: annContext, page: ann } = await startSignedIn(ANN));
  ({ context: tinaContext, page: tina } = await signInBeside(browser, server, TINA));
  await annContext.grantPermissions(['clipboard-read', 'clipboard-write']);
  await createListedProject(
    ann,
    'Salt Road',
    ['Name,Text', 'Fox,quick', 'Dog,lazy', 'Owl,wise'],
    server.dataDir,
  );
  project = ann.url().replace(/[?].*/, '');
  await chooseMore(ann, 'Languages');
  for (const language of ['German', 'French']) {
    await ann.getByRole('button', { name: 'Add a language' }).click();
    const dialog = ann.getByRole('dialog', { name: 'Add a language' });
    await dialog.getByLabel('Language').fill(language);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await paneOf(ann, language).waitFor();
    await ann.getByRole('link', { name: 'Languages' }).click();
    await ann.getByRole('table').getByRole('link', { name: language, exact: true }).waitFor();
  }
});
afterAll(async () => {
  await annContext?.close();
  await tinaContext?.close();
  await browser?.close();
  await server?.stop();
});

const members = async (): Promise<Locator> => {
  await ann.goto(project);
  await ann.getByRole('button', { name: 'Members' }).click();
  return ann.getByRole('dialog', { name: 'Members' });
};
const shot = (page: Page, name: string) => exportPage.shot(page, name, () => page.waitForTimeout(600));
const languages = (tag = '') => `${project}/languages${tag && `?language=${tag}`}`;

test('an owner chooses the languages of a translator, who joins by a link that names them', async () => {
  const dialog = await members();
  await dialog.getByLabel('Role', { exact: true }).selectOption('translator');
  const send = dialog.getByRole('button', { name: 'Make a link' });
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: 'German' }).check();
  await dialog.getByLabel('Another language').fill('no such tongue');
  await dialog.getByLabel('Another language').press('Enter');
  await dialog.getByText('is not a language tag', { exact: false }).waitFor();
  await dialog.getByLabel('Another language').fill('Polish');
  await dialog.getByLabel('Another language').press('Enter');
  await dialog.getByRole('checkbox', { name: 'Polish' }).waitFor();
  await shot(ann, 'translators-invite');
  expect(await faultsInBoth(ann, 'the languages of an invitation')).toEqual([]);
  await send.click();
  const open = dialog.getByRole('list', { name: 'Open invitations' });
  await open.getByText('Translator (German and Polish)', { exact: false }).waitFor();
  const link = await copiedLink(ann, () => open.getByRole('button', { name: 'Copy link' }).first().click());
  await tina.goto(link);
  await tina.getByText('as translator of German and Polish', { exact: false }).waitFor();
  await shot(tina, 'translators-invitation');
  await tina.getByRole('button', { name: 'Join as translator' }).click();
  await tina.getByText('you write German and Polish under', { exact: false }).waitFor();
  await tableShown(tina);
  await shot(tina, 'translators-project');
});

test('a translator writes their language, and looks at the others', async () => {
  await tina.getByRole('note').getByRole('link', { name: 'Languages' }).click();
  expect(await tina.getByRole('button', { name: 'Add a language' }).count()).toBe(0);
  await tina.getByRole('table').getByRole('link', { name: 'German', exact: true }).click();
  const german = paneOf(tina, 'German');
  await translate(german, 'Fox', 'Fuchs');
  await german.getByRole('button', { name: 'Import', exact: true }).waitFor();
  expect(await german.getByRole('button', { name: 'Remove German' }).count()).toBe(0);
  const terms = tina.getByRole('region', { name: 'Terms' });
  await terms.getByLabel('Term', { exact: true }).fill('wise');
  await terms.getByLabel('Translation', { exact: true }).fill('weise');
  await terms.getByRole('button', { name: 'Add a term' }).click();
  await terms.getByLabel('Translation of the term wise').waitFor();
  await shot(tina, 'translators-language');
  expect(await faultsInBoth(tina, 'a translator’s language')).toEqual([]);
  await ann.goto(languages('de'));
  await inState(paneOf(ann, 'German'), 'Fox', 'Done');
  await tina.goto(languages('fr'));
  const french = paneOf(tina, 'French');
  await french.getByRole('listitem').first().waitFor();
  expect(await french.getByRole('textbox').first().getAttribute('readonly')).not.toBeNull();
  expect(await french.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
});

test('in the table a translator writes the words of their language beside cells that stay', async () => {
  await tina.goto(project);
  await tableShown(tina);
  await tina.getByRole('button', { name: 'Language', exact: true }).click();
  await tina.getByRole('menuitem', { name: 'German' }).click();
  await cell(tina, 'Fuchs').waitFor();
  await cell(tina, 'Dog').click();
  await typeOver(tina, 'Cat');
  await cell(tina, 'Dog').waitFor();
  await cell(tina, 'Dog').click();
  await tina.keyboard.press('ArrowRight');
  await typeOver(tina, 'Hund');
  await cell(tina, 'Hund').waitFor();
  await shot(tina, 'translators-table');
  await ann.goto(languages('de'));
  await inState(paneOf(ann, 'German'), 'Dog', 'Done');
  await tina.getByRole('button', { name: /^Undo a translation/ }).click();
  await inState(paneOf(ann, 'German'), 'Dog', 'Missing');
  expect(await cell(tina, 'Cat').count()).toBe(0);
});

test('an owner changes the languages, and the role, while the page is open', async () => {
  await tina.goto(languages('de'));
  await paneOf(tina, 'German').getByRole('button', { name: 'Import', exact: true }).waitFor();
  const dialog = await members();
  await dialog.getByText('German and Polish').first().waitFor();
  await dialog.getByRole('button', { name: 'Languages of Tina Tell' }).click();
  const choice = dialog.getByRole('form', { name: 'Languages that Tina Tell translates into' });
  await choice.getByRole('checkbox', { name: 'French' }).check();
  await choice.getByRole('checkbox', { name: 'German' }).uncheck();
  await shot(ann, 'translators-members');
  expect(await faultsInBoth(ann, 'the languages of a member')).toEqual([]);
  await choice.getByRole('button', { name: 'Save languages' }).click();
  await dialog.getByText('French and Polish').waitFor();
  await paneOf(tina, 'German')
    .getByRole('button', { name: 'Import', exact: true })
    .waitFor({ state: 'detached' });
  await tina.goto(languages('fr'));
  await translate(paneOf(tina, 'French'), 'Owl', 'Hibou');
  await dialog.getByLabel('Role of Tina Tell').selectOption('viewer');
  await tina.getByText('Viewer of Ann Ames’s project', { exact: false }).waitFor();
  await paneOf(tina, 'French')
    .getByRole('button', { name: 'Import', exact: true })
    .waitFor({ state: 'detached' });
  await dialog.getByLabel('Role of Tina Tell').selectOption('translator');
  await choice.getByRole('checkbox', { name: 'German' }).check();
  await choice.getByRole('button', { name: 'Make a translator' }).click();
  await tina.getByText('you write German under', { exact: false }).waitFor();
});
