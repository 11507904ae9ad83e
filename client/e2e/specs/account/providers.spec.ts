/** Signing in at a provider, which in emulator mode makes its people up. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { endIntroduction } from '../../pages/account-page.ts';
import { Server } from '../../server.ts';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start({ tuckbox: {} }, 'emulator'), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a visitor goes to the provider and comes back to the page they had asked for', async () => {
  const { context, page } = await openPage(browser);
  await page.goto(`${server.origin}/account`);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.waitForURL('**/emulator/auth/provider*');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Name').fill('Ada Verne');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${server.origin}/account`);
  const signingIn = page.getByRole('region', { name: 'Signing in' });
  await signingIn.getByText('Google').waitFor();
  // The provider has verified the address: nothing locks the page.
  await expect.poll(() => page.getByText('Verified', { exact: true }).count()).toBe(1);
  expect(await signingIn.getByRole('button', { name: 'Link Google' }).count()).toBe(0);
  await context.close();
});

test('an account without a password is deleted by who has just signed in to it again', async () => {
  const { context, page, complaints } = await openPage(browser);
  const visit = async (email: string, name: string) => {
    await page.waitForURL('**/emulator/auth/provider*');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${server.origin}/account*`);
  };
  await page.goto(`${server.origin}/account`);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await visit('bea@example.com', 'Bea Nord');
  await endIntroduction(page);
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const leave = async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click();
    expect(await dialog.getByRole('button', { name: 'Delete the account' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Sign in with Google' }).click();
  };
  await leave();
  await visit('cy@example.com', 'Cy Ost');
  await page.getByText('You came back as somebody else. Nothing was deleted.').waitFor();
  await endIntroduction(page);
  await leave();
  await visit('cy@example.com', 'Cy Ost');
  await dialog.getByText('cy@example.com').waitFor();
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await page.getByRole('button', { name: 'Howdy!' }).waitFor();

  // A later sign-in with that address creates a new account.
  await page.goto(`${server.origin}/account`);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await visit('cy@example.com', 'Cy Ost');
  await endIntroduction(page);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a link back that was not begun in this tab signs nobody in', async () => {
  const { context, page } = await openPage(browser);
  await page.goto(
    `${server.origin}/__/auth/handler?providerId=google.com&state=x&id_token=%7B%22sub%22:%221%22%7D`,
  );
  await page.getByText('not begun in this tab').waitFor();
  await page.goto(`${server.origin}/decks`);
  await page.waitForURL('**/login*');
  await context.close();
});
