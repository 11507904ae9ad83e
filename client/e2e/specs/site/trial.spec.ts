/** Trying it without an account: the sample game in the whole application, kept in the browser, and taken into an account. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faults, faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { endIntroduction, logOut, signUp, verify } from '../../pages/account-page.ts';
import { layers, properties, saved } from '../../pages/editor-page.ts';
import { download } from '../../pages/export-page.ts';
import { createRulebook, saved as rulebookSaved, text as rulebookText } from '../../pages/rulebook-page.ts';
import { allSaved, cell, cellsNow, importButton, tableShown, typeOver } from '../../pages/table-page.ts';
import { callsOf, keepLink, openTrial } from '../../pages/trial-page.ts';
import { checkPdf, pdfText } from '../../pdf.ts';
import { shots } from '../../screenshots.ts';
import { Server } from '../../server.ts';

const PERSON = { name: 'Tia Tern', email: 'tia@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;
let calls: readonly string[];
/** Address of the game. */
let game: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ context, page, complaints } = await openPage(browser));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const shot = (of: Page, name: string, widths: readonly number[] = [1440, 1024, 390]) =>
  shots(of, `trial-${name}`, {
    widths,
    ready: () =>
      of.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))),
  });

const newPage = async (in_: BrowserContext = context): Promise<Page> => {
  const another = await in_.newPage();
  another.on('pageerror', (error) => complaints.push(String(error)));
  return another;
};

test('one click on the first page opens the sample game, and cells, rows and Undo work', async () => {
  await page.goto(server.origin);
  await shot(page, 'home');
  await openTrial(page, server.origin);
  game = page.url();
  expect(new URL(game).pathname).toMatch(/^\/try\/decks\/\w+$/);
  calls = callsOf(page);
  await shot(page, 'project');
  expect(await faultsInBoth(page)).toEqual([]);
  await cell(page, 'Cockle').click();
  await typeOver(page, 'Periwinkle');
  await cell(page, 'Limpet').click();
  await typeOver(page, 'Barnacle');
  await allSaved(page);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await cell(page, 'Limpet').waitFor();
  await page
    .getByRole('toolbar', { name: 'Table' })
    .getByRole('button', { name: 'Card', exact: true })
    .click();
  await page.getByText('28 cards').waitFor();
  await allSaved(page);
});

test('what was changed is there after a reload, and other windows see each change', async () => {
  await page.reload();
  await tableShown(page);
  await cell(page, 'Periwinkle').waitFor();
  expect((await cellsNow(page)).length).toBe(28);
  const second = await newPage();
  await second.goto(`${server.origin}/try`);
  await tableShown(second);
  expect(second.url()).toBe(game);
  await cell(second, 'Whelk').click();
  await typeOver(second, 'Turban shell');
  await cell(page, 'Turban shell').waitFor();
  await second.close();
  expect(calls).toEqual([]);
});

test('its layout is edited, by keys too', async () => {
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await shot(page, 'editor', [1440, 1024]);
  const size = properties(page).getByLabel('Size', { exact: true }).first();
  await size.fill('22');
  await size.press('Enter');
  await saved(page);
  await page.reload();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(() => size.inputValue()).toMatch(/^22/);
  await page.getByRole('button', { name: 'Add image' }).click();
  await properties(page).getByText('To choose from pictures of your own needs an account.').first().waitFor();
  expect(await properties(page).getByRole('button', { name: 'Choose image' }).isDisabled()).toBe(true);
  await shot(page, 'picture', [1440, 1024]);
  expect(await faultsInBoth(page, 'picture')).toEqual([]);
  await page.keyboard.press('Control+z');
  await saved(page);
  await page.getByRole('link', { name: /^Back/ }).click();
  await tableShown(page);
});

test('it is exported as a PDF and as pictures', async () => {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('button', { name: 'Export PDF' }).waitFor();
  await shot(page, 'export');
  const pdf = await download(page, 'Export PDF', join(server.dataDir, 'trial.pdf'));
  await checkPdf(pdf);
  const text = await pdfText(pdf);
  for (const name of ['Periwinkle', 'Limpet', 'Turban shell', 'Spring tide']) expect(text).toContain(name);
  await page.getByRole('radiogroup', { name: 'Export to' }).getByText('Pictures').click();
  await download(page, 'Export pictures', join(server.dataDir, 'trial.zip'));
  await page.getByRole('radiogroup', { name: 'Export to' }).getByText('Virtual tables').click();
  // A link of the page leads out of the trial, and back into the account with the game.
  await page.getByRole('link', { name: 'Sign up', exact: true }).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  expect(page.url()).toBe(`${server.origin}/signup?to=${encodeURIComponent('/try/keep')}`);
  await page.goBack();
  await page.getByRole('heading', { name: 'Export', level: 1 }).waitFor();
  expect(calls).toEqual([]);
});

