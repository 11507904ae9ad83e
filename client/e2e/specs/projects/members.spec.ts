/** Two people in one project: invitations, what each role may do, one table at once and one of them offline. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropOn, painted, plain } from '../../pages/images-page.ts';
import {
  chooseFile,
  confirmImport,
  copiedLink,
  createListedProject,
  createProject,
} from '../../pages/project-page.ts';
import { allSaved, cell, cellsNow, tableShown, typeOver } from '../../pages/table-page.ts';
import type { Server } from '../../server.ts';
import { signInBeside, startSignedIn } from '../../signed-in.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const BEN = { name: 'Ben Bly', email: 'ben@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let annContext: BrowserContext;
let benContext: BrowserContext;
let ann: Page;
let ben: Page;
let project = '';

beforeAll(async () => {
  ({ server, browser, context: annContext, page: ann } = await startSignedIn(ANN));
  ({ context: benContext, page: ben } = await signInBeside(browser, server, BEN));
  await annContext.grantPermissions(['clipboard-read', 'clipboard-write']);
  await createListedProject(
    ann,
    'Salt Road',
    ['Name,Text', 'Fox,quick', 'Dog,lazy', 'Owl,wise'],
    server.dataDir,
  );
  project = ann.url();
});
afterAll(async () => {
  await annContext?.close();
  await benContext?.close();
  await browser?.close();
  await server?.stop();
});

const members = async (page: Page) => {
  await page.getByRole('button', { name: 'Members' }).click();
  return page.getByRole('dialog', { name: 'Members' });
};
/** Makes a link that invites an editor in the dialog, which it closes. */
const invitingLink = async (dialog: Locator) => {
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByRole('list', { name: 'Open invitations' }).getByText('Whoever has the link').waitFor();
  const link = await copiedLink(ann, () => dialog.getByRole('button', { name: 'Copy link' }).first().click());
  await ann.keyboard.press('Escape');
  return link;
};
/** Invites Ben's address in the dialog, which that closes, and has him accept on his Projects page. */
const inviteBen = async (dialog: Locator, role: string) => {
  await dialog.getByText('By e-mail address').click();
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('Ben@Example.com');
  await dialog.getByLabel('Role', { exact: true }).selectOption(role);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByRole('list', { name: 'Open invitations' }).getByText('ben@example.com').waitFor();
  await ann.keyboard.press('Escape');
  await ben.goto(`${server.origin}/decks`);
  const invitations = ben.getByRole('region', { name: 'Invitations' });
  await invitations.getByText('Ann Ames').waitFor();
  await invitations.getByRole('button', { name: 'Accept' }).click();
};
const changeRole = async (role: string) => {
  const dialog = await members(ann);
  await dialog.getByLabel('Role of Ben Bly').selectOption(role);
  await ann.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
};

test('an address is invited, sees without changing, comments, edits, and is taken out again', async () => {
  await ben.goto(project);
  await ben.getByText('This project is not here').waitFor();

  await inviteBen(await members(ann), 'viewer');
  await ben.getByText('Viewer of Ann Ames’s project', { exact: false }).waitFor();
  await tableShown(ben);
  // Its cards are painted for Ben with the project's layout.
  await ben.getByText('Layout: ', { exact: false }).first().waitFor();
  await expect.poll(() => ben.getByRole('button', { name: 'Edit layout' }).isDisabled()).toBe(true);
  await expect.poll(() => ben.getByRole('button', { name: 'Add component' }).isDisabled()).toBe(true);
  await cell(ben, 'Fox').click();
  await ben.keyboard.type('Mine');
  await ben.keyboard.press('Enter');
  await cell(ben, 'Fox').waitFor();

  await changeRole('playtester');
  await ben.getByRole('heading', { name: 'You are a playtester' }).waitFor();
  expect(await ben.locator('.sheet').count()).toBe(0);

  await changeRole('commenter');
  await ben.getByText('You can comment on cards.', { exact: false }).waitFor();
  await ben.getByRole('button', { name: 'Open card 1' }).dblclick();
  await ben.getByRole('tab', { name: 'Comments' }).click();
  await ben.getByLabel('Your comment').fill('Too quick?');
  await ben.getByRole('button', { name: 'Comment', exact: true }).click();
  await ben.getByText('Too quick?').first().waitFor();
  await ben.keyboard.press('Escape');

  await changeRole('editor');
  await ben.getByText('nothing can be changed here', { exact: false }).waitFor({ state: 'detached' });
  await cell(ben, 'Fox').click();
  await typeOver(ben, 'Red fox');
  await cell(ann, 'Red fox').waitFor();
  // Demoted in the middle of a cell, Ben is given back what was typed.
  await benContext.grantPermissions(['clipboard-read', 'clipboard-write']);
  await cell(ben, 'Owl').click();
  await ben.keyboard.type('Owl that sleeps all day');
  await changeRole('viewer');
  const lost = ben.getByText('what you were typing was not saved: “Owl that sleeps all day”');
  await lost.waitFor();
  await ben.getByRole('button', { name: 'Copy the text' }).click();
  await expect.poll(() => ben.evaluate(() => navigator.clipboard.readText())).toBe('Owl that sleeps all day');
  await cell(ben, 'Owl').waitFor();
  await changeRole('editor');
  await ben.getByText('nothing can be changed here', { exact: false }).waitFor({ state: 'detached' });
  await ben.getByRole('button', { name: 'Edit layout' }).click();
  await ben.getByRole('button', { name: 'Add text' }).click();
  await ben.getByText('Saved', { exact: false }).first().waitFor();
  // An editor's additions are the project's.
  await ben.goto(project);
  await ben.getByRole('button', { name: 'No back' }).click();
  await ben.getByRole('menuitem', { name: 'Empty back' }).click();
  await expect.poll(() => ben.getByLabel('Layout name').inputValue()).toBe('List back');
  await ann.getByRole('button', { name: 'Back: List back' }).waitFor();
  await ben.goto(`${server.origin}/decks`);
  await ben.getByRole('list', { name: 'Shared with me' }).getByText('Editor, of Ann Ames').waitFor();

  const last = await members(ann);
  await last.getByRole('button', { name: 'Remove Ben Bly' }).click();
  await last.getByLabel('Role of Ben Bly').waitFor({ state: 'detached' });
  await ann.keyboard.press('Escape');
  await ben.getByRole('list', { name: 'Shared with me' }).waitFor({ state: 'detached' });
});

