/** Restoring from a comparison of two versions while the project is a third state, and what else only a second look finds. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { plain, upload } from '../../pages/images-page.ts';
import { changed, freeze, showChange, version } from '../../pages/versions-page.ts';
import { putCards } from '../../rest-cards.ts';
import { DOCUMENTS, RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ada Blackjack', email: 'ada@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;

const card = (order: number, name: string, rule: string) => ({ order, copies: 1, cells: { name, rule } });

/** A layout with the picture `fox.png` over all of it. */
function front(x: number) {
  const layout = newLayout('Front');
  const picture = newZone('image', 'picture', 'Picture', { x: 0, y: 0, w: layout.size.w, h: layout.size.h });
  Object.assign(picture, { source: 'fox.png' });
  const title = newZone('text', 'title', 'Title', { x, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  layout.zones = [picture, title];
  return layout;
}

const cells = async (id: string) => (await user.read(`projects/d/components/c/cards/${id}`))?.['cells'];

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Tides',
    component: 'Events',
    columns: { name: ['Name', 'text'], rule: ['Rule', 'text'] },
    cards: { ash: card(0, 'Ash', 'Draw.'), ebb: card(1, 'Ebb', 'Stop.'), elm: card(2, 'Elm', 'Wait.') },
    layout: front(5),
  });
  await page.goto(`${server.origin}/decks/images/d`);
  await writeFile(join(server.dataDir, 'other.png'), plain([36, 180, 72]));
  await upload(page, server.dataDir, 'fox.png', [216, 36, 36]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const versions = () => page.goto(`${server.origin}/decks/d/versions`);
const idOf = async (name: string): Promise<string> => {
  const link = version(page, name).getByRole('link', { name: `Compare ${name} with now` });
  return new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams.get('from') ?? '';
};

/** Colours in the middle of the pictures of a detail, as red, green and blue. */
async function colours(detail: Locator): Promise<string[]> {
  await page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'));
  return detail.locator('figure canvas').evaluateAll((all) =>
    (all as HTMLCanvasElement[]).map((one) => {
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [one.width, one.height];
      const context = copy.getContext('2d');
      context?.drawImage(one, 0, 0);
      const data = context?.getImageData(one.width / 2, one.height / 2, 1, 1).data ?? [];
      return [...data].slice(0, 3).join(' ');
    }),
  );
}

test('a name that another version has is refused in the window', async () => {
  await versions();
  await freeze(page, 'v1');
  await page.getByRole('button', { name: 'Freeze version' }).click();
  const dialog = page.getByRole('dialog', { name: 'Freeze version' });
  await dialog.getByLabel('Name').fill(' v1 ');
  await dialog.getByText('Another version of this project has this name.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Freeze', exact: true }).isDisabled()).toBe(true);
  expect(await faultsInBoth(page, 'a name that is taken')).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a card is restored as the earlier version had it, whatever it is today', async () => {
  await user.put({
    'projects/d/components/c/cards/ash': card(0, 'Ash two', 'Draw.'),
    'projects/d/components/c/cards/ebb': card(1, 'Ebb two', 'Stop.'),
  });
  await freeze(page, 'v2');
  const [one, two] = [await idOf('v1'), await idOf('v2')];
  await user.put({ 'projects/d/components/c/cards/ash': card(0, 'Ash three', 'Draw three.') });
  await user.post(`/v1/${DOCUMENTS}:commit`, {
    writes: [{ delete: `${DOCUMENTS}/projects/d/components/c/cards/ebb` }],
  });
  await page.goto(`${server.origin}/decks/d/versions?from=${one}&to=${two}`);
  expect(await changed(page)).toEqual(['Events 2', 'Ash two Changed', 'Ebb two Changed']);
  const ash = await showChange(page, 'Ash two');
  await ash.getByRole('button', { name: 'Restore Ash two', exact: true }).click();
  await expect.poll(() => cells('ash')).toEqual({ name: 'Ash', rule: 'Draw.' });
  const message = page.getByRole('status').filter({ hasText: 'Ash two: restored.' });
  await message.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => cells('ash')).toEqual({ name: 'Ash three', rule: 'Draw three.' });
  const ebb = await showChange(page, 'Ebb two');
  await ebb.getByRole('button', { name: 'Restore Ebb two', exact: true }).click();
  await expect.poll(() => cells('ebb')).toEqual({ name: 'Ebb', rule: 'Stop.' });
});

test('settings of the project are restored, those too that it had none of', async () => {
  await user.post(`/v1/${DOCUMENTS}:commit`, {
    writes: [
      {
        update: { name: `${DOCUMENTS}/projects/d`, fields: { description: { stringValue: 'Of the sea.' } } },
        updateMask: { fieldPaths: ['description'] },
      },
    ],
  });
  await versions();
  await version(page, 'v1').getByRole('link', { name: 'Compare v1 with now' }).click();
  const settings = await showChange(page, 'Project');
  await settings.getByRole('button', { name: /^Restore/ }).click();
  await expect.poll(async () => (await user.read('projects/d'))?.['description']).toBeUndefined();
  await expect.poll(() => changed(page)).not.toContain('Project Changed');
  const message = page.getByRole('status').filter({ hasText: 'Settings of the project: restored.' });
  await message.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await user.read('projects/d'))?.['description']).toBe('Of the sea.');
});

test('cards and layouts are drawn with the pictures and layouts that they had', async () => {
  await page.goto(`${server.origin}/decks/images/d`);
  await page.getByRole('option', { name: 'fox.png', exact: true }).click();
  await page.getByLabel('Picture to put in its place').setInputFiles(join(server.dataDir, 'other.png'));
  await page.getByText('Replaced wherever it is used.').waitFor();
  await user.put({
    'projects/d/layouts/front': { name: 'Front', version: 1, updatedAt: 2, scene: front(8) },
    'projects/d/components/c/cards/ash': card(0, 'Ash four', 'Draw.'),
  });
  await versions();
  await version(page, 'v1').getByRole('link', { name: 'Compare v1 with now' }).click();
  const [red, green] = ['216 36 36', '36 180 72'];
  const layout = await showChange(page, 'Front');
  await expect.poll(() => colours(layout)).toEqual([red, green]);
  const ash = await showChange(page, 'Ash four');
  await expect.poll(() => colours(ash)).toEqual([red, green]);
  expect(besidesRetries(complaints)).toEqual([]);
});
