/** Every route there is, signed out, signed in and as an admin. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../../src/app/routes.ts';
import { launch, openPage } from '../../browser.ts';
import { logOut, signUp, verify } from '../../pages/account-page.ts';
import { Server } from '../../server.ts';

const PERSON = { name: 'Rue Walker', email: 'rue@example.com', password: 'a long enough one' };

/** A route, an address of it, who may open it, and the page's heading. */
const TABLE: readonly (readonly [string, string, 'public' | 'user', RegExp])[] = [
  ['Home', '/', 'public', /Make the game/],
  ['workspace', '/workspace', 'user', /Workspace/],
  ['cardlist2', '/cardlist2', 'user', /All cards/],
  ['Blog', '/blog/', 'public', /Blog/],
  ['Blog: free-printable-card-templates', '/blog/free-printable-card-templates', 'public', /templates/],
  ['Blog: jurassic-crisis', '/blog/jurassic-crisis', 'public', /Jurassic Crisis/],
  ['Blog: 14ers', '/blog/14ers', 'public', /Fourteeners/],
  ['Blog: bleed-trim-and-safe-zone', '/blog/bleed-trim-and-safe-zone', 'public', /Bleed/],
  ['Blog: print-and-play-at-home', '/blog/print-and-play-at-home', 'public', /tonight/],
  ['Blog: from-spreadsheet-to-deck', '/blog/from-spreadsheet-to-deck', 'public', /spreadsheet/],
  ['RulebookMaker', '/rulebook-maker/deck1/book1', 'user', /No such project/],
  ['Boards', '/boards/', 'public', /Board maker/],
  ['Tutorials', '/Tutorials/', 'public', /Tutorials/],
  ['Updates', '/Updates', 'public', /Updates/],
  ['Login', '/login', 'public', /Welcome back/],
  ['Signup', '/signup', 'public', /Create your account/],
  ['UploadImages', '/upload', 'user', /Upload images/],
  ['UploadImagesAdmin', '/uploadadmin', 'user', /Stock pictures/],
  ['ImageCollection', '/images/a/b/c', 'user', /^c$/],
  ['UserDecks', '/decks', 'user', /Projects/],
  ['DeckDetails', '/decks/deck1', 'user', /No such project/],
  ['PrintDeck', '/decks/print/deck1', 'user', /No such project/],
  ['PrintDeck', '/decks/print/deck1/cards1', 'user', /No such project/],
  ['Testing', '/testing', 'user', /Testing/],
  ['Testing', '/testing/deck1', 'user', /Testing/],
  ['Testing2', '/testing2', 'user', /Testing2/],
  ['SubscriptionSignup', '/pricing', 'public', /Pricing/],
  ['AccountPage', '/account', 'user', /Account/],
  ['Policies', '/policies', 'public', /Policies/],
  ['Brainstorm', '/brainstorm', 'public', /Brainstorm/],
  ['Layout', '/layouts/edit/layout1', 'user', /No such layout/],
  ['Layout', '/layouts/edit/layout1/true', 'user', /No such layout/],
  ['SharedLayout', '/layouts/shared/somebody/layout1', 'user', /Shared layout/],
  ['SelectLayout', '/layouts/deck1', 'user', /No such project/],
  ['SelectLayout', '/layouts/deck1/cards1', 'user', /No such project/],
  ['SelectLayout', '/layouts/deck1/cards1/true', 'user', /No such project/],
  ['UserLayouts', '/layouts/', 'user', /Layouts/],
  ['AdminControlPanel', '/admin-control-panel', 'user', /Admin/],
  ['Playtesting', '/playtesting/owner1/session1', 'user', /Playtesting/],
  ['flashcards', '/flashcards/deck1/cards1', 'user', /No such project/],
  // Those the specification does not list.
  ['ForgotPassword', '/forgot-password', 'public', /Forgotten password/],
  ['AuthAction', '/__/auth/action', 'public', /This link is incomplete/],
  ['AuthHandler', '/__/auth/handler', 'public', /Signing in did not work/],
  ['Invitation', '/invitations/owner1/deck1/invitation1', 'user', /Invitation/],
  ['JoinTable', '/join', 'public', /Join a table/],
  ['JoinTable', '/join/ABC234', 'public', /Join a table/],
  ['Playtests', '/playtesting', 'user', /Playtest tables/],
  ['DeckImages', '/decks/images/deck1', 'user', /No such project/],
  ['DeckImages', '/decks/images/deck1/a/b', 'user', /No such project/],
  ['DeckLanguages', '/decks/deck1/languages', 'user', /No such project/],
  ['DeckCredits', '/decks/credits/deck1', 'user', /No such project/],
  ['DeckVersions', '/decks/deck1/versions', 'user', /No such project/],
  ['Documentation', '/docs', 'public', /Documentation/],
  ['BoardDraft', '/boards/draft/none', 'public', /No such board/],
  ['ReadRulebook', '/read/none', 'public', /Published/],
  ['Replay', '/replay/none', 'public', /Replay/],
  ['SampleTable', '/playtesting/sample/none', 'public', /Sample table/],
  ['PrintBoard', '/boards/print/none', 'public', /No such board/],
  ['Try', '/try/account', 'public', /Only with an account/],
  ['KeepTrial', '/try/keep', 'user', /Keep your game/],
];
/** Signed-in users are redirected from these to the projects, or to where they were going. */
const DOORS = ['/login', '/signup'];

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const headline = (page: Page) => page.getByRole('heading', { level: 1 }).first();
const landed = (page: Page) => new URL(page.url());