test('two accounts in one table, one offline for a while: both end alike, nothing typed is lost', async () => {
  await ann.goto(project);
  await tableShown(ann);
  const dialog = await members(ann);
  const role = dialog.getByLabel('Role', { exact: true });
  const meaning = (element: Element) =>
    document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent;
  await expect.poll(() => role.evaluate(meaning)).toBe('Changes cards, layouts and notes');
  await ben.goto(await invitingLink(dialog));
  // A removed member cannot return by link, only by a personal invitation.
  await ben.getByText('You were taken out of this project', { exact: false }).waitFor();
  await inviteBen(await members(ann), 'editor');
  await tableShown(ben);

  await cell(ann, 'Owl').click();
  await ben.locator('.sheet').getByText(ANN.name).waitFor();
  await cell(ben, 'Dog').click();
  await ann.locator('.sheet').getByText(BEN.name).waitFor();

  await benContext.setOffline(true);
  await cell(ben, 'lazy').click();
  await typeOver(ben, 'typed offline');
  await ben.getByText(/Offline: 1 card kept here/).waitFor();
  await cell(ann, 'wise').click();
  await typeOver(ann, 'typed online');
  await cell(ann, 'Dog').click();
  await typeOver(ann, 'Hound');
  await allSaved(ann);
  await benContext.setOffline(false);
  for (const one of [ann, ben]) {
    for (const text of ['Hound', 'typed offline', 'typed online']) await cell(one, text).waitFor();
    await allSaved(one);
  }
  await expect.poll(async () => isDeepStrictEqual(await cellsNow(ben), await cellsNow(ann))).toBe(true);
});

test('a project has what it shows of the libraries of those who edit it', async () => {
  const [red, green] = [
    [216, 36, 36],
    [36, 180, 72],
  ] as const;
  for (const [person, name, color] of [
    [ann, 'fox.png', red],
    [ben, 'owl.png', green],
  ] as const) {
    await writeFile(join(server.dataDir, name), plain(color));
    await person.goto(`${server.origin}/images`);
    await person.getByRole('button', { name: 'Upload images' }).waitFor();
    await dropOn(person, [join(server.dataDir, name)]);
    await person.getByRole('option', { name, exact: true }).click();
    await person.getByLabel('Credit').fill(`Photo by ${person === ann ? ANN.name : BEN.name}`);
    await person.getByLabel('Credit').press('Enter');
    await person
      .getByRole('searchbox', { name: 'Search' })
      .or(person.getByLabel('Search'))
      .first()
      .fill('photo');
    await person.getByText('1 image found').waitFor();
  }
  await ann.goto(`${server.origin}/decks`);
  await createProject(ann, 'Zoo');
  const list = join(server.dataDir, 'zoo.csv');
  await writeFile(list, 'Name,Art\nFox,fox.png\nOwl,nothing.png\n');
  await chooseFile(ann, list);
  await confirmImport(ann, 2);
  await ann.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await painted(ann, red);
  await ben.goto(await invitingLink(await members(ann)));
  await ben.getByRole('button', { name: 'Join as editor' }).click();
  await tableShown(ben);
  await painted(ben, red);
  await cell(ben, 'nothing.png').click();
  await ben.getByRole('button', { name: 'Choose an image' }).click();
  const picker = ben.getByRole('dialog', { name: 'Choose an image' });
  await picker.getByText('Your images').click();
  await picker.getByRole('option', { name: 'owl.png', exact: true }).click();
  await picker.getByRole('button', { name: 'Use image' }).click();
  await picker.waitFor({ state: 'detached' });
  await allSaved(ben);
  await painted(ben, green);
  await painted(ann, green);

  // Beside other projects its cover shows the owner's picture; its credits name both people to both of them.
  const { pathname } = new URL(ann.url());
  await ann.goto(`${server.origin}/decks`);
  await ann.getByRole('button', { name: 'More for Zoo' }).click();
  await ann.getByRole('menuitem', { name: 'Details' }).click();
  const details = ann.getByRole('dialog', { name: 'Project details' });
  await details.getByText('First card').click();
  await details.getByRole('button', { name: 'Save' }).click();
  await details.waitFor({ state: 'detached' });
  await ben.goto(`${server.origin}/decks`);
  await ben.getByRole('link', { name: 'Open Zoo' }).locator('canvas').waitFor();
  await painted(ben, red);
  for (const one of [ann, ben]) {
    await one.goto(`${server.origin}/decks/credits/${pathname.split('/').at(-1)}`);
    const credits = one.getByRole('list', { name: 'Credits' });
    await credits.waitFor();
    await expect
      .poll(() =>
        credits
          .getByRole('listitem')
          .evaluateAll((items) => items.map((item) => [...item.children].map((child) => child.textContent))),
      )
      .toEqual([
        [`Photo by ${ANN.name}`, 'No licence given', 'fox.png'],
        [`Photo by ${BEN.name}`, 'No licence given', 'owl.png'],
      ]);
    expect(await one.getByText('Images that are nowhere').count()).toBe(0);
  }
});
