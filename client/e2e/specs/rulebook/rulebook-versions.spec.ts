/** States of a rulebook's text are kept, compared and restored; the text is opened from the newest of them. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { createProject } from '../../pages/project-page.ts';
import { createRulebook, saved, text } from '../../pages/rulebook-page.ts';
import { commitDocuments, numbered } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Anne Bonny', email: 'anne@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Driftglass');
  await createRulebook(page, 'Rules of Driftglass', 'Nothing');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const versions = () => page.getByRole('dialog', { name: 'Versions' });
const open = () => page.getByRole('button', { name: 'Versions' }).click();

async function close(): Promise<void> {
  await versions().getByRole('button', { name: 'Close', exact: true }).click();
  await versions().waitFor({ state: 'detached' });
}

async function keep(name: string): Promise<void> {
  await versions().getByLabel('Keep the text as it is now').fill(name);
  await versions().getByRole('button', { name: 'Keep version' }).click();
  await versions().getByRole('button', { name, pressed: true }).waitFor();
}

async function write(words: string): Promise<void> {
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(words);
}

test('there is nothing to keep of an empty rulebook, and it is said', async () => {
  await open();
  await versions().getByText('Nothing is kept yet.').waitFor();
  await versions().getByLabel('Keep the text as it is now').fill('Empty');
  await versions().getByRole('button', { name: 'Keep version' }).click();
  await versions().getByText('There is no text to keep yet').waitFor();
  expect(await faultsInBoth(page, 'no versions')).toEqual([]);
  await close();
});

test('a version is kept under a name, compared with what came after it, renamed, and restored', async () => {
  await write('Draw two cards.');
  await open();
  await keep('1.0');
  await versions().getByText('Nothing: the text is as it was.').waitFor();
  await close();
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Then the tide comes.');
  await page.keyboard.press('Control+Home');
  for (const key of ['Control+ArrowRight', 'ArrowRight', 'Control+Shift+ArrowRight'])
    await page.keyboard.press(key);
  await page.keyboard.type('three');
  await saved(page);
  await open();
  const changes = versions().getByRole('list', { name: 'Changes' });
  await changes.locator('del', { hasText: /^two$/ }).waitFor();
  await expect.poll(() => changes.locator('ins').allInnerTexts()).toEqual(['three', 'Then the tide comes.']);
  expect(await faultsInBoth(page, 'versions')).toEqual([]);
  await versions().getByLabel('Its name').fill('First playtest');
  await page.keyboard.press('Enter');
  await versions().getByRole('button', { name: 'First playtest' }).waitFor();
  await changes.getByRole('button', { name: 'Show' }).last().click();
  await versions().waitFor({ state: 'detached' });
  await open();
  await versions().getByRole('button', { name: 'Restore this version' }).click();
  await versions().waitFor({ state: 'detached' });
  await expect.poll(() => text(page).locator('p').allInnerTexts()).toEqual(['Draw two cards.']);
  await text(page).focus();
  await page.keyboard.press('Control+z');
  await text(page).getByText('Then the tide comes.').waitFor();
  await saved(page);
});

test('the text is opened from its newest version, and from the one before if that cannot be read', async () => {
  const [, project, rulebook] = /rulebook-maker\/([^/]+)\/([^/?]+)/.exec(page.url()) ?? [];
  const user = await RestUser.signIn(server.origin, PERSON);
  const path = `projects/${project}/rulebooks/${rulebook}/versions`;
  await open();
  await keep('1.1');
  await close();
  const root = `${server.origin}/v1/projects/demo-tuckbox/databases/(default)/documents/${path}`;
  const stored = async () => {
    const reply = await fetch(root, { headers: { Authorization: `Bearer ${user.token}` } });
    return (
      (await reply.json()) as {
        documents: { name: string; fields: Record<string, { stringValue: string }> }[];
      }
    ).documents;
  };
  await expect
    .poll(async () => (await stored()).map(({ fields }) => fields['name']?.stringValue))
    .toEqual(['First playtest', '1.1']);
  const documents = await stored();
  expect(documents.at(-1)?.fields['hash']?.stringValue).toMatch(/^[0-9a-f]{64}$/);
  const newest = Number(documents.at(-1)?.name.split('/').at(-1));
  // Each of the next two steps gets a version that its steps did not make: the one is shown, the other is passed over.
  const put = (number: number, doc: string) =>
    commitDocuments(user, [
      {
        path: `${path}/${numbered(number)}`,
        fields: { name: '', by: user.uid, hash: 'a', doc },
        timed: true,
      },
    ]);
  await write(' And it goes.');
  await saved(page);
  const told = { type: 'text', text: 'Told by the version alone.' };
  await put(
    newest + 1,
    JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', attrs: { id: 'v' }, content: [told] }] }),
  );
  await page.reload();
  await text(page).getByText(told.text).waitFor();
  await write(' And a step.');
  await saved(page);
  await put(newest + 2, '{"type":"doc","content":[{"type":"script"}]}');
  await page.reload();
  await text(page).getByText(`${told.text} And a step.`).waitFor();
  await open();
  await versions().getByText('This version cannot be read.').waitFor();
  await close();
});

test('a rulebook that was deleted more than a day ago goes, with its versions and comments', async () => {
  const [, project = '', rulebook = ''] = /rulebook-maker\/([^/]+)\/([^/?]+)/.exec(page.url()) ?? [];
  const user = await RestUser.signIn(server.origin, PERSON);
  const root = `${server.origin}/v1/projects/demo-tuckbox/databases/(default)/documents/projects/${project}`;
  const headers = { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' };
  const count = async (path: string): Promise<number> => {
    const reply = await fetch(`${root}/${path}`, { headers });
    return ((await reply.json()) as { documents?: unknown[] }).documents?.length ?? 0;
  };
  await commitDocuments(user, [
    {
      path: `projects/${project}/comments/mine`,
      fields: { authorId: user.uid, rulebook, block: 'v', text: 'Gone?' },
    },
  ]);
  const parts = [`rulebooks/${rulebook}/steps`, `rulebooks/${rulebook}/versions`, 'comments', 'rulebooks'];
  for (const part of parts) expect(await count(part)).toBeGreaterThan(0);
  const twoDaysAgo = String(Date.now() - 2 * 24 * 60 * 60 * 1_000);
  const reply = await fetch(`${root}/rulebooks/${rulebook}?updateMask.fieldPaths=deletedAt`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ fields: { deletedAt: { integerValue: twoDaysAgo } } }),
  });
  expect(reply.status).toBe(200);
  await page.getByText('This rulebook is not here').waitFor();
  await page.getByRole('link', { name: 'To the project' }).click();
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  await expect.poll(async () => Promise.all(parts.map(count)), { timeout: 20_000 }).toEqual([0, 0, 0, 0]);
});

test('nothing was complained about', () => {
  expect(besidesRetries(complaints)).toEqual([]);
});
