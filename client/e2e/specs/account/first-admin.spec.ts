/** The code in the log of a new server makes the first administrator in the browser. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faults } from '../../axe.ts';
import { type Complaints, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const ADA = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };
const BOB = { name: 'Bob', email: 'bob@example.com', password: 'correct horse' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(ADA));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** The code in a server's log. */
function codeIn(log: readonly string[]): string {
  const code = log.join('\n').match(/no administrator yet.*?code="?([a-z0-9]{4}(?:-[a-z0-9]{4}){2})/)?.[1];
  if (!code) throw new Error(`no code in the log:\n${log.join('\n')}`);
  return code;
}

test('the code of the log makes the first administrator, once', async () => {
  await page.goto(`${server.origin}/admin-control-panel`);
  await page.getByText('This server has no administrator yet').waitFor();
  expect(await faults(page)).toEqual([]);
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.fill('aaaa-bbbb-cccc');
  await code.press('Enter');
  await page.getByText("This is not the code in the server's log").waitFor();
  await code.fill(codeIn(server.log).toUpperCase());
  await code.press('Enter');
  await page.getByRole('region', { name: 'People', exact: true }).first().waitFor();
  await page.getByText(ADA.email).first().waitFor();

  const other = await openPage(browser);
  await signUp(other.page, server.origin, BOB);
  await verify(other.page, server, BOB);
  await other.page.goto(`${server.origin}/admin-control-panel`);
  await other.page.getByText('You are not an administrator').waitFor();
  expect(await other.page.getByRole('textbox', { name: 'Code' }).count()).toBe(0);
  await other.context.close();
  // The wrong code is the only refusal.
  expect([...complaints].filter((complaint) => !/becomeFirstAdmin/.test(complaint))).toEqual([]);
});
