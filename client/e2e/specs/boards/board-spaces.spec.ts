/** Spaces of a board say which pieces lie in them and how; tracks are numbered by formula, single cells have names. */

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import type { Complaints } from '../../browser.ts';
import { layers, properties, saved, setNumber, zone } from '../../pages/editor-page.ts';
import * as exportPage from '../../pages/export-page.ts';
import { drawn } from '../../pages/hand.ts';
import { log, logged, noteFrames, piece, press } from '../../pages/play-page.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Space Cadet', email: 'space@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  const board = newLayout('Harbours', { preset: 'custom', w: 200, h: 160, shape: 'rect', radius: 0 });
  board.zones = ['Cove', 'Cape', 'A harbour whose name is longer than any field of the inspector'].map(
    (name, at) => ({
      ...newZone('space', `s${at}`, name, { x: 20 + 60 * at, y: 20 + 30 * at, w: 20, h: 20 }),
      ...(at > 0 && { order: 3 + at, turning: 'angle' as const, turn: 30 }),
    }),
  );
  await (await RestUser.signIn(server.origin, PERSON)).put({
    'projects/d': { name: 'Harbours', createdAt: 1, updatedAt: 1 },
    'projects/d/components/boards': {
      name: 'Board',
      kind: 'boards',
      layoutId: 'board',
      order: 1,
      columns: [{ key: 'name', name: 'Name', type: 'text' }],
    },
    'projects/d/components/boards/cards/one': { order: 0, copies: 1, cells: { name: 'Harbours' } },
    'projects/d/layouts/board': { name: 'Harbours', version: 1, updatedAt: 1, scene: board },
  });
  await page.goto(`${server.origin}/layouts/edit/board?deck=d&component=boards`);
  await layers(page).getByText('Cove', { exact: true }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const section = (name: string): Locator => properties(page).getByRole('region', { name, exact: true });
const shot = (name: string) => exportPage.shot(page, name, () => drawn(page));
async function add(item: string): Promise<void> {
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('a space takes in three cards at an angle, has a place in the order, and leads to others', async () => {
  await zone(page, 'Cove').click();
  const space = section('Space');
  await setNumber(page, 'Most pieces, 0 for any', 3);
  await space.getByLabel('Pieces lie').selectOption('At an angle');
  await setNumber(page, 'Angle of pieces', 45);
  await space.getByLabel('Cards').check();
  await setNumber(page, 'Place in the order of play, 0 for none', 2);
  const links = section('Leads to');
  await links.getByLabel('Join to').selectOption('Cape');
  await links.getByLabel('Join to').selectOption({ index: 1 });
  await expect.poll(() => page.locator('[data-links]').count()).toBe(1);
  await shot('board-space');
  expect(await faultsInBoth(page, 'space')).toEqual([]);
  await saved(page);
  await page.reload();
  // A link counts for either end.
  await zone(page, 'Cape').click();
  await section('Leads to').getByText('Cove').waitFor();
  await section('Leads to').getByRole('button', { name: 'Part from Cove' }).click();
  await zone(page, 'Cove').click();
  await expect
    .poll(() =>
      section('Leads to')
        .getByRole('button', { name: /^Part from/ })
        .count(),
    )
    .toBe(1);
  expect(await section('Space').getByLabel('Angle of pieces').inputValue()).toContain('45');
  expect(await section('Space').getByLabel('Cards').isChecked()).toBe(true);
  expect(await section('Space').getByLabel('Most pieces, 0 for any').inputValue()).toContain('3');
});

test('a track is numbered by a formula, which says what is wrong with it', async () => {
  await add('Track');
  const track = section('Track');
  await setNumber(page, 'Places', 6);
  await track.getByLabel('Numbers', { exact: true }).selectOption('By a formula');
  await layers(page).getByText('Label 21', { exact: true }).waitFor();
  await track.getByLabel('Formula').fill("n == count ? 'Goal' : n * 5");
  await layers(page).getByText('Label Goal', { exact: true }).waitFor();
  await shot('board-track-formula');
  expect(await faultsInBoth(page, 'formula')).toEqual([]);
  await track.getByLabel('Formula').fill('n *');
  await expect
    .poll(() =>
      layers(page)
        .getByText(/^Label /)
        .count(),
    )
    .toBe(0);
  await track.getByText('At 4.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(() =>
      layers(page)
        .getByText(/^Place /)
        .count(),
    )
    .toBe(0);
});

test('a single cell has a name and a colour, and keeps them', async () => {
  await add('Map');
  const cells = section('Single cells');
  await cells.getByRole('button', { name: 'Add a single cell' }).click();
  const own = cells.getByRole('group', { name: 'Single cell 1' });
  await own.getByLabel('Cell', { exact: true }).fill('d4');
  // The colours to choose from open over what is below the field, until it is left.
  await own.getByLabel('Colour', { exact: true }).fill('#f4c95d');
  await own.getByLabel('Name', { exact: true }).fill('Neu-Ulm an der Donau');
  await cells.getByRole('button', { name: 'Add a single cell' }).click();
  const other = cells.getByRole('group', { name: 'Single cell 2' });
  await other.getByLabel('Cell', { exact: true }).fill('D4');
  await other.getByText('Write a cell of the map', { exact: false }).waitFor();
  await own.scrollIntoViewIfNeeded();
  await shot('board-single-cells');
  expect(await faultsInBoth(page, 'single cells')).toEqual([]);
  await other.getByRole('button', { name: 'Remove single cell 2' }).click();
  await saved(page);
  await page.reload();
  await zone(page, 'Map').click();
  expect(await own.getByLabel('Cell', { exact: true }).inputValue()).toBe('D4');
  expect(await own.getByLabel('Name', { exact: true }).inputValue()).toBe('Neu-Ulm an der Donau');
});

test('at the table a piece takes the angle of its space, and keys take it on in the order of play', async () => {
  const frames = noteFrames(page);
  await page.goto(`${server.origin}/decks/d`);
  await page.getByRole('button', { name: 'Playtest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Playtest' });
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await piece(page, 'Harbours').waitFor();
  await page.getByRole('application', { name: 'Table' }).focus();
  await page.keyboard.press('N');
  const note = page.getByRole('dialog', { name: 'New note' });
  await note.getByRole('textbox').fill('A ferry');
  await note.getByRole('button', { name: 'Lay it on the table' }).click();
  await press(page, /^Note: A ferry/, 'Control+ArrowUp');
  await logged(page, /^You move Note: A ferry to (?:Cape|A harbour)/);
  await expect.poll(() => frames.text()).toContain('"turn":30');
  // The other of both is next in the order of play, or before it.
  const inCape =
    (await log(page)
      .getByText(/^You move Note: A ferry to Cape/)
      .count()) > 0;
  await page.keyboard.press(inCape ? 'J' : 'K');
  await logged(page, inCape ? /^You move Note: A ferry to A harbour/ : /^You move Note: A ferry to Cape/);
});

test('nobody complained', () => {
  expect(complaints).toEqual([]);
});
