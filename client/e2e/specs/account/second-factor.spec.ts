/** An account with authenticator apps: adding them, signing in with one, ending other sessions, taking them away. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, openPage } from '../../browser.ts';
import { logOut } from '../../pages/account-page.ts';
import { addApp, logIn, makeCodes, signingIn, useRecoveryCode } from '../../pages/second-factor-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';
import type { Authenticator } from '../../totp.ts';

const PERSON = { name: 'Fay Factor', email: 'fay@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
/** A page of a session that began before the account had any app. */
let early: Page;
let complaints: Complaints;
let phone: Authenticator;
let tablet: Authenticator;
let codes: string[];

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  ({ page: early } = await openPage(browser));
  await early.goto(`${server.origin}/account`);
  await logIn(early, PERSON);
  await signingIn(early).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('apps are added with the first code they show', async () => {
  await page.goto(`${server.origin}/account`);
  await signingIn(page).getByText('Off. With an authenticator app').waitFor();
  await signingIn(page).getByRole('button', { name: 'Add authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  await dialog.getByLabel('Code', { exact: true }).fill('000000');
  expect(await faultsInBoth(page, 'adding an app')).toEqual([]);
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await dialog.getByText('This code is wrong').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  phone = await addApp(page, 'Add authenticator app', 'My phone');
  // The first app is added: recovery codes are offered at once.
  codes = await makeCodes(page);
  await signingIn(page).getByText('10 of 10 left.').waitFor();
  tablet = await addApp(page, 'Add another app', 'Tablet');
  expect(await faultsInBoth(page, 'with two apps')).toEqual([]);
  // The refused code is told of by the browser, too.
  expect(complaints.filter((complaint) => !complaint.includes('mfaEnrollment:finalize'))).toEqual([]);
});

test('a session that has shown no app asks for one before it takes any away', async () => {
  await addApp(page, 'Add another app', 'Spare');
  await early.reload();
  const question = early.getByRole('dialog', { name: 'Remove this app?' });
  await signingIn(early).getByRole('button', { name: 'Remove Spare' }).click();
  await question.getByText('Your other apps stay as they are.').waitFor();
  await question.getByRole('button', { name: 'Remove' }).click();
  const again = early.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await again.getByRole('button', { name: 'Go on' }).click();
  await again.getByLabel('Code', { exact: true }).fill(phone.next());
  await again.getByRole('button', { name: 'Go on' }).click();
  await signingIn(early).getByRole('button', { name: 'Remove Spare' }).waitFor({ state: 'detached' });
  await early.context().close();
  await page.reload();
  await signingIn(page).getByText('My phone').waitFor();
});

test('signing in asks for a code after the password; signing out elsewhere ends that session alone', async () => {
  const { context, page: other } = await openPage(browser);
  await other.goto(`${server.origin}/account`);
  await logIn(other, PERSON);
  await other.getByRole('heading', { name: 'One more step' }).waitFor();
  expect(await faultsInBoth(other, 'one more step')).toEqual([]);
  await other.getByRole('combobox', { name: 'Authenticator app' }).click();
  await other.getByRole('option', { name: 'Tablet' }).click();
  await other.getByLabel('Code', { exact: true }).fill(tablet.old());
  await other.getByRole('button', { name: 'Log in' }).click();
  await other.getByText('This code is wrong').waitFor();
  await other.getByLabel('Code', { exact: true }).fill(tablet.next());
  await other.getByRole('button', { name: 'Log in' }).click();
  await other.waitForURL(`${server.origin}/account`);

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out everywhere else?' });
  await question.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await question.getByRole('button', { name: 'Sign out' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Code', { exact: true }).fill(phone.next());
  await again.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Logged out everywhere else.').waitFor();
  await other.reload();
  await other.waitForURL('**/login*');
  await page.reload();
  await signingIn(page).getByText('My phone').waitFor();
  await context.close();
});

test('a recovery code stands in for a lost app, once', async () => {
  expect(codes).toHaveLength(10);
  const { context, page: other } = await openPage(browser);
  await other.goto(`${server.origin}/account`);
  const enterCode = (code: string) => useRecoveryCode(other, PERSON, code);
  await enterCode((codes[0] ?? '').toUpperCase());
  await signingIn(other).getByText('9 of 10 left.').waitFor();
  expect(await faultsInBoth(other, 'sessions and codes')).toEqual([]);
  await logOut(other);
  await enterCode(codes[0] ?? '');
  await other.getByText('none of your recovery codes').waitFor();
  expect(await faultsInBoth(other, 'a recovery code')).toEqual([]);
  await other.getByLabel('Recovery code').fill(codes[1] ?? '');
  await other.getByRole('button', { name: 'Log in' }).click();
  await other.waitForURL('**/decks');

  // That browser is listed here, and logged out from here.
  await page.reload();
  const listed = signingIn(page).getByRole('list', { name: 'Logged in' });
  await listed.getByText('This browser').waitFor();
  await listed.getByText('Chrome on Linux').first().waitFor();
  const ends = listed.getByRole('button', { name: 'Sign out Chrome on Linux' });
  const before = await listed.getByRole('listitem').count();
  await ends.first().click();
  await page.getByText('Chrome on Linux is logged out.').waitFor();
  await listed
    .getByRole('listitem')
    .nth(before - 1)
    .waitFor({ state: 'detached' });
  await other.reload();
  await other.waitForURL('**/login*');
  await context.close();
});

test('an app goes once somebody has shown one in this session', async () => {
  const question = page.getByRole('dialog', { name: 'Remove this app?' });
  await signingIn(page).getByRole('button', { name: 'Remove Tablet' }).click();
  await question.getByText('Your other apps stay as they are.').waitFor();
  await question.getByRole('button', { name: 'Remove' }).click();
  // The session showed one when it ended the others.
  await signingIn(page).getByRole('button', { name: 'Remove Tablet' }).waitFor({ state: 'detached' });
  await signingIn(page).getByRole('button', { name: 'Remove My phone' }).click();
  await question.getByText('It is the only one').waitFor();
  await question.getByRole('button', { name: 'Remove' }).click();
  await signingIn(page).getByText('Off. With an authenticator app').waitFor();

  await logOut(page);
  await logIn(page, PERSON);
  await page.waitForURL('**/decks');
});
