/** A map of hexagons, drawn by hand in the layout editor, taken back, kept and printed. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import type { Complaints } from '../../browser.ts';
import { box, layers, properties, saved, setNumber, zone } from '../../pages/editor-page.ts';
import * as exportPage from '../../pages/export-page.ts';
import { drawn, Hand } from '../../pages/hand.ts';
import { checkPdf, pdfText } from '../../pdf.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Hexa Gon', email: 'hexa@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let hand: Hand;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  hand = new Hand(page);
  const board = newLayout('Island', { preset: 'custom', w: 180, h: 180, shape: 'rect', radius: 0 });
  // A text below the map shows that painting moves no zone.
  board.zones = [newZone('text', 'title', 'Title', { x: 10, y: 2, w: 100, h: 8 })];
  await (await RestUser.signIn(server.origin, PERSON)).put({
    'projects/d': { name: 'Island', createdAt: 1, updatedAt: 1 },
    'projects/d/components/maps': {
      name: 'Map',
      kind: 'boards',
      layoutId: 'board',
      order: 1,
      columns: [{ key: 'name', name: 'Name', type: 'text' }],
    },
    'projects/d/components/maps/cards/one': { order: 0, copies: 1, cells: { name: 'Island' } },
    'projects/d/layouts/board': { name: 'Island', version: 1, updatedAt: 1, scene: board },
  });
  await page.goto(`${server.origin}/layouts/edit/board?deck=d&component=maps`);
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: 'Map', exact: true }).click();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const cells = (): Locator => page.getByRole('application', { name: /^Cells of Map/ });
const terrain = (name: string): Locator => properties(page).getByRole('button', { name, exact: true });
const tool = (name: string): Locator => properties(page).getByRole('button', { name, exact: true });
const shot = (name: string) => exportPage.shot(page, name, () => drawn(page));

/** The terrain at a column and row, from 1, as the cell says it to a screen reader. */
async function terrainAt(col: number, row: number): Promise<string> {
  await cells().focus();
  for (let step = 0; step < 9; step++) {
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
  }
  for (let step = 1; step < col; step++) await page.keyboard.press('ArrowRight');
  for (let step = 1; step < row; step++) await page.keyboard.press('ArrowDown');
  return ((await cells().textContent()) ?? '').trim();
}

/** The middle of a cell in the window, from its share of the map. */
async function place(acrossShare: number, downShare: number): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await box(cells());
  return { x: x + width * acrossShare, y: y + height * downShare };
}