async function visit(page: Page, address: string, heading: RegExp): Promise<void> {
  const passed: string[] = [];
  const note = () => passed.push(landed(page).pathname);
  page.on('framenavigated', note);
  await page.goto(server.origin + address);
  await headline(page).filter({ hasText: heading }).waitFor();
  page.off('framenavigated', note);
  // Nobody is sent to Login before it is known whether they are signed in.
  if (address !== '/login') expect(passed, address).not.toContain('/login');
  expect(landed(page).pathname, address).toBe(address);
  expect(await page.getByText('There is nothing at').count(), address).toBe(0);
}

/** Deletes the trial's database: where there is a game, the page that keeps it leads on to it. */
const forgetTrial = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        indexedDB.deleteDatabase('tuckbox-trial').onsuccess = done;
      }),
  );

test('the table holds every route there is, and its access', () => {
  const known = new Map(ROUTES.map(({ name, access }) => [name, access]));
  for (const [name, , access] of TABLE) expect(known.get(name), name).toBe(access);
  expect([...known.keys()].sort()).toEqual([...new Set(TABLE.map(([name]) => name))].sort());
  expect(ROUTES.filter(({ adminLink }) => adminLink).map(({ name }) => name)).toEqual([
    'Testing',
    'Testing2',
    'AdminControlPanel',
  ]);
});

/** Opens every page as somebody who is signed in; each route has a title of its own. */
async function visitAll(page: Page): Promise<void> {
  const titles = new Map<string, string>();
  for (const [name, address, , heading] of TABLE) {
    if (!DOORS.includes(address)) {
      if (name === 'KeepTrial') await forgetTrial(page);
      await visit(page, address, heading);
      await expect
        .poll(() => page.title(), { message: address })
        .toMatch(name === 'Home' ? /^Tuckbox$/ : /.+ · Tuckbox$/);
      const title = await page.title();
      expect([undefined, name], `${address}: “${title}” is another page’s`).toContain(titles.get(title));
      titles.set(title, name);
      continue;
    }
    await page.goto(server.origin + address);
    await page.waitForURL('**/decks');
    await page.goto(`${server.origin}${address}?to=/account`);
    await page.waitForURL('**/account');
  }
}

test('every route, signed out, signed in and as an admin', async () => {
  const { context, page, complaints } = await openPage(browser);
  for (const [, address, access, heading] of TABLE) {
    if (access === 'public') {
      await visit(page, address, heading);
      continue;
    }
    await page.goto(server.origin + address);
    await page.waitForURL('**/login?*');
    await headline(page).waitFor();
    expect(landed(page).searchParams.get('to')).toBe(address);
  }
  await page.goto(`${server.origin}/no/such/page`);
  await page.getByText('There is nothing at /no/such/page').waitFor();

  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
  await visitAll(page);
  const bar = page.getByRole('navigation', { name: 'Main' });
  expect(await bar.getByRole('link', { name: 'Testing', exact: true }).count()).toBe(0);
  await page.goto(`${server.origin}/admin-control-panel`);
  await page.getByText('This server has no administrator yet').waitFor();

  // The server restarts for that: a page that is still loading would complain.
  await page.goto('about:blank');
  await server.grantAdmin(PERSON.email);
  await page.goto(`${server.origin}/account`);
  await logOut(page);
  await page.getByLabel('E-mail').fill(PERSON.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  for (const [link, path, heading] of [
    ['Testing', '/testing', /Testing/],
    ['Testing2', '/testing2', /Testing2/],
    ['Admin', '/admin-control-panel', /Admin/],
  ] as const) {
    await bar.getByRole('link', { name: link, exact: true }).click();
    await page.waitForURL(server.origin + path);
    await headline(page).filter({ hasText: heading }).waitFor();
  }
  await page.getByRole('region', { name: 'People', exact: true }).first().waitFor();
  await page.getByText(PERSON.email).first().waitFor();
  for (const path of ['/uploadadmin', '/admin-control-panel', '/testing', '/testing2']) {
    await page.goto(server.origin + path);
    await headline(page).waitFor();
    expect(await page.getByText('You are not an administrator').count(), path).toBe(0);
  }
  // That there is no such invitation, project or sample table are the only answers that are no good ones.
  const expected = /\/(readInvitation|whereIs|joinSampleTable)$/;
  expect(complaints.filter((complaint) => !expected.test(complaint))).toEqual([]);
  await context.close();
});

test('a visit comes back to where it wanted to go after logging in', async () => {
  const { context, page } = await openPage(browser);
  await page.goto(`${server.origin}/layouts?from=test`);
  await page.getByLabel('E-mail').fill(PERSON.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await headline(page).filter({ hasText: 'Layouts' }).waitFor();
  expect(landed(page).search).toBe('?from=test');
  await context.close();
});
