/** axe finds nothing on the pages, in either theme. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { matchPath } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../../src/app/routes.ts';
import { faultsInBoth } from '../../axe.ts';
import { launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { dropOn, plain, writeTree } from '../../pages/images-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { Server } from '../../server.ts';

const PERSON = { name: 'Di Sato', email: 'di@example.com', password: 'a long enough one' };
const SIGNED_OUT = [
  '/',
  '/login',
  '/signup',
  '/forgot-password',
  '/pricing',
  '/no-such-page',
  '/blog/',
  '/blog/jurassic-crisis',
  '/blog/14ers',
  '/blog/free-printable-card-templates',
  '/blog/bleed-trim-and-safe-zone',
  '/blog/print-and-play-at-home',
  '/blog/from-spreadsheet-to-deck',
  '/__/auth/action?mode=verifyEmail&oobCode=used',
  '/__/auth/handler',
  '/Tutorials/',
  '/Updates',
  '/policies',
  '/docs',
  '/brainstorm',
  '/boards/',
  '/boards/draft/none',
  '/boards/print/none',
  '/join',
  '/read/none',
  '/replay/none',
  '/playtesting/sample/none',
];
const SIGNED_IN = [
  '/account',
  '/upload',
  '/uploadadmin',
  '/decks/none/languages',
  '/decks/credits/none',
  '/decks/none/versions',
  '/decks/images/none',
  '/workspace',
  '/cardlist2',
  '/testing',
  '/testing2',
  '/admin-control-panel',
  '/layouts/shared/nobody/nothing',
  '/layouts/no-such-project',
  '/flashcards/no/such',
  '/rulebook-maker/no/such',
  '/playtesting',
  '/playtesting/no/such',
  '/decks/no-such-project',
  '/decks/print/no-such-project',
  '/layouts/edit/no-such-layout',
  '/layouts/no-such-project/no/true',
  // Once somebody has tried it, the page that keeps the game leads on to it.
  '/try/keep',
  '/try/account',
];

/** Pages visited on the way. */
const UNDERWAY = ['/decks', '/images', '/layouts', '/invitations/nobody/no-such/thing'];

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('no page is left out', () => {
  const addresses = [...SIGNED_OUT, ...SIGNED_IN, ...UNDERWAY].map((address) => address.split('?')[0] ?? '');
  // Of two routes that an address fits, the one with the most words of its own is meant.
  const words = (path: string) => path.split('/').filter((part) => part && !/^[:*]/.test(part)).length;
  const seen = addresses.map((address) => {
    const fitting = ROUTES.filter(({ path }) => matchPath(path, address));
    return fitting.sort((a, b) => words(b.path) - words(a.path))[0]?.name;
  });
  expect(ROUTES.map(({ name }) => name).filter((name) => !seen.includes(name))).toEqual([]);
});

