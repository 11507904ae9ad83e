/** The settings document behind the screens: made at first, announced to, shared between tabs. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { endIntroduction, settingsStored } from '../../pages/account-page.ts';
import { PROJECT, type Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Seth Tings', email: 'seth@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;
let token = '';
let path = '';

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  const url = `${server.origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=tuckbox-${PROJECT}`;
  const { email, password } = PERSON;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  const signedIn = (await answer.json()) as { idToken: string; localId: string };
  token = signedIn.idToken;
  path = `/v1/projects/${PROJECT}/databases/(default)/documents/users/${signedIn.localId}/userData/userObject`;
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

async function stored(): Promise<Fields> {
  const answer = await fetch(server.origin + path, { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { fields: Fields }).fields;
}

/** Overwrites the whole document, as an older program would have left it. */
async function overwrite(fields: Fields): Promise<void> {
  const answer = await fetch(server.origin + path, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ fields }),
  });
  expect(answer.status).toBe(200);
}

test('are made with their defaults, and know that the welcome was read', async () => {
  await expect.poll(stored).toMatchObject({
    versionNum: { integerValue: '20' },
    pngExportSize: { integerValue: '200' },
    globalImageIconSize: { stringValue: '66px' },
    shownNewUserIntro: { booleanValue: true },
    announcementNumber: { integerValue: '4' },
  });
  await page.reload();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('of an old version are brought to the present, with all that was announced since', async () => {
  await overwrite({ versionNum: { integerValue: '3' }, showGrid: { booleanValue: true } });
  // A public page says it just as well to whoever is signed in.
  await page.goto(`${server.origin}/pricing`);
  await page.getByText('Only Chrome is supported').waitFor();
  await endIntroduction(page);
  const news = page.getByRole('dialog', { name: 'What is new' });
  await news.getByRole('heading', { name: 'New in the layout editor' }).waitFor();
  await news.getByRole('heading', { name: 'Flex containers, update 9.6' }).waitFor();
  await settingsStored(page, () => news.getByRole('button', { name: 'Got it' }).click());
  await expect.poll(stored).toMatchObject({
    versionNum: { integerValue: '20' },
    announcementNumber: { integerValue: '4' },
    showGrid: { booleanValue: true },
    showCardCopies: { booleanValue: true },
  });
});

test('keep what two tabs change, each its own', async () => {
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.goto(`${server.origin}/brainstorm`);
  await page.getByLabel('New sentence').fill('One tab: {length}');
  await other.getByLabel('Name of a new list').fill('hero');
  await Promise.all([
    page.getByRole('button', { name: 'Add sentence' }).click(),
    other.getByRole('button', { name: 'Add list' }).click(),
  ]);
  for (const tab of [page, other]) {
    await tab.getByText('One tab: {length}').waitFor();
    await tab.getByRole('list', { name: 'Lists' }).getByText('{hero}').waitFor();
  }
  await expect.poll(async () => JSON.stringify((await stored())['promptSentences'])).toContain('One tab');
  await expect.poll(async () => JSON.stringify((await stored())['generators'])).toContain('hero');
  expect(besidesRetries(complaints)).toEqual([]);
});
