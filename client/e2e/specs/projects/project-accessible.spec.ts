/** axe finds nothing in a component's menu and details, among members, on credits and uploads, in either theme. */

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { dropOn, plain, writeTree } from '../../pages/images-page.ts';
import { tableShown } from '../../pages/table-page.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Lo Brandt', email: 'lo@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;

const image = (path: string, licence: string, credit: string) => ({
  ...{ path, licence, credit, former: [], tags: [], file: 'none', url: '/v0/b/none', hash: '', bytes: 1 },
  ...{ type: 'image/png', w: 1, h: 1, createdAt: 1, updatedAt: 1 },
});

beforeAll(async () => {
  ({ server, browser, page } = await startSignedIn(PERSON));
  const columns = [
    { key: 'name', name: 'Name', type: 'text' },
    { key: 'art', name: 'Art', type: 'image' },
  ];
  const cards = ['fox.png', 'owl.png', 'nowhere.png'].map((art, order) => [
    `projects/d/components/list/cards/c${order}`,
    { order, copies: 1, cells: { name: `Card ${order}`, art } },
  ]);
  await (await RestUser.signIn(server.origin, PERSON)).put({
    'library/images/items/fox': image('Art/fox.png', 'CC BY 4.0', 'Ada Verne'),
    'library/images/items/owl': image('Art/owl.png', '', ''),
    'projects/d': { name: 'Zoo', createdAt: 1, updatedAt: 1 },
    'projects/d/components/list': {
      name: 'List',
      kind: 'cards',
      layoutId: null,
      columns,
      order: 1,
      cardCount: 3,
    },
    'projects/d/components/more': {
      name: 'More',
      kind: 'tokens',
      layoutId: null,
      columns,
      order: 2,
      cardCount: 0,
    },
    ...Object.fromEntries(cards),
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a component: its menu, its details and what is wrong in them', async () => {
  await page.goto(`${server.origin}/decks/d`);
  await tableShown(page);
  await page.getByRole('button', { name: 'More for List' }).click();
  await page.getByRole('menuitem', { name: 'Move right' }).waitFor();
  const found = await faultsInBoth(page, 'menu');
  await page.getByRole('menuitem', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Component details' });
  await details.getByLabel('Component name').fill(' ');
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Give the component a name.').waitFor();
  found.push(...(await faultsInBoth(page, 'details')));
  expect(found).toEqual([]);
});

test('members, with an invitation that is open', async () => {
  await page.goto(`${server.origin}/decks/d`);
  await page.getByRole('button', { name: 'Members', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Members' });
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  await dialog.getByRole('list', { name: 'Open invitations' }).waitFor();
  await dialog.getByText('By e-mail address').click();
  expect(await faultsInBoth(page, 'members')).toEqual([]);
});

test('credits, with what is not known and what is missing', async () => {
  await page.goto(`${server.origin}/decks/credits/d`);
  await page.getByRole('list', { name: 'Credits' }).getByText('Ada Verne').waitFor();
  await page.getByText('Images that are nowhere').waitFor();
  expect(await faultsInBoth(page, 'credits')).toEqual([]);
});

test('the upload page, with files that are over and one that failed', async () => {
  const folder = join(server.dataDir, 'Art');
  await writeTree(
    folder,
    new Map([
      ['red.png', plain([200, 0, 0])],
      ['bad.png', Buffer.from('no picture')],
    ]),
  );
  await page.goto(`${server.origin}/upload`);
  await page.getByRole('heading', { name: 'Drop files and folders here' }).waitFor();
  await dropOn(page, [folder]);
  await page.getByText('1 file uploaded, 1 file failed').waitFor();
  expect(await faultsInBoth(page, 'uploads')).toEqual([]);
});
