/** Boards of tiles from a component's rows, player boards from columns, and lines drawn in symmetry, in the editor. */

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import type { Complaints } from '../../browser.ts';
import { box, layers, properties, saved, setNumber, zone } from '../../pages/editor-page.ts';
import { shot } from '../../pages/export-page.ts';
import { drawn, Hand } from '../../pages/hand.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Tila Moss', email: 'tila@example.com', password: 'a long enough one' };
const NAME = { key: 'name', name: 'Name', type: 'text' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let hand: Hand;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  hand = new Hand(page);
  const board = newLayout('Isles', { preset: 'custom', w: 200, h: 200, shape: 'rect', radius: 0 });
  const tile = newLayout('Tile', { preset: 'custom', w: 34, h: 39.26, shape: 'hex-pointy', radius: 0 });
  tile.base.fill = { kind: 'solid', color: '#cfe3c0' };
  const title = newZone('text', 'title', 'Title', { x: 3, y: 14, w: 28, h: 10 });
  tile.zones = [{ ...title, bindings: { text: { mode: 'column', column: 'Name' } } }];
  const rows = [
    ['Reef', 9],
    ['Lagoon', 6],
    ['Volcano', 4],
  ] as const;
  await (await RestUser.signIn(server.origin, PERSON)).put({
    'projects/d': { name: 'Isles', createdAt: 1, updatedAt: 1 },
    'projects/d/components/boards': {
      name: 'Board',
      kind: 'boards',
      layoutId: 'board',
      order: 1,
      columns: [NAME, { key: 'gold', name: 'Gold', type: 'number' }],
    },
    'projects/d/components/boards/cards/one': {
      order: 0,
      copies: 1,
      cells: { name: 'Isle of Dawn', gold: '3' },
    },
    'projects/d/components/tiles': {
      name: 'Land tiles',
      kind: 'tiles',
      layoutId: 'tile',
      order: 2,
      columns: [NAME],
    },
    ...Object.fromEntries(
      rows.map(([name, copies], order) => [
        `projects/d/components/tiles/cards/${name}`,
        { order, copies, cells: { name } },
      ]),
    ),
    'projects/d/layouts/board': { name: 'Isles', version: 1, updatedAt: 1, scene: board },
    'projects/d/layouts/tile': { name: 'Tile', version: 1, updatedAt: 1, scene: tile },
  });
  await page.goto(`${server.origin}/layouts/edit/board?deck=d&component=boards`);
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const section = (name: string): Locator => properties(page).getByRole('region', { name });
const tiles = (): Locator => layers(page).getByRole('button', { name: /^(?:Reef|Lagoon|Volcano)(?: \d+)?$/ });
async function add(item: string): Promise<void> {
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('the rows of a component become a board of tiles, which follows its settings and is one undo', async () => {
  await add('Tiles');
  await section('Tiles').getByLabel('Tiles', { exact: true }).selectOption({ label: 'Rows of Land tiles' });
  // Each tile is a group that holds its space, both of one name.
  await expect.poll(() => tiles().count()).toBe(38);
  await shot(page, 'board-tiles', () => drawn(page));
  expect(await faultsInBoth(page, 'tiles')).toEqual([]);
  await setNumber(page, 'Rings', 1);
  await expect.poll(() => tiles().count()).toBe(14);
  await section('Tiles').getByText('12 tiles found no place.').waitFor();
  await section('Tiles').getByLabel('Turn them at random').check();
  await section('Tiles').getByRole('button', { name: 'Another one' }).click();
  await expect.poll(() => tiles().count()).toBe(14);
  await saved(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => tiles().count()).toBe(0);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => tiles().count()).toBe(14);
  await saved(page);
  await page.reload();
  await expect.poll(() => tiles().count()).toBe(14);
});

test('a player board has a line for each column: numbers are tracks, texts are what the row says', async () => {
  await add('Player board');
  const board = section('Player board');
  await board.getByRole('button', { name: 'A line for each column' }).click();
  await expect.poll(() => board.getByLabel('Lines').inputValue()).toBe('Name\nGold 0–10');
  await layers(page).getByText('Gold 10', { exact: true }).waitFor();
  await board.getByLabel('Lines').fill('Your isle\nName\nGold 0–5\nBoats × 3');
  await layers(page).getByText('Boats 3', { exact: true }).waitFor();
  await expect.poll(() => layers(page).getByText('Gold 10', { exact: true }).count()).toBe(0);
  await shot(page, 'board-player', () => drawn(page));
  expect(await faultsInBoth(page, 'player board')).toEqual([]);
  await saved(page);
});

test('a link moves along with the places that it joins', async () => {
  const panel = properties(page);
  const place = async (name: string, x: number, y: number) => {
    await add('Space');
    await panel.getByLabel('Name', { exact: true }).fill(name);
    for (const [label, value] of Object.entries({ Width: 10, Height: 10, X: x, Y: y }))
      await setNumber(page, label, value);
  };
  await place('Cove', 20, 20);
  await place('Cape', 60, 50);
  await add('Path');
  await section('Link').getByLabel('Begins at').selectOption({ label: 'Cove' });
  await section('Link').getByLabel('Ends at').selectOption({ label: 'Cape' });
  await shot(page, 'board-link', () => drawn(page));
  expect(await faultsInBoth(page, 'link')).toEqual([]);
  const end = (label: string) => section('Points').getByLabel(label, { exact: true }).inputValue();
  const corner = (label: string) => panel.getByLabel(label, { exact: true }).inputValue();
  // From the middle of one to the middle of the other, whatever the points between them.
  const lastOf = async () => [
    Number(await corner('X')) + Number(await end('X 4')),
    Number(await corner('Y')) + Number(await end('Y 4')),
  ];
  await expect.poll(async () => (await lastOf()).map((mm) => Math.round(mm * 10) / 10)).toEqual([65, 55]);
  await layers(page).getByRole('button', { name: 'Cape', exact: true }).click();
  await setNumber(page, 'X', 120);
  await layers(page).getByRole('button', { name: 'Path', exact: true }).click();
  await expect.poll(async () => (await lastOf()).map((mm) => Math.round(mm * 10) / 10)).toEqual([125, 55]);
  await saved(page);
});

test('a line along sides of cells is drawn with those that correspond to it', async () => {
  await add('Map');
  await properties(page).getByLabel('Cells', { exact: true }).selectOption({ label: 'Squares' });
  await setNumber(page, 'Columns', 4);
  await setNumber(page, 'Rows', 4);
  await hand.click(properties(page).getByRole('button', { name: 'Draw along edges of cells' }));
  await section('Edges').getByLabel('Symmetry').selectOption({ label: 'Four, turned' });
  const map = page.getByRole('application', { name: /^Edges of Map/ });
  const { x, y, width, height } = await box(map);
  // The upper side of the first cell.
  await page.mouse.click(x + width / 8, y + 3);
  await shot(page, 'board-edge-symmetry', () => drawn(page));
  expect(await faultsInBoth(page, 'edges in symmetry')).toEqual([]);
  await map.focus();
  const said = async () => ((await map.textContent()) ?? '').trim();
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown');
  // The lower right corner of the board has the river that lies along its last cell's lower side.
  await expect.poll(said).toMatch(/River$/);
  expect(height).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await zone(page, 'Map').waitFor();
  expect(complaints).toEqual([]);
});

test('a map from settings follows them, also after a reload, until somebody paints on it', async () => {
  await page.goto(`${server.origin}/boards`);
  const makers = page.getByRole('region', { name: 'Make one from settings' });
  await makers.getByRole('button', { name: 'Random map' }).click();
  const map = section('Random map');
  await map.waitFor();
  await setNumber(page, 'Columns', 6);
  await setNumber(page, 'Rows', 5);
  await map.getByLabel('Amounts in').selectOption({ label: 'Numbers of cells' });
  // 40 percent of 30 cells.
  await expect.poll(() => map.getByLabel('Plain', { exact: true }).inputValue()).toBe('12');
  await setNumber(page, 'Plain', 9);
  await setNumber(page, 'Water', 8);
  await map.getByLabel('Keep', { exact: true }).selectOption({ label: 'Water' });
  await map.getByLabel('Never beside').selectOption({ label: 'Water' });
  await map.getByRole('button', { name: 'Keep apart' }).click();
  await map.getByText('Water never beside Water').waitFor();
  await setNumber(page, 'Water', 30);
  await map.getByText(/^\d+ cells of Water found no place\.$/).waitFor();
  await setNumber(page, 'Water', 3);
  await expect.poll(() => map.getByText('found no place').count()).toBe(0);
  await map.getByLabel('Seed').fill('reef');
  await shot(page, 'board-random-map', () => drawn(page));
  expect(await faultsInBoth(page, 'random map')).toEqual([]);
  await saved(page);
  await page.reload();
  await layers(page).getByRole('button', { name: 'Map', exact: true }).click();
  await expect.poll(() => map.getByLabel('Seed').inputValue()).toBe('reef');
  expect(await map.getByLabel('Plain', { exact: true }).inputValue()).toBe('9');
  await setNumber(page, 'Columns', 7);
  await expect.poll(() => map.getByLabel('Columns').inputValue()).toBe('7');
  await page.getByRole('button', { name: 'Undo' }).click();
  await layers(page).getByRole('button', { name: 'Map', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => map.getByLabel('Columns').inputValue()).toBe('7');
  await hand.click(properties(page).getByRole('button', { name: 'Paint cells' }));
  // None of its cells is a town.
  await hand.click(properties(page).getByRole('button', { name: 'Town', exact: true }));
  const { x, y, width, height } = await box(page.getByRole('application', { name: /^Cells of Map/ }));
  await page.mouse.click(x + width / 2, y + height / 2);
  // Its cells are somebody's own now: the map's own settings are there instead.
  await section('Fill at random').waitFor();
  expect(await map.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('spaces along a path are drawn with their numbers, which are settings', async () => {
  await page.goto(`${server.origin}/boards`);
  await page.getByRole('button', { name: 'Blank board' }).click();
  await add('Path');
  const count = section('Spaces').getByRole('spinbutton', { name: 'Spaces' });
  await count.fill('6');
  await count.press('Enter');
  await hand.click(section('Spaces').getByRole('button', { name: 'Draw them with numbers' }));
  const track = section('Track');
  await track.waitFor();
  await layers(page).getByText('Label 6', { exact: true }).waitFor();
  await setNumber(page, 'First number', 20);
  await layers(page).getByText('Label 25', { exact: true }).waitFor();
  await shot(page, 'board-path-track', () => drawn(page));
  expect(await faultsInBoth(page, 'track along a path')).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => layers(page).getByText('Label 25', { exact: true }).count()).toBe(0);
  await expect.poll(() => count.inputValue()).toBe('6');
  expect(complaints).toEqual([]);
});
