/** Where one lands: every address of the specification, signed out, signed in and as an admin. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/app/routes.ts';
import { launch, openPage } from '../browser.ts';
import { signUp, verify } from '../pages/account-page.ts';
import { Server } from '../server.ts';

const PERSON = { name: 'Rue Walker', email: 'rue@example.com', password: 'a long enough one' };

/** Route of the specification, an address of it, who may open it, and the page's heading. */
const TABLE: readonly (readonly [string, string, 'public' | 'user', RegExp])[] = [
  ['Home', '/', 'public', /Make the game/],
  ['workspace', '/workspace', 'user', /Workspace/],
  ['cardlist2', '/cardlist2', 'user', /card/i],
  ['Blog', '/blog/', 'public', /Blog/],
  ['Blog: free-printable-card-templates', '/blog/free-printable-card-templates', 'public', /templates/],
  ['Blog: jurassic-crisis', '/blog/jurassic-crisis', 'public', /Jurassic Crisis/],
  ['Blog: 14ers', '/blog/14ers', 'public', /Fourteeners/],
  ['Blog: bleed-trim-and-safe-zone', '/blog/bleed-trim-and-safe-zone', 'public', /Bleed/],
  ['Blog: print-and-play-at-home', '/blog/print-and-play-at-home', 'public', /tonight/],
  ['Blog: from-spreadsheet-to-deck', '/blog/from-spreadsheet-to-deck', 'public', /spreadsheet/],
  ['RulebookMaker', '/rulebook-maker/deck1/book1', 'user', /Rulebook/],
  ['Boards', '/boards/', 'public', /Board maker/],
  ['Tutorials', '/Tutorials/', 'public', /Tutorials/],
  ['Updates', '/Updates', 'public', /Updates/],
  ['Login', '/login', 'public', /./],
  ['Signup', '/signup', 'public', /./],
  ['UploadImages', '/upload', 'user', /./],
  ['UploadImagesAdmin', '/uploadadmin', 'user', /./],
  ['ImageCollection', '/images/a/b/c', 'user', /./],
  ['UserDecks', '/decks', 'user', /Projects/],
  ['DeckDetails', '/decks/deck1', 'user', /./],
  ['PrintDeck', '/decks/print/deck1', 'user', /./],
  ['PrintDeck', '/decks/print/deck1/cards1', 'user', /./],
  ['Testing', '/testing', 'user', /Testing/],
  ['Testing', '/testing/deck1', 'user', /Testing/],
  ['Testing2', '/testing2', 'user', /Testing2/],
  ['SubscriptionSignup', '/pricing', 'public', /Pricing/],
  ['AccountPage', '/account', 'user', /Account/],
  ['Policies', '/policies', 'public', /Policies/],
  ['Brainstorm', '/brainstorm', 'public', /Brainstorm/],
  ['Layout', '/layouts/edit/layout1', 'user', /./],
  ['Layout', '/layouts/edit/layout1/true', 'user', /./],
  ['SharedLayout', '/layouts/shared/somebody/layout1', 'user', /Shared layout/],
  ['SelectLayout', '/layouts/deck1', 'user', /No such project/],
  ['SelectLayout', '/layouts/deck1/cards1', 'user', /No such project/],
  ['SelectLayout', '/layouts/deck1/cards1/true', 'user', /No such project/],
  ['UserLayouts', '/layouts/', 'user', /Layouts/],
  ['AdminControlPanel', '/admin-control-panel', 'user', /Admin/],
  ['Playtesting', '/playtesting/owner1/session1', 'user', /./],
  ['flashcards', '/flashcards/deck1/cards1', 'user', /No such project/],
];

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
  await page.goto(server.origin + address);
  await headline(page).filter({ hasText: heading }).waitFor();
  expect(landed(page).pathname, address).toBe(address);
  expect(await page.getByText('There is nothing at').count(), address).toBe(0);
}

test('the table holds every route there is, and its access', () => {
  const ours = new Set([
    'ForgotPassword',
    'AuthAction',
    'AuthHandler',
    'DeckCredits',
    'Documentation',
    'Invitation',
    'Outbox',
  ]);
  const known = new Map(ROUTES.map(({ name, access }) => [name, access]));
  for (const [name, , access] of TABLE) expect(known.get(name), name).toBe(access);
  expect([...known.keys()].filter((name) => !ours.has(name)).sort()).toEqual(
    [...new Set(TABLE.map(([name]) => name))].sort(),
  );
  expect(ROUTES.filter(({ adminLink }) => adminLink).map(({ name }) => name)).toEqual([
    'Testing',
    'Testing2',
    'AdminControlPanel',
  ]);
});

test('every route, signed out, signed in and as an admin', async () => {
  const { context, page } = await openPage(browser);
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
  await verify(page, server.origin, PERSON);
  for (const [name, address, , heading] of TABLE) {
    if (name === 'Login' || name === 'Signup') continue;
    await visit(page, address, heading);
  }
  const bar = page.getByRole('navigation', { name: 'Main' });
  expect(await bar.getByRole('link', { name: 'Testing', exact: true }).count()).toBe(0);
  await page.goto(`${server.origin}/admin-control-panel`);
  await page.getByText('You are not an administrator').waitFor();

  await server.grantAdmin(PERSON.email);
  await page.goto(`${server.origin}/account`);
  await page.getByRole('button', { name: 'Log out' }).click();
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
  for (const [name, address, , heading] of TABLE) {
    if (name === 'Login' || name === 'Signup') continue;
    await visit(page, address, heading);
    expect(await page.getByText('You are not an administrator').count(), address).toBe(0);
  }
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
