/** Thirty cells, a layout, a picture and a paragraph change; a card is restored, and the comparison lists exactly the rest. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { plain, upload } from '../../pages/images-page.ts';
import { saved, text } from '../../pages/rulebook-page.ts';
import { changed, freeze, showChange, version } from '../../pages/versions-page.ts';
import { putCards } from '../../rest-cards.ts';
import { paragraph, putRulebook } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ada Blackjack', email: 'ada@example.com', password: 'a long enough one' };
const NAMES = Array.from({ length: 40 }, (_, at) => `Card ${String(at + 1).padStart(2, '0')}`);
const CHANGED = NAMES.slice(0, 30);

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;

const idOf = (name: string) => name.toLowerCase().replace(' ', '-');
const card = (name: string, rule: string) => ({
  ...{ order: NAMES.indexOf(name), copies: 1, cells: { name, rule } },
});
function front(x: number) {
  const layout = newLayout('Front');
  const title = newZone('text', 'title', 'Title', { x, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  layout.zones = [title];
  return layout;
}

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Tides',
    component: 'Events',
    columns: { name: ['Name', 'text'], rule: ['Rule', 'text'] },
    cards: Object.fromEntries(NAMES.map((name) => [idOf(name), card(name, 'Draw a card.')])),
    layout: front(5),
  });
  await putRulebook(user, 'd', { id: 'r', title: 'Rules', blocks: [paragraph('a', 'Draw two cards.')] });
  await page.goto(`${server.origin}/decks/images/d`);
  await writeFile(join(server.dataDir, 'other.png'), plain([36, 180, 72]));
  await upload(page, server.dataDir, 'fox.png', [216, 36, 36]);
  await page.goto(`${server.origin}/decks/d/versions`);
  await freeze(page, 'v1');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const rest = (cards: readonly string[]) => [
  `Events ${cards.length}`,
  ...cards.map((name) => `${name} Changed`),
  ...['Front Changed', 'Rules Changed', 'fox.png Changed'],
];

test('a comparison lists exactly what changed, and after a restoration exactly the rest', async () => {
  await user.put({
    ...Object.fromEntries(
      CHANGED.map((name) => [`projects/d/components/c/cards/${idOf(name)}`, card(name, 'Draw two cards.')]),
    ),
    'projects/d/layouts/front': { name: 'Front', version: 1, updatedAt: 2, scene: front(9) },
  });
  await page.goto(`${server.origin}/decks/images/d`);
  await page.getByRole('option', { name: 'fox.png', exact: true }).click();
  await page.getByLabel('Picture to put in its place').setInputFiles(join(server.dataDir, 'other.png'));
  await page.getByText('Replaced wherever it is used.').waitFor();
  await page.goto(`${server.origin}/rulebook-maker/d/r`);
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Then stop.');
  await saved(page);
  await page.goto(`${server.origin}/decks/d/versions`);
  await version(page, 'v1').getByRole('link', { name: 'Compare v1 with now' }).click();
  expect(await changed(page)).toEqual(rest(CHANGED));
  const restored = await showChange(page, 'Card 07');
  await restored.getByRole('button', { name: 'Restore Card 07', exact: true }).click();
  await expect.poll(() => changed(page)).toEqual(rest(CHANGED.filter((name) => name !== 'Card 07')));
  const { cells } = (await user.read('projects/d/components/c/cards/card-07')) ?? {};
  expect(cells).toEqual({ name: 'Card 07', rule: 'Draw a card.' });
  expect(besidesRetries(complaints)).toEqual([]);
});