test('every page, and what opens from it', async () => {
  const { page } = await openPage(browser);
  const found: string[] = [];
  for (const path of SIGNED_OUT) {
    await page.goto(server.origin + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // An article's words come after its title.
    if (path.startsWith('/blog/')) await page.getByRole('heading', { level: 2 }).first().waitFor();
    found.push(...(await faultsInBoth(page)));
  }
  await signUp(page, server.origin, PERSON);
  found.push(...(await faultsInBoth(page)));
  await verify(page, server, PERSON);
  found.push(...(await faultsInBoth(page)));
  await createProject(page, 'Two cards');
  found.push(...(await faultsInBoth(page)));
  const list = join(server.dataDir, 'list.csv');
  await writeFile(list, 'Name,Text\nFox,Quick\nDog,Lazy\n');
  await chooseFile(page, list);
  found.push(...(await faultsInBoth(page)));
  await confirmImport(page, 2);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await page.getByRole('button', { name: 'Add text' }).click();
  found.push(...(await faultsInBoth(page)));
  await page
    .getByRole('complementary', { name: 'Layers' })
    .getByRole('button', { name: 'Card', exact: true })
    .click();
  for (const kind of ['Word', 'Icon', 'Style']) {
    await page.getByRole('button', { name: 'Add a word, icon or style' }).click();
    await page.getByRole('menuitem', { name: kind }).click();
  }
  found.push(...(await faultsInBoth(page)));
  await page.getByRole('button', { name: 'More for this layout' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions' });
  await versions.getByLabel('Keep it as it is now').fill('First');
  await versions.getByRole('button', { name: 'Keep version' }).click();
  await versions.getByRole('button', { name: /^First/ }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await versions.getByRole('button', { name: 'Close', exact: true }).click();
  await versions.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Export PDF' }).waitFor();
  for (const target of ['Paper', 'Pictures', 'Virtual tables', 'Printing houses']) {
    await page.getByRole('radiogroup', { name: 'Export to' }).getByText(target).click();
    await page.getByRole('button', { name: /^Export / }).waitFor();
    // Closed groups hide their fields from axe.
    await page.evaluate(() => {
      for (const group of document.querySelectorAll('details')) group.open = true;
    });
    found.push(...(await faultsInBoth(page)));
  }
  await page.goto(`${server.origin}/images`);
  await page.getByRole('heading', { name: 'Drop your art here' }).waitFor();
  found.push(...(await faultsInBoth(page)));
  const art = join(server.dataDir, 'Art');
  await writeTree(
    art,
    new Map([
      ['red.png', plain([200, 0, 0])],
      ['blue.png', plain([0, 0, 200])],
      ['bad.png', Buffer.from('no picture')],
    ]),
  );
  await dropOn(page, [art]);
  await page.getByText('2 files uploaded, 1 file failed').waitFor();
  await page.getByRole('link', { name: /^Art/ }).click();
  const images = page.getByRole('listbox', { name: 'Images in Art' });
  await images.getByRole('option').first().click();
  found.push(...(await faultsInBoth(page)));
  await page.getByRole('button', { name: 'Crop' }).click();
  await page.getByRole('dialog', { name: 'Crop' }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Crop' }).waitFor({ state: 'detached' });
  await images.getByRole('option').first().focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('complementary', { name: 'Chosen images' }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Delete images?' }).getByText('No layout and no card').waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.goto(`${server.origin}/layouts`);
  await page.getByRole('button', { name: 'New layout' }).first().click();
  await page.getByRole('button', { name: 'Add image' }).click();
  await page.getByRole('button', { name: 'Choose image' }).click();
  const picker = page.getByRole('dialog', { name: 'Choose an image' });
  await picker.getByRole('option').last().waitFor({ state: 'attached' });
  found.push(...(await faultsInBoth(page)));
  await picker.getByText('Icons', { exact: true }).click();
  await picker.getByRole('button', { name: 'abacus' }).click();
  found.push(...(await faultsInBoth(page)));
  for (const path of ['/layouts', ...SIGNED_IN]) {
    await page.goto(server.origin + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    found.push(...(await faultsInBoth(page)));
  }
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('button', { name: 'More for Two cards' }).click();
  await page.getByRole('menuitem', { name: 'Details' }).click();
  await page.getByLabel('Tags').fill('Solo');
  found.push(...(await faultsInBoth(page)));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('group', { name: 'Tags' }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.getByRole('link', { name: 'Open Two cards' }).click();
  for (const [button, tell] of [
    ['Members', 'Make a link'],
    ['Notes', 'Save'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: button });
    await dialog.getByRole('button', { name: tell, exact: true }).waitFor();
    if (button === 'Members') await dialog.getByText('By e-mail address').click();
    found.push(...(await faultsInBoth(page)));
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Add component' }).click();
  await page.getByRole('dialog').getByText('From combinations').click();
  await page.getByText('3 × 9 = 27 rows').waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'More for List' }).click();
  await page.getByRole('menuitem', { name: 'Flashcards' }).click();
  await page.getByText('1 of 2', { exact: true }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.goBack();
  await page.getByRole('button', { name: 'More for List' }).click();
  await page.getByRole('menuitem', { name: 'Layouts by a column' }).click();
  await page.getByRole('dialog').getByLabel('Column').selectOption({ label: 'Name' });
  found.push(...(await faultsInBoth(page)));
  await page.goto(`${server.origin}/decks?shelf=trash`);
  await page.getByText('The trash is empty.', { exact: false }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.goto(`${server.origin}/invitations/nobody/no-such/thing`);
  await page.getByRole('alert').waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await page.getByRole('list', { name: 'Tutorials' }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.getByRole('button', { name: 'Start: Create your first project' }).click();
  await page.getByRole('dialog', { name: /^Tutorial/ }).waitFor();
  found.push(...(await faultsInBoth(page)));
  expect(found).toEqual([]);
});
