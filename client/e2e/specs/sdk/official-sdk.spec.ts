/**
 * The same application with the official Firebase SDK in place of our shim, by the build's one flag: it must work
 * against this host as it stands.
 */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { logOut, signUp, verify } from '../../pages/account-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { addApp, makeCodes, signingIn, useRecoveryCode } from '../../pages/second-factor-page.ts';
import { Server } from '../../server.ts';

const CLIENT = resolve(import.meta.dirname, '../../..');
const PERSON = { name: 'Cy Okoro', email: 'cy@example.com', password: 'a long enough one' };

/** The application is built anew: half a minute of one processor, which others may want too. */
const BUILD_MS = 240_000;

let server: Server;
let browser: Browser;

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '--silent', 'build:official'], { cwd: CLIENT });
  const rewrites = [{ source: '**', destination: '/index.html' }];
  [server, browser] = await Promise.all([
    Server.start({ hosting: { public: join(CLIENT, 'dist-official'), rewrites } }),
    launch(),
  ]);
}, BUILD_MS);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('sign up, verify, import, see the cards, delete, sign in with a recovery code: on the official SDK', async () => {
  const { context, page } = await openPage(browser);
  const streams: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/Listen/channel')) streams.push(request.url());
  });

  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
  await createProject(page, 'Two cards');
  const list = join(server.dataDir, 'list.csv');
  await writeFile(list, 'Name,Text\nFox,Quick\nDog,Lazy\n');
  await chooseFile(page, list);
  await confirmImport(page, 2);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: /Edit layout/ }).waitFor();
  await page.reload();
  await page.getByText('2 cards').first().waitFor();
  // Live queries really came over the SDK's own channel, not over our shim's stream.
  expect(streams.length).toBeGreaterThan(0);

  await page.getByRole('link', { name: 'Projects' }).first().click();
  await page.getByRole('button', { name: /Two cards/ }).click();
  await page.getByRole('menuitem', { name: 'Move to trash' }).click();
  await page.getByRole('group', { name: 'Shelf' }).getByRole('button', { name: 'Trash 1' }).click();
  await page.getByRole('button', { name: 'Empty the trash' }).click();
  const sure = page.getByRole('dialog', { name: 'Delete this project for good?' });
  await sure.getByRole('button', { name: 'Delete for good' }).click();
  await sure.waitFor({ state: 'detached' });
  await page.getByText('Your first game starts here').waitFor();

  await page.goto(`${server.origin}/account`);
  await addApp(page, 'Add authenticator app', 'My phone');
  const [code = ''] = await makeCodes(page);
  await logOut(page);
  await useRecoveryCode(page, PERSON, code);
  await page.waitForURL('**/decks');
  await page.goto(`${server.origin}/account`);
  await signingIn(page).getByText('9 of 10 left.').waitFor();
  await signingIn(page).getByRole('list', { name: 'Logged in' }).getByText('This browser').waitFor();
  await context.close();
});