test('rulebooks and languages are there as well', async () => {
  await page.goto(game);
  await tableShown(page);
  await createRulebook(page, 'Beach rules', 'Nothing');
  await rulebookText(page).click();
  await page.keyboard.type('Take one find from the beach.');
  await rulebookSaved(page);
  await page.getByRole('button', { name: 'On the web' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Sign up' }).waitFor();
  await page.goto(`${game}/languages`);
  await page.getByRole('button', { name: 'Add a language' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a language' });
  await dialog.getByLabel('Language').fill('German');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'German' }).or(page.getByText('German')).first().waitFor();
  expect(calls).toEqual([]);
});

test('what needs the server is not offered, or says so; pages of accounts stay closed', async () => {
  await page.goto(game);
  await tableShown(page);
  for (const name of ['Members', 'Playtest', 'Images'])
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
  await page.getByRole('button', { name: 'More of this project' }).click();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Languages']);
  await page.keyboard.press('Escape');
  await importButton(page).click();
  const fromWeb = page.getByRole('menuitem', { name: 'Google Sheet or web address: with an account' });
  expect(await fromWeb.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  for (const path of ['/account', '/images', '/playtesting', '/decks/x/versions']) {
    await page.goto(`${server.origin}/try${path}`);
    await page.getByRole('heading', { name: 'This page needs an account' }).waitFor();
  }
  await shot(page, 'needs-account');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to the game' }).click();
  await tableShown(page);
  await page.goto(`${server.origin}/try/policies`);
  await page.waitForURL(`${server.origin}/policies`);
  await page.goto(game.replace('/try', ''));
  await page.waitForURL(/\/login\?to=/);
  expect(calls).toEqual([]);
});

test('with keys alone: from the first page into a cell, and the questions of the menu', async () => {
  await page.goto(server.origin);
  await page.getByRole('link', { name: 'Start your first deck' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await tableShown(page);
  await page.getByRole('button', { name: 'More of the trial' }).focus();
  await page.keyboard.press('Enter');
  const startOver = page.getByRole('menuitem', { name: 'Start over' });
  await startOver.waitFor();
  while (!(await startOver.evaluate((item) => item === document.activeElement)))
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Start over?' });
  await dialog.getByText('with all that you have changed').waitFor();
  await shot(page, 'start-over');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await cell(page, 'Periwinkle').waitFor();
});

test('whoever signs up finds the game in the account, once, whatever happens on the way', async () => {
  await keepLink(page).click();
  await page.getByRole('heading', { name: 'Create your account' }).waitFor();
  await page.getByLabel('Name').fill(PERSON.name);
  await page.getByLabel('E-mail').fill(PERSON.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  // The way to the server breaks in the middle of it.
  let refused = 0;
  await page.route('**/documents:commit', (route) => {
    const isCards = /\/components\//.test(route.request().postData() ?? '');
    if (!isCards || refused++ > 0) return route.continue();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('The game is still in this browser').waitFor();
  expect(refused).toBeGreaterThan(0);
  await page.unroute('**/documents:commit');
  const mail = await newPage();
  await mail.goto(await server.linkTo(PERSON.email));
  await mail.getByRole('heading', { name: 'Your address is verified' }).waitFor();
  await mail.close();
  complaints.length = 0;
  // And the page is closed before it is done.
  const held = page.waitForRequest((request) => /\/components\//.test(request.postData() ?? ''));
  await page.route('**/documents:commit', (route) =>
    /\/components\//.test(route.request().postData() ?? '') ? undefined : route.continue(),
  );
  await page.reload();
  await held;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${server.origin}/try/keep`);
  await page.waitForURL(/\/decks\/\w+$/);
  await endIntroduction(page);
  await page.getByRole('heading', { name: 'Driftglass', level: 1 }).waitFor();
  await tableShown(page);
  for (const name of ['Periwinkle', 'Limpet', 'Turban shell']) await cell(page, name).waitFor();
  expect((await cellsNow(page)).length).toBe(28);
  const kept = page.url();
  await page.goto(`${kept}/languages`);
  await page.getByRole('rowheader', { name: 'German de' }).waitFor();
  await page.goto(kept);
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  await page.getByRole('dialog', { name: 'Rulebooks' }).getByText('Beach rules').first().click();
  await page.getByText('Take one find from the beach.').first().waitFor();
  // Asked again it is the same one.
  await page.goto(`${server.origin}/try/keep`);
  await page.waitForURL(kept);
  await page.goto(`${server.origin}/decks`);
  const list = page.getByRole('list', { name: 'Projects' });
  await list.getByText('Driftglass').first().waitFor();
  expect(await list.getByRole('listitem').count()).toBe(1);
  expect(await page.getByRole('region', { name: 'Your game in this browser' }).count()).toBe(0);
});

test('the copy in this browser stays; changed anew it can be kept anew', async () => {
  await page.goto(`${server.origin}/try`);
  await tableShown(page);
  await page.getByRole('banner').getByText('In your account', { exact: true }).waitFor();
  await shot(page, 'kept');
  await cell(page, 'Periwinkle').click();
  await typeOver(page, 'Sea urchin');
  await allSaved(page);
  await page.getByRole('banner').getByText('Trying it out').waitFor();
  await page.goto(`${server.origin}/decks`);
  const note = page.getByRole('region', { name: 'Your game in this browser' });
  await note.waitFor();
  await shot(page, 'note');
  expect(await faultsInBoth(page)).toEqual([]);
  await note.getByRole('link', { name: 'Keep it in this account' }).click();
  await page.waitForURL(/\/decks\/\w+$/);
  await tableShown(page);
  await cell(page, 'Sea urchin').waitFor();
  await page.goto(`${server.origin}/decks`);
  await expect.poll(() => page.getByRole('list', { name: 'Projects' }).getByRole('listitem').count()).toBe(2);
});

test('each account has it once, whatever accounts come in between', async () => {
  const another = { name: 'Uma Urchin', email: 'uma@example.com', password: 'a long enough one' };
  const projects = () => page.getByRole('list', { name: 'Projects' }).getByRole('listitem').count();
  await page.goto(`${server.origin}/account`);
  await logOut(page);
  await signUp(page, server.origin, another);
  await verify(page, server, another);
  await page.goto(`${server.origin}/try/keep`);
  await page.waitForURL(/\/decks\/\w+$/);
  await tableShown(page);
  await page.goto(`${server.origin}/account`);
  await logOut(page);
  await page.getByLabel('E-mail').fill(PERSON.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await expect.poll(projects).toBe(2);
  await page.goto(`${server.origin}/try/keep`);
  await page.waitForURL(/\/decks\/\w+$/);
  await tableShown(page);
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('list', { name: 'Projects' }).getByText('Driftglass').first().waitFor();
  expect(await projects()).toBe(2);
});

test('starting over opens the sample anew, in this window alone and with nothing left of the other', async () => {
  await page.goto(`${server.origin}/try`);
  await tableShown(page);
  const other = await newPage();
  await other.goto(page.url());
  await tableShown(other);
  await page.getByRole('button', { name: 'More of the trial' }).click();
  await page.getByRole('menuitem', { name: 'Start over' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click();
  await cell(page, 'Cockle').waitFor();
  expect((await cellsNow(page)).length).toBe(27);
  await other.getByRole('heading', { name: 'This project is not here' }).waitFor();
  await other.getByRole('link', { name: 'To your projects' }).click();
  await cell(other, 'Cockle').waitFor();
  expect(other.url()).toBe(page.url());
  await other.close();
  expect(complaints).toEqual([]);
});

test('a browser that keeps nothing says so, and one without room keeps what was there', async () => {
  const blocked = await browser.newContext();
  const first = await blocked.newPage();
  await first.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError');
    };
  });
  await first.goto(`${server.origin}/try`);
  await first.getByRole('heading', { name: 'The game cannot be opened here' }).waitFor();
  await first.getByText('allow this site to store data').waitFor();
  await shot(first, 'blocked');
  expect(await faults(first)).toEqual([]);
  await blocked.close();

  const damaged = await browser.newContext();
  const third = await damaged.newPage();
  await openTrial(third, server.origin);
  const project = `projects/${new URL(third.url()).pathname.split('/').at(-1)}`;
  await third.goto(`${server.origin}/policies`);
  await third.evaluate(
    (path) =>
      new Promise<void>((done) => {
        indexedDB.open('tuckbox-trial').onsuccess = ({ target }) => {
          const db = (target as IDBOpenDBRequest).result;
          const changes = db.transaction('documents', 'readwrite');
          const documents = changes.objectStore('documents');
          documents.get(path).onsuccess = ({ target: found }) => {
            const kept = (found as IDBRequest).result;
            documents.put({ ...kept, document: { ...kept.document, fields: {} } });
          };
          changes.oncomplete = () => {
            db.close();
            done();
          };
        };
      }),
    project,
  );
  await third.goto(`${server.origin}/try`);
  await third.getByText('It is still there.').waitFor();
  expect(await faults(third)).toEqual([]);
  await shot(third, 'damaged', [1024]);
  await third.getByRole('button', { name: 'Delete it and start over' }).click();
  await third.getByRole('button', { name: 'Delete it for good' }).click();
  await tableShown(third);
  await damaged.close();

  const full = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const second = await full.newPage();
  await openTrial(second, server.origin);
  await second.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...args: Parameters<typeof put>) {
      if (this.transaction.db.name === 'tuckbox-trial') throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, args);
    };
  });
  await cell(second, 'Cockle').click();
  await typeOver(second, 'Sponge');
  await second
    .getByText(/no room left in this browser/)
    .first()
    .waitFor();
  await shot(second, 'full');
  // Nobody signs up for what cannot be taken along.
  const tried = second.url();
  await keepLink(second).click();
  await second.getByText('This browser has no room left to note it.', { exact: false }).waitFor();
  expect(second.url()).toBe(tried);
  // A file of the game needs no room here, and an account opens it.
  const downloading = second.waitForEvent('download');
  await second.getByRole('button', { name: 'Download the game' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/\.tuckbox\.zip$/);
  const names = Object.keys(unzipSync(await readFile(await file.path())));
  expect(names).toContain('project.json');
  await second.getByRole('button', { name: 'More of the trial' }).click();
  await second.getByRole('menuitem', { name: 'Download the game' }).waitFor();
  await shot(second, 'full-menu');
  await full.close();
});
