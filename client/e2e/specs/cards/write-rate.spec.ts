/** Somebody who types faster than the server takes: told so, and nothing typed is lost. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { allSaved, cell, tableShown, typeOver } from '../../pages/table-page.ts';
import { Server } from '../../server.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const rates = { documents: 15, burstDocuments: 25 };
  [server, browser] = await Promise.all([Server.start({ tuckbox: { documents: { rates } } }), launch()]);
  ({ context, page } = await openPage(browser));
  await signUp(page, server.origin, ANN);
  await verify(page, server, ANN);
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

test('a table with too many changes at once is not offline, and saves them in a moment', async () => {
  await createProject(page, 'Quick Hands');
  const list = join(server.dataDir, 'list.csv');
  await writeFile(list, 'Name,Text\nFox,quick\nDog,lazy\n');
  await chooseFile(page, list);
  await confirmImport(page, 2);
  await tableShown(page);
  await allSaved(page);
  const note = page.getByText('Too many changes at once: saving in a moment');
  let typed = 'quick';
  for (let n = 0; n < 100 && !(await note.isVisible()); n++) {
    await cell(page, typed).click();
    typed = `quick ${n}`;
    await typeOver(page, typed);
  }
  await note.waitFor();
  expect(await page.getByText('Offline', { exact: false }).count()).toBe(0);
  await allSaved(page);
  await page.reload();
  await cell(page, typed).waitFor();
});
