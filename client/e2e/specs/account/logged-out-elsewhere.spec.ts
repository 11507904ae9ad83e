/** Logging out in one window while another of the same browser holds work that is not saved. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { logOut } from '../../pages/account-page.ts';
import { newLayout, properties, saved, zone } from '../../pages/editor-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let editor: Page;
let other: Page;
let complaints: Complaints;
let address: string;

beforeAll(async () => {
  ({ server, browser, page: editor, complaints } = await startSignedIn(ANN));
  await newLayout(editor, server.origin);
  await editor.keyboard.press('s');
  await editor.keyboard.press('Enter');
  await saved(editor);
  address = editor.url();
  other = await editor.context().newPage();
  await other.goto(`${server.origin}/account`);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const name = () => properties(editor).getByLabel('Name', { exact: true });
const notice = () => editor.getByRole('alert').filter({ hasText: 'You were logged out in another window' });

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(ANN.email);
  await page.getByLabel('Password', { exact: true }).fill(ANN.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** No write of the editor's window reaches the server until that is ended. */
async function withoutWrites(): Promise<() => Promise<void>> {
  const writes = /:commit|Write\/channel/;
  await editor.route(writes, (route) => route.abort());
  return () => editor.unroute(writes);
}

test('what cannot be saved keeps its window, and is saved for those who log in again', async () => {
  const writesAgain = await withoutWrites();
  await name().fill('Not yet saved');
  await logOut(other);
  await notice().getByRole('link', { name: 'Log in' }).waitFor();
  expect(await faultsInBoth(editor, 'logged out elsewhere')).toEqual([]);
  expect(editor.url()).toBe(address);
  await writesAgain();
  const opening = editor.context().waitForEvent('page');
  await notice().getByRole('link', { name: 'Log in' }).click();
  await logIn(await opening);
  await notice().waitFor({ state: 'detached' });
  await zone(editor, 'Not yet saved').waitFor();
  await saved(editor);
});

test('what is still in a field is saved before its window goes', async () => {
  await other.goto(`${server.origin}/account`);
  await name().fill('Typed and not left');
  await logOut(other);
  await editor.waitForURL(/\/login/);
  await logIn(editor);
  await zone(editor, 'Typed and not left').waitFor();
  expect(besidesRetries(complaints).filter((one) => !one.includes('ERR_FAILED'))).toEqual([]);
});
