/** The sign-up page of servers that take nobody new, or take people by invitation. */

import { expect, test } from 'vitest';
import { faults } from '../../axe.ts';
import { launch, openPage } from '../../browser.ts';
import { Server } from '../../server.ts';

const site = { operator: 'Ada Lovelace', contact: 'cards@example.com' };

test('a closed server says so and whom to ask', async () => {
  const server = await Server.start({ tuckbox: { site, signIn: { signUp: 'closed' } } });
  const browser = await launch();
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.origin}/signup`);
  await page
    .getByText('This server does not take new accounts. Ada Lovelace can tell you more: cards@example.com.')
    .waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(await faults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Log in' }).last().click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(complaints).toEqual([]);
  await browser.close();
  await server.stop();
});

test('a server that asks for invitations says so before and after', async () => {
  const server = await Server.start({ tuckbox: { signIn: { signUp: 'invitation' } } });
  const browser = await launch();
  const { page } = await openPage(browser);
  await page.goto(`${server.origin}/signup`);
  await page.getByText('This server takes new accounts by invitation').waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByLabel('Name').fill('Eve');
  await page.getByLabel('E-mail').fill('eve@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByText('This server takes no new account with this address').waitFor();
  expect(await page.getByLabel('E-mail').inputValue()).toBe('eve@example.com');
  await browser.close();
  await server.stop();
});
