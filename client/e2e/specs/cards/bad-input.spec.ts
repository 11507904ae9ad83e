/** Card lists that cannot be imported: each is told what is wrong and where, and nothing is half-imported. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_CARDS } from '../../../src/data/documents/documents.ts';
import {
  cancelImport,
  chooseFile,
  confirmImport,
  createProject,
  importProblem,
} from '../../pages/project-page.ts';
import { RestUser } from '../../rest-user.ts';
import { PROJECT, type Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Bo Reyes', email: 'bo@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  ({ server, browser, context, page } = await startSignedIn(PERSON));
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
  ['a hundred thousand rows', Buffer.from(`Name,Text\n${'A\n'.repeat(100_000)}`), [/100000 cards/, /5000/]],
  ['faults without end', Buffer.from(`Name,Text\n${'A\n'.repeat(5_000)}`), [/5000 faults/, /And 4800 more/]],
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

interface Stored {
  readonly name: string;
  readonly fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Cells of a stored card. */
const cellsOf = (card: Stored | undefined) =>
  (card?.fields['cells']?.['mapValue'] as { fields?: Readonly<Record<string, unknown>> } | undefined)?.fields;

let token = '';
const asked = (path: string, init: RequestInit = {}) =>
  fetch(`${server.origin}/v1/${path}`, { ...init, headers: { Authorization: `Bearer ${token}` } });

/** Documents of a collection. */
async function all(path: string): Promise<Stored[]> {
  const answer = await asked(path);
  return ((await answer.json()) as { documents?: Stored[] }).documents ?? [];
}

/** Puts another value into one field, as a faulty program would; the rules look at whole fields alone. */
async function damage({ name }: Stored, field: string, value: object): Promise<void> {
  const [outer = '', inner] = field.split('.');
  const held = inner === undefined ? value : { mapValue: { fields: { [inner]: value } } };
  const answer = await asked(`${name}?updateMask.fieldPaths=${field}`, {
    method: 'PATCH',
    body: JSON.stringify({ fields: { [outer]: held } }),
  });
  expect(answer.status).toBe(200);
}

test('a card and a component that cannot be read are looked at and mended, and keep the rest', async () => {
  const { email, password } = PERSON;
  const answer = await fetch(
    `${server.origin}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=tuckbox-${PROJECT}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password, returnSecureToken: true }),
    },
  );
  token = ((await answer.json()) as { idToken: string }).idToken;
  const deck = /\/decks\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  const components = `projects/${PROJECT}/databases/(default)/documents/projects/${deck}/components`;
  const [component] = await all(components);
  const [card] = component ? await all(`${component.name}/cards`) : [];
  if (!card || !component) throw new Error('Nothing is stored.');
  await damage(card, 'cells.name', { integerValue: '0' });
  const notice = page.getByRole('alert').filter({ hasText: 'cannot be read: cells.name' });
  await notice.getByRole('button', { name: 'Look at it' }).click();
  const dialog = page.getByRole('dialog', { name: 'This cannot be read' });
  await dialog.getByRole('list', { name: 'Changes' }).getByText('0 → "0"').waitFor();
  const folder = process.env['TUCKBOX_SHOTS'];
  if (folder) await page.screenshot({ path: join(folder, 'mend-1440.png') });
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save what is stored' }).click();
  expect((await download).suggestedFilename()).toBe(`${card.name.split('/').at(-1)}.json`);
  // Meanwhile somebody else changes it: nothing is written over that.
  await damage(card, 'cells.name', { integerValue: '7' });
  await dialog.getByRole('button', { name: 'Mend it' }).click();
  await dialog.getByText('has changed meanwhile').waitFor();
  await dialog.getByRole('button', { name: 'Leave it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await notice.getByRole('button', { name: 'Look at it' }).click();
  await dialog.getByText('7 → "7"').waitFor();
  await dialog.getByRole('button', { name: 'Mend it' }).click();
  await page.getByText('Mended.').waitFor();
  await notice.waitFor({ state: 'detached' });
  const after = (await all(`${component.name}/cards`)).find(({ name }) => name === card.name);
  expect(cellsOf(after)).toEqual({ ...cellsOf(card), name: { stringValue: '7' } });

  await damage(component, 'kind', { stringValue: 'nonsense' });
  const other = page.getByRole('alert').filter({ hasText: 'cannot be read: kind' });
  await other.getByRole('button', { name: 'Look at it' }).click();
  await dialog.getByRole('button', { name: 'Mend it' }).click();
  await other.waitFor({ state: 'detached' });
  await page.getByText('2 cards').first().waitFor();
  expect((await all(components))[0]?.fields['kind']).toEqual({ stringValue: 'cards' });
});

test('a component into which somebody wrote too many cards says so, and can be deleted', async () => {
  const user = await RestUser.signIn(server.origin, PERSON);
  const column = { key: 'name', name: 'Name', type: 'text' };
  const component = {
    name: 'Flood',
    kind: 'cards',
    layoutId: null,
    columns: [column],
    order: 0,
    cardCount: 0,
  };
  await user.put({
    'projects/flood': { name: 'Flooded', createdAt: 1, updatedAt: 1 },
    'projects/flood/components/c': component,
  });
  const PER_COMMIT = 500;
  for (let from = 0; from <= MAX_CARDS; from += PER_COMMIT) {
    const cards = Array.from({ length: Math.min(PER_COMMIT, MAX_CARDS + 1 - from) }, (_, at) => [
      `projects/flood/components/c/cards/n${from + at}`,
      { order: from + at, copies: 1, cells: { name: `Card ${from + at}` } },
    ]);
    await user.put(Object.fromEntries(cards));
  }
  await page.goto(`${server.origin}/decks/flood`);
  await page.getByText(`more than ${MAX_CARDS} cards`).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'More for Flood' }).click();
  await page.getByRole('menuitem', { name: 'Delete component' }).click();
  await page.getByRole('button', { name: 'Delete component' }).click();
  await page
    .getByRole('heading', { name: 'Flood', exact: true })
    .waitFor({ state: 'detached', timeout: 60_000 });
});