test('a hand paints a stroke, fills the sea, and takes single strokes back', async () => {
  await setNumber(page, 'Columns', 9);
  await properties(page).getByLabel('Names of cells').selectOption('A1');
  await hand.click(tool('Paint cells'));
  await hand.click(terrain('Forest'));
  // Row 4 of 7 lies in the middle of the map.
  await hand.drag(await place(0.2, 0.5), await place(0.8, 0.5));
  await expect.poll(() => terrainAt(4, 4)).toBe('D4, Forest');
  await hand.click(tool('Fill an area of cells'));
  await hand.click(terrain('Water'));
  const { x, y } = await place(0.5, 0.05);
  await page.mouse.click(x, y);
  await expect.poll(() => terrainAt(1, 1)).toBe('A1, Water');
  expect(await terrainAt(4, 4)).toBe('D4, Forest');
  await shot('board-map-painting');
  expect(await faultsInBoth(page)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect.poll(() => terrainAt(1, 1)).toBe('A1, empty');
  expect(await terrainAt(4, 4)).toBe('D4, Forest');
  await page.keyboard.press('Control+z');
  await expect.poll(() => terrainAt(4, 4)).toBe('D4, empty');
  await page.keyboard.press('Control+y');
  await expect.poll(() => terrainAt(4, 4)).toBe('D4, Forest');
});

test('keys alone paint a cell, and the map is the same after a reload', async () => {
  await page.keyboard.press('b');
  await hand.click(terrain('Mountains'));
  expect(await terrainAt(2, 1)).toBe('B1, empty');
  await page.keyboard.press('Space');
  await expect.poll(async () => ((await cells().textContent()) ?? '').trim()).toBe('B1, Mountains');
  await page.keyboard.press('Escape');
  await cells().waitFor({ state: 'detached' });
  await saved(page);
  await page.reload();
  await hand.click(zone(page, 'Map'));
  await shot('board-map-inspector');
  await page.keyboard.press('b');
  expect(await terrainAt(2, 1)).toBe('B1, Mountains');
  expect(await terrainAt(4, 4)).toBe('D4, Forest');
  expect(complaints).toEqual([]);
});

test('a map is filled at random, follows its settings, and one undo takes all of it back', async () => {
  const filled = () => properties(page).getByRole('status');
  await properties(page).getByRole('button', { name: 'Fill at random' }).click();
  await hand.click(properties(page).getByRole('button', { name: 'Fill map' }));
  const first = await terrainAt(2, 1);
  expect(first).not.toBe('B1, empty');
  await setNumber(page, 'Clumping', 6);
  await properties(page).getByLabel('Seed').fill('fox');
  for (const name of ['Keep', 'Never beside'])
    await properties(page).getByLabel(name, { exact: true }).selectOption('Plain');
  await hand.click(properties(page).getByRole('button', { name: 'Keep apart' }));
  await expect.poll(() => filled().textContent()).toMatch(/^\d+ cells of Plain found no place\.$/);
  await shot('board-map-random');
  expect(await faultsInBoth(page)).toEqual([]);
  expect(await terrainAt(4, 4)).toMatch(/^D4, \w+$/);
  await page.keyboard.press('Control+z');
  await expect.poll(() => terrainAt(2, 1)).toBe('B1, Mountains');
  expect(await terrainAt(4, 4)).toBe('D4, Forest');
  expect(complaints).toEqual([]);
});

test('rivers are drawn along the sides of cells, by hand and with the keyboard', async () => {
  const edges = () => page.getByRole('application', { name: /^Edges of Map/ });
  const words = async () => ((await edges().textContent()) ?? '').trim();
  await hand.click(tool('Draw along edges of cells'));
  const { x, y, width, height } = await box(edges());
  // From the left rim to the right, between the rows.
  await hand.drag({ x: x + width * 0.1, y: y + height * 0.3 }, { x: x + width * 0.9, y: y + height * 0.3 });
  await hand.click(properties(page).getByRole('button', { name: 'Wall', exact: true }));
  await edges().focus();
  for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowUp');
  for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowLeft');
  await expect.poll(words).toMatch(/^Corner of A\d/);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(words).toMatch(/^Corner of A\d.*: (River, )?Wall$/);
  await shot('board-map-edges');
  expect(await faultsInBoth(page)).toEqual([]);
  await hand.click(tool('Erase lines along edges'));
  await edges().focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(words).toMatch(/^Corner of A\d[^:]*(: River)?$/);
  await page.keyboard.press('Control+z');
  await expect.poll(words).toMatch(/Wall$/);
  await page.keyboard.press('Escape');
  await edges().waitFor({ state: 'detached' });
  await saved(page);
  expect(complaints).toEqual([]);
});

test('cells become spaces by rule, and a space is made by hand', async () => {
  const outlines = () => page.locator('[data-spaces] path').first();
  await hand.click(properties(page).getByRole('button', { name: 'Make cells spaces' }));
  const rule = properties(page).getByRole('group', { name: 'Spaces 1' });
  await rule.getByText('63 spaces').waitFor();
  await rule.getByLabel('Cells').selectOption('By name');
  await rule.getByLabel('Names').fill('A1:C2, I');
  await rule.getByText('Write names of cells and ranges').waitFor();
  await rule.getByLabel('Names').fill('A1:C2, I7');
  await rule.getByText('7 spaces').waitFor();
  await outlines().waitFor({ state: 'attached' });
  await shot('board-map-spaces');
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: 'Space' }).click();
  await properties(page).getByLabel('Holds').selectOption('Pile of cards');
  expect(await faultsInBoth(page)).toEqual([]);
  await shot('board-map-space');
  await saved(page);
  await page.reload();
  await hand.click(zone(page, 'Space'));
  await expect.poll(() => properties(page).getByLabel('Holds').inputValue()).toBe('deck');
  await outlines().waitFor({ state: 'attached' });
  expect(complaints).toEqual([]);
});

test('the cells are saved as CSV and for Tiled, and a table from a spreadsheet becomes the map', async () => {
  await hand.click(layers(page).getByRole('button', { name: 'Map', exact: true }).first());
  await hand.click(properties(page).getByRole('button', { name: 'Cells as a file' }));
  const csv = await exportPage.download(page, 'Save as CSV', join(server.dataDir, 'map.csv'));
  const lines = (await readFile(csv, 'utf8')).split('\r\n');
  expect(lines).toHaveLength(8);
  expect(lines[3]?.split(',')[3]).toBe('"Forest"');
  const zip = await exportPage.download(page, 'Save for Tiled', join(server.dataDir, 'map.zip'));
  expect(Object.keys(unzipSync(await readFile(zip)))).toEqual(['Map.tmj', 'Map.tmx', 'terrains.png']);
  await shot('board-map-file');
  const choose = async (text: string) => {
    const choosing = page.waitForEvent('filechooser');
    await properties(page).getByRole('button', { name: 'Open CSV' }).click();
    await (await choosing).setFiles({ name: 'map.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  await choose('');
  await page.getByText('The file is empty').waitFor();
  await choose('Water,Water,Lava\nForest');
  await page.getByText('Terrains that the map did not have were added: Lava.').waitFor();
  await page.keyboard.press('b');
  expect(await terrainAt(3, 1)).toBe('C1, Lava');
  await page.keyboard.press('Escape');
  await cells().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await page.keyboard.press('b');
  await expect.poll(() => terrainAt(4, 4)).toBe('D4, Forest');
  await page.keyboard.press('Escape');
  await saved(page);
  expect(complaints).toEqual([]);
});

test('the PDF is sound and has the names of the cells', async () => {
  await page.goto(`${server.origin}/decks/print/d/maps`);
  await page.getByRole('button', { name: 'Export PDF' }).waitFor();
  await page.locator('canvas[data-state="painted"]').waitFor();
  await shot('board-map-print');
  const file = await exportPage.download(page, 'Export PDF', join(server.dataDir, 'island.pdf'));
  await checkPdf(file);
  const text = await pdfText(file);
  for (const name of ['A1', 'D4', 'I7']) expect(text).toContain(name);
  expect(complaints).toEqual([]);
});
