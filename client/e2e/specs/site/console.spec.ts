/** The console of an emulator, walked through: every page does its work, and axe finds nothing on it. */

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileSample } from '../../../../suites/functions/compile.mjs';
import { faultsInBoth } from '../../axe.ts';
import { launch, openPage } from '../../browser.ts';
import { PROJECT, Server } from '../../server.ts';

const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents {
    match /heroes/{id} {
      allow read: if request.auth.uid == resource.data.owner;
    }
  }
}
`;

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    Server.start({ functions: { source: compileSample() } }, 'emulator'),
    launch(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const documents = (rest: string) =>
  `${server.origin}/v1/projects/${PROJECT}/databases/(default)/documents${rest}`;

/** A request by a program other than the console. */
async function elsewhere(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(path, { ...init, headers: { Authorization: 'Bearer owner', ...init.headers } });
}

async function storedFields(path: string): Promise<Record<string, unknown>> {
  const body = (await (await elsewhere(documents(path))).json()) as { fields: Record<string, unknown> };
  return body.fields;
}

async function set(path: string, fields: object): Promise<void> {
  const response = await elsewhere(documents(path), { method: 'PATCH', body: JSON.stringify({ fields }) });
  expect(response.status).toBe(200);
}

function row(page: Page, grid: string, text: string): Locator {
  return page.getByRole('grid', { name: grid }).getByRole('row').filter({ hasText: text });
}

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function walkDocuments(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New collection' }).click();
  await page.getByRole('textbox', { name: 'Collection', exact: true }).fill('heroes');
  await page.getByLabel('Id of the document').fill('fox');
  await page
    .getByLabel('Fields, as JSON')
    .fill('{ "name": "Fox", "lives": 9, "owner": "ann", "born": { "$timestamp": "2026-01-31T12:00:00Z" } }');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Change lives: 9' }).waitFor();
  // Writes of programs show without a reload, in the list and in the document.
  await set('/heroes/fox?updateMask.fieldPaths=lives', { lives: { integerValue: '8' } });
  await page.getByRole('button', { name: 'Change lives: 8' }).click();
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill('seven');
  await page.keyboard.press('Enter');
  await page.getByText('seven is no whole number.').waitFor();
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill('7');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change lives: 7' }).waitFor();
  expect(await storedFields('/heroes/fox')).toEqual({
    name: { stringValue: 'Fox' },
    lives: { integerValue: '7' },
    owner: { stringValue: 'ann' },
    born: { timestampValue: '2026-01-31T12:00:00Z' },
  });
  await set('/heroes/owl', { name: { stringValue: 'Owl' }, lives: { integerValue: '3' } });
  await row(page, 'Documents', 'owl').waitFor();
  // A query, of which the address remembers everything.
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByRole('combobox', { name: 'Field', exact: true }).fill('lives');
  await page.getByLabel('Comparison').selectOption('<');
  await page.getByLabel('Kind of value').selectOption('integer');
  await page.getByRole('form', { name: 'Query' }).getByLabel('Value', { exact: true }).fill('5');
  await page.keyboard.press('Enter');
  await row(page, 'Documents', 'fox').waitFor({ state: 'detached' });
  await row(page, 'Documents', 'owl').waitFor();
  await page.reload();
  await row(page, 'Documents', 'owl').waitFor();
  expect(await row(page, 'Documents', 'fox').count()).toBe(0);
  // The arrow keys choose, Delete deletes.
  await row(page, 'Documents', 'owl').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'owl' }).waitFor();
  await row(page, 'Documents', 'owl').press('Delete');
  await page.getByRole('button', { name: 'Delete document' }).click();
  await page.getByText('No document meets all conditions.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await row(page, 'Documents', 'fox').click();
  await page.getByRole('button', { name: 'Change lives: 7' }).waitFor();
}

async function walkUsers(page: Page): Promise<void> {
  await open(page, 'Users');
  await page.getByText('Nobody yet').waitFor();
  await page.getByRole('button', { name: 'New user' }).click();
  const form = page.getByRole('dialog', { name: 'New user' });
  await form.getByLabel('E-mail', { exact: true }).fill('ann@example.com');
  await form.getByLabel('Password').fill('a long enough one');
  await form.getByLabel('Claims, as JSON').fill('{"admin": true}');
  await form.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('heading', { level: 2, name: 'ann@example.com' }).waitFor();
  await page.getByRole('region', { name: 'User', exact: true }).getByLabel('Name').fill('Ann');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 2, name: 'Ann' }).waitFor();
}

async function walkFunctions(page: Page): Promise<void> {
  await open(page, 'Functions');
  await page.getByRole('searchbox', { name: 'Show functions with' }).fill('echo');
  await page.getByRole('button', { name: /^echo/ }).click();
  await page.getByLabel('Data, as JSON').fill('{ "hello": 1 }');
  await page.getByLabel('As the user with this id').fill('ann');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('"uid": "ann"').waitFor();
  await page
    .getByRole('region', { name: 'Lines' })
    .getByText(/answered 200 after/)
    .waitFor();
}

async function walkRequestsAndRules(page: Page): Promise<string[]> {
  await open(page, 'Rules');
  await page.getByRole('textbox', { name: 'Rules' }).fill(RULES);
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page.getByText('In force', { exact: true }).waitFor();
  await open(page, 'Requests');
  expect((await fetch(documents('/heroes/fox'))).status).toBe(403);
  await row(page, 'Requests', 'denied').click();
  await page.getByText('allow read', { exact: false }).or(page.getByText('Line 5')).first().waitFor();
  const found = await faultsInBoth(page);
  await page.getByRole('button', { name: 'Try it with other rules' }).click();
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  const result = page.getByRole('region', { name: 'What came of it' });
  await result.getByText('Denied').waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.getByLabel('User id').fill('ann');
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await result.getByText('Allowed').waitFor();
  await page.getByRole('textbox', { name: 'Rules' }).fill(RULES.replace('== resource', '= resource'));
  await page.getByRole('button', { name: 'Try', exact: true }).click();
  await result.getByRole('button', { name: 'Line 5' }).waitFor();
  return found;
}

const FILE_RULES = `rules_version = '2';
service firebase.storage {
  match /b/{bucket}/o {
    match /covers/{uid}/{name} {
      allow write: if request.auth.uid == uid && request.resource.size < 100;
    }
  }
}
`;

async function walkFileRules(page: Page): Promise<string[]> {
  await page.getByRole('radiogroup', { name: 'Rules for' }).getByText('Files').click();
  const rules = page.getByRole('textbox', { name: 'Rules' });
  await page.getByText('In force', { exact: true }).waitFor();
  await rules.fill(FILE_RULES);
  await page.getByLabel('Method').selectOption('create');
  await page.getByLabel('Path of the file').fill('covers/ann/a.png');
  await page.getByLabel('User id').fill('ann');
  const attempt = page.getByRole('button', { name: 'Try', exact: true });
  await attempt.click();
  const result = page.getByRole('region', { name: 'What came of it' });
  await result.getByText('Denied').waitFor();
  await result.getByText('request.resource.size', { exact: true }).waitFor();
  const found = await faultsInBoth(page);
  await page.getByLabel('The file as it would be').fill('{ "size": 99 }');
  await attempt.click();
  await result.getByText('Allowed').waitFor();
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page.getByText('In force', { exact: true }).waitFor();
  // Somebody else's upload now is what the log tells of, and what can be tried again.
  const upload = `${server.origin}/v0/b/${PROJECT}.appspot.com/o?uploadType=media&name=covers%2Fann%2Fa.png`;
  expect((await fetch(upload, { method: 'POST', body: 'x' })).status).toBe(403);
  await open(page, 'Requests');
  await row(page, 'Requests', '…/covers/ann/a.png').click();
  await page.getByRole('button', { name: 'Try it with other rules' }).click();
  await expect.poll(() => page.getByLabel('Path of the file').inputValue()).toBe('covers/ann/a.png');
  await expect.poll(() => rules.inputValue()).toBe(FILE_RULES);
  return found;
}

async function walkFiles(page: Page): Promise<void> {
  await open(page, 'Files');
  await page.getByText('No files', { exact: true }).waitFor();
  const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
  await page.locator('input[type=file]').setInputFiles(file);
  await row(page, 'Files', 'note.txt').click();
  await page.getByText('5 B (5 bytes)').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('note.txt');
  await page.getByRole('button', { name: 'Delete this file' }).click();
  await page.getByRole('button', { name: 'Delete file', exact: true }).click();
  await page.getByText('No files', { exact: true }).waitFor();
}

test('the console does its work', async () => {
  const { page, complaints } = await openPage(browser);
  const found: string[] = [];
  await page.goto(`${server.origin}/console`);
  await page.getByRole('heading', { level: 1, name: 'Documents' }).waitFor();
  await walkDocuments(page);
  found.push(...(await faultsInBoth(page)));
  await walkUsers(page);
  found.push(...(await faultsInBoth(page)));
  await walkFunctions(page);
  found.push(...(await faultsInBoth(page)));
  found.push(...(await walkRequestsAndRules(page)));
  found.push(...(await walkFileRules(page)));
  await walkFiles(page);
  found.push(...(await faultsInBoth(page)));
  const key = 'fake-api-key';
  await elsewhere(`${server.origin}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=${key}`, {
    method: 'POST',
    body: JSON.stringify({ requestType: 'PASSWORD_RESET', email: 'ann@example.com' }),
  });
  await page.keyboard.press('Alt+4');
  await row(page, 'Mails', 'ann@example.com').click();
  await page.getByRole('link', { name: 'Open the link' }).waitFor();
  found.push(...(await faultsInBoth(page)));
  await open(page, 'Metrics');
  await page.getByRole('figure').first().waitFor();
  found.push(...(await faultsInBoth(page)));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('heroes/fox');
  found.push(...(await faultsInBoth(page)));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change lives: 7' }).waitFor();
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
