/** Card lists that cannot be imported: each is told what is wrong and where, and nothing is half-imported. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../browser.ts';
import { signUp, verify } from '../pages/account-page.ts';
import {
  cancelImport,
  chooseFile,
  confirmImport,
  createProject,
  importProblem,
} from '../pages/project-page.ts';
import { Server } from '../server.ts';

const PERSON = { name: 'Bo Reyes', email: 'bo@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ context, page } = await openPage(browser));
  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
  await createProject(page, 'Faulty lists');
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

/** Hands a list with these bytes to the import dialog. */
async function choose(bytes: Buffer): Promise<void> {
  const file = join(server.dataDir, 'list.csv');
  await writeFile(file, bytes);
  await chooseFile(page, file);
}

const CASES: readonly (readonly [string, Buffer, readonly RegExp[]])[] = [
  [
    'bytes that are not UTF-8',
    Buffer.from([...Buffer.from('Name,Text\nA,caf'), 0xe9, 0x0a]),
    [/UTF-8/, /[Rr]ow 2/],
  ],
  ['ragged rows', Buffer.from('Name,Text\nA,b\nC\nD,e,f\n'), [/[Rr]ow 3/, /[Rr]ow 4/]],
  ['duplicate headers', Buffer.from('Name,Text,Name\nA,b,c\n'), [/Name/, /column/i]],
  ['50 MB', Buffer.alloc(50_000_000, 'a,b\n'), [/MB/, /8/]],
];

test.each(CASES)('%s', async (_name, bytes, said) => {
  await choose(bytes);
  const problem = await importProblem(page);
  for (const words of said) expect(problem).toMatch(words);
  await expect.poll(() => page.getByRole('button', { name: /^Import/ }).isDisabled()).toBe(true);
  await cancelImport(page);
  await page.getByText('Drop a card list here').waitFor();
});

test('a mended list imports after a faulty one', async () => {
  await choose(Buffer.from('Name,Text\nA\n'));
  await importProblem(page);
  await choose(Buffer.from('Name,Text\nA,b\nC,d\n'));
  await confirmImport(page, 2);
  await page.getByText('2 cards').first().waitFor();
});
