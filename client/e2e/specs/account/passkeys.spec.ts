/** A passkey by a person's hand: added, used to sign in and to show who is there, renamed, removed, refused. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { logOut, signUp, verify } from '../../pages/account-page.ts';
import { BrowserAuthenticator, passkeyList, suggest, suggestNone } from '../../pages/passkey-page.ts';
import { signingIn } from '../../pages/second-factor-page.ts';
import { shots } from '../../screenshots.ts';
import { Server } from '../../server.ts';

const PERSON = { name: 'Kay Key', email: 'kay@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let authenticator: BrowserAuthenticator;

const button = () => page.getByRole('button', { name: 'Sign in with a passkey' });

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  await server.name();
  ({ page, complaints } = await openPage(browser));
  authenticator = await BrowserAuthenticator.plugInto(page);
  await suggestNone(page);
  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a passkey is added on the account page', async () => {
  await page.goto(`${server.origin}/account`);
  await signingIn(page).getByText('None yet. A passkey signs you in').waitFor();
  await shots(page, 'passkeys-none');
  await signingIn(page).getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await dialog.getByLabel('Name of the passkey').fill('Laptop');
  expect(await faultsInBoth(page, 'adding a passkey')).toEqual([]);
  await shots(page, 'passkeys-add');
  await authenticator.verifies(false);
  await authenticator.agree(async () => {
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByText('No passkey was made.').waitFor();
  });
  await shots(page, 'passkeys-refused');
  await authenticator.verifies(true);
  await authenticator.agree(async () => {
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
  await passkeyList(page).getByText('Laptop').waitFor();
  await passkeyList(page).getByText('not used yet').waitFor();
  expect(await authenticator.count()).toBe(1);
  expect(await faultsInBoth(page, 'with a passkey')).toEqual([]);
  await shots(page, 'passkeys-one');
  // One device makes one passkey for an account.
  await signingIn(page).getByRole('button', { name: 'Add a passkey' }).click();
  await authenticator.agree(async () => {
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByText('This device has a passkey of your account already.').waitFor();
  });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('it signs in without a word, and may be renamed', async () => {
  await logOut(page);
  await button().waitFor();
  expect(await faultsInBoth(page, 'signing in with a passkey')).toEqual([]);
  await shots(page, 'passkeys-login');
  await authenticator.agree(async () => {
    await button().click();
    await page.waitForURL('**/decks');
  });
  await page.goto(`${server.origin}/account`);
  await passkeyList(page).getByText('last used').waitFor();
  await passkeyList(page).getByRole('button', { name: 'Rename Laptop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename the passkey' });
  await dialog.getByLabel('Name of the passkey').fill('Old laptop');
  await shots(page, 'passkeys-rename');
  await dialog.getByRole('button', { name: 'Save name' }).click();
  await passkeyList(page).getByText('Old laptop').waitFor();
});

test('who chooses none is told, and the browser suggests it in the address field', async () => {
  await logOut(page);
  await authenticator.verifies(false);
  await authenticator.agree(async () => {
    await button().click();
    await page.getByText('No passkey was used.').waitFor();
  });
  await shots(page, 'passkeys-cancelled');
  await authenticator.verifies(true);
  await suggest(page, true);
  await authenticator.agree(async () => {
    await page.reload();
    await page.waitForURL('**/decks');
  });
  await suggest(page, false);
});

test('it shows who is there before it is removed; from then on it is refused', async () => {
  await page.goto(`${server.origin}/account`);
  // As the server answers when the sign-in was a while ago.
  const tooOld = { error: { code: 400, message: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN' } };
  await page.route('**/accounts:update*', (route) => route.fulfill({ status: 400, json: tooOld }), {
    times: 1,
  });
  await passkeyList(page).getByRole('button', { name: 'Remove Old laptop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove this passkey?' });
  await dialog.getByText('no longer lets anybody in').waitFor();
  expect(await faultsInBoth(page, 'removing a passkey')).toEqual([]);
  await shots(page, 'passkeys-remove');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('button', { name: 'Use a passkey instead' }).waitFor();
  expect(await faultsInBoth(page, 'showing a passkey')).toEqual([]);
  await shots(page, 'passkeys-again');
  await authenticator.agree(async () => {
    await again.getByRole('button', { name: 'Use a passkey instead' }).click();
    await again.waitFor({ state: 'detached' });
  });
  await signingIn(page).getByText('None yet. A passkey signs you in').waitFor();
  await logOut(page);
  await authenticator.agree(async () => {
    await button().click();
    await page.getByText('No account here has this passkey').waitFor();
  });
  // The browser tells of refused requests, too.
  const refused = (complaint: string) => /passkeySignIn:finalize|accounts:update/.test(complaint);
  expect(complaints.filter((complaint) => !refused(complaint))).toEqual([]);
});

test('at another address than its own, the server offers none', async () => {
  const other = server.origin.replace('localhost', '127.0.0.1');
  const { page: elsewhere, context } = await openPage(browser);
  await elsewhere.goto(`${other}/login`);
  await elsewhere.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await elsewhere.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  await context.close();
});
