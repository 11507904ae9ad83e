/** Layouts drawn by hand: pointer and keyboard alone, undone to the blank card and redone to the byte. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout as blankLayout } from '../../../src/core/scene/new-layout.ts';
import type { Zone } from '../../../src/core/scene/zones.ts';
import { referenceLayout, referenceRows } from '../../../src/core/testing/reference.ts';
import { faultsInBoth } from '../../axe.ts';
import { box, layers, newLayout, type Place, properties, saved, zone } from '../../pages/editor-page.ts';
import { Hand } from '../../pages/hand.ts';
import { dropOn, dusk, plain, writeTree } from '../../pages/images-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { plainOf } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Mary Reed', email: 'mary@example.com', password: 'a long enough one' };
const TABLE = 'Reference cards';

let server: Server;
let browser: Browser;
let page: Page;
let hand: Hand;
let complaints: readonly string[];
/** The scene of the last commit, as it went over the wire. */
let sent: unknown;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  hand = new Hand(page);
  page.on('request', (request) => {
    if (!request.url().endsWith(':commit')) return;
    const { writes = [] } = JSON.parse(request.postData() ?? '{}') as {
      writes?: { update?: { fields?: { scene?: unknown } } }[];
    };
    const scene = writes.map(({ update }) => update?.fields?.scene).find((one) => one !== undefined);
    if (scene !== undefined) sent = scene;
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** JSON with the keys of every object in order: maps have none of their own in the store. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** The bytes of the layout as it was last saved, once nothing waits to be saved. */
async function stored(): Promise<string> {
  await saved(page);
  return canonical(sent);
}

/** Undoes everything, then does it all again; answers the bytes of both ends. */
async function backAndForth(): Promise<{ undone: string; redone: string }> {
  const end = async (button: string, keys: string) => {
    const more = page.getByRole('button', { name: button, exact: true });
    // Several at a time: beyond the end, the keys do nothing.
    while (await more.isEnabled()) for (let times = 0; times < 5; times++) await hand.press(keys);
    return stored();
  };
  return { undone: await end('Undo', 'Control+z'), redone: await end('Redo', 'Control+Shift+z') };
}

/**
 * A layout without what is nobody's choice: the ids of its zones are drawn by lot when they are added. Everything
 * else is compared, names and the order of painting too; times are not kept in the scene.
 */
function drawing(layout: unknown): unknown {
  const bare = (zones: readonly Zone[]): unknown[] =>
    zones.map(({ id: _, ...rest }) =>
      'children' in rest ? { ...rest, children: bare(rest.children) } : rest,
    );
  const { zones, ...rest } = layout as { zones: readonly Zone[] };
  return { ...rest, zones: bare(zones) };
}

const field = (label: string): Locator =>
  properties(page).getByLabel(label, { exact: true }).and(page.locator('input, select, textarea'));
const button = (name: string): Locator => properties(page).getByRole('button', { name, exact: true });
const layer = (name: string): Locator => layers(page).getByRole('button', { name, exact: true }).first();

/** Fields and what to type in them, in this order. */
async function write(values: Readonly<Record<string, string | number>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await hand.write(field(label), String(value));
}
const place = ({ x, y, w, h }: Place) => hand.write(field('X'), ...[x, y, w, h].map(String));
const choose = (label: string, name: string) => hand.choose(field(label), name);

async function chooseFont(name: string): Promise<void> {
  await hand.click(button('Font'));
  const search = page.getByRole('dialog', { name: 'Fonts' }).getByLabel('Search fonts');
  // Letters typed before the field has the focus are shortcuts of the editor.
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type(name);
  await hand.click(page.getByRole('option', { name, exact: true }).first());
  await search.waitFor({ state: 'hidden' });
}

async function middle(what: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await box(what);
  return { x: x + width / 2, y: y + height / 2 };
}
async function lowerPart(what: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await box(what);
  return { x: x + width / 2, y: y + height * 0.8 };
}

/** Leaves the field, if one is being written in, and the zone. */
async function letGo(): Promise<void> {
  await hand.press('Escape');
  await hand.press('Escape');
}

/** A text that shows a column instead of words of its own. */
async function columnText(name: string, column: string, at: Place): Promise<void> {
  await letGo();
  await hand.press('t');
  await hand.press('Enter');
  await hand.write(field('Own text'), '');
  await choose('Content', `Column: ${column}`);
  await write({ Name: name });
  await place(at);
}

test('the reference card from a blank one, back to nothing, and forth to the same bytes', async () => {
  // The pictures and the table whose columns the card shows are there before the afternoon begins.
  const files = new Map([
    ['Art/dusk.jpg', dusk()],
    ['Icons/drop.png', plain([40, 96, 168])],
  ]);
  await writeTree(server.dataDir, files);
  await page.goto(`${server.origin}/images`);
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(page, [join(server.dataDir, 'Art'), join(server.dataDir, 'Icons')]);
  await page.getByText('2 files uploaded').waitFor();
  await page.goto(`${server.origin}/decks`);
  const rows = referenceRows(3).map(({ cells }) => cells);
  const columns = Object.keys(rows[0] ?? {});
  const csv = [columns, ...rows.map((cells) => columns.map((key) => `"${cells[key] ?? ''}"`))];
  const list = join(server.dataDir, `${TABLE}.csv`);
  await writeFile(list, csv.map((cells) => cells.join(',')).join('\r\n'));
  await createProject(page, 'Reference');
  await chooseFile(page, list);
  await confirmImport(page, rows.length);
  await page.getByRole('button', { name: 'Empty layout' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  await page.getByRole('button', { name: 'Add text' }).waitFor();

  // The card itself. Its first change is also the first to be saved: undone, it is the blank card.
  await hand.write(page.getByLabel('Layout name'), 'Reference');
  await choose('Size', 'Poker (Euro)');
  await write({ Bleed: 3, 'Image address': 'Art/dusk.jpg' });

  // The panel: drawn large with the pointer, then placed by numbers.
  await hand.click(page.getByRole('button', { name: 'Add shape' }));
  await hand.dragBy(zone(page, 'Shape').locator('[data-handle="se"]'), 60, 80);
  await hand.dragBy(zone(page, 'Shape'), -40, -60);
  await write({ Name: 'Panel' });
  await place({ x: 4, y: 4, w: 55, h: 80 });
  await choose('Own fill', 'Gradient, straight');
  await write({ 'Colour 1': '#fdf6e3f2', 'Colour 2': '#eadfc4f2' });
  await write({ Line: 0.6, 'Line colour': '#6b4f2a', 'Corner radius': 3 });
  await hand.click(button('Add shadow'));
  await write({ 'Shadow colour': '#00000099', Down: 1, Blur: 3 });

  // The picture, and a tint over it by multiplication.
  await letGo();
  await hand.press('i');
  await hand.press('Enter');
  await write({ Name: 'Art', Image: 'Art/dusk.jpg', 'Corner radius': 2 });
  await place({ x: 8, y: 16, w: 47, h: 26 });
  await letGo();
  await hand.press('s');
  await hand.press('Enter');
  await write({ Name: 'Tint', 'Fill colour': '#ffcc88', 'Corner radius': 2, Opacity: 40 });
  await place({ x: 8, y: 16, w: 47, h: 26 });
  await choose('Blend', 'Multiply');

  // The title, with a soft shadow of its letters.
  await columnText('Title', 'title', { x: 8, y: 6, w: 33, h: 8 });
  await chooseFont('Cinzel');
  await write({ Size: 16 });
  await hand.click(button('Bold'));
  await hand.click(button('Align middle'));
  await hand.click(button('Add letter shadow'));
  await write({ 'Shadow colour': '#00000066', Right: 0.2, Down: 0.3, Blur: 0.8 });

  // Three icons that flow in a container: one made, dragged into it among the layers, and copied.
  await letGo();
  await hand.press('c');
  await hand.press('Enter');
  await write({ Name: 'Cost', Gap: 0.6 });
  await choose('Along', 'At the end');
  await choose('Across it', 'Middle');
  await place({ x: 41, y: 7, w: 14, h: 6 });
  await letGo();
  await hand.press('i');
  await hand.press('Enter');
  await choose('Content', 'Column: cost1');
  await write({ Name: 'Icon' });
  await hand.click(field('Hide where it has no content'));
  await hand.dragOnto(layer('Icon'), layer('Cost'));
  await hand.click(layer('Icon'));
  await place({ x: 0, y: 0, w: 4.2, h: 4.2 });
  for (const column of ['cost2', 'cost3']) {
    await hand.click(layer('Icon'));
    await hand.press('Control+d');
    await choose('Content', `Column: ${column}`);
    await write({ Name: 'Icon', X: 0, Y: 0 });
  }

  // Sixty words, and a line along the edge written where it stands.
  await columnText('Rules', 'rules', { x: 8, y: 44, w: 47, h: 34 });
  await write({ Size: 9.5 });
  await hand.click(button('Justify'));
  await hand.click(button('Align middle'));
  await letGo();
  await hand.press('t');
  await hand.press('Enter');
  await write({ Name: 'Side' });
  await place({ x: -9.5, y: 44, w: 30, h: 3 });
  await hand.click(layer('Side'));
  await hand.press('Enter');
  await page.getByRole('textbox', { name: 'Text of Side' }).waitFor();
  await hand.press('Control+a');
  await page.keyboard.type('Tuckbox reference');
  await hand.press('Escape');
  await chooseFont('Oswald');
  await write({ Size: 5, Rotation: -90 });
  await hand.click(button('Align centre'));

  // A badge, and another of it pulled off with Alt.
  await columnText('Badge', 'value0', { x: 9, y: 76, w: 9, h: 9 });
  await chooseFont('Bebas Neue');
  await write({ Size: 16, 'Text colour': '#ffffff', Outline: 0.3, 'Outline colour': '#2b0a0f' });
  await hand.click(button('Align centre'));
  await hand.click(button('Align middle'));
  await choose('Own fill', 'Colour');
  await write({ 'Fill colour': '#8c2f39', 'Corner radius': 4.5, Rotation: -8 });
  await hand.click(layer('Badge'));
  await page.keyboard.down('Alt');
  await hand.dragBy(zone(page, 'Badge'), 150, 0);
  await page.keyboard.up('Alt');
  await choose('Content', 'Column: value1');
  await write({ X: 45, Y: 76, Rotation: 8 });

  const drawn = await stored();
  expect(drawing(plainOf(JSON.parse(drawn)))).toEqual(drawing(referenceLayout()));
  const shots = process.env['TUCKBOX_SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/editor-reference.png` });

  const { undone, redone } = await backAndForth();
  expect(plainOf(JSON.parse(undone))).toEqual(blankLayout(TABLE));
  expect(redone).toBe(drawn);
  expect(complaints).toEqual([]);
});

test('what is shown of a layout: its layers by name, the card at real size', async () => {
  const find = layers(page).getByRole('searchbox', { name: 'Find a layer' });
  const names = layers(page).locator('li [aria-pressed] span');
  await hand.click(find);
  await page.keyboard.type('bad');
  await expect.poll(() => names.allTextContents()).toEqual(['Badge', 'Badge', 'Card']);
  await hand.press('Control+a');
  await page.keyboard.type('nothing like it');
  await layers(page).getByText('No layer is called that.').waitFor();
  await hand.press('Control+a');
  await hand.press('Delete');
  await letGo();
  await layer('Panel').waitFor();

  // 63 mm and the bleed on both sides, at 96 pixels an inch.
  await hand.press('Control+1');
  const wide = ((63 + 2 * 3) / 25.4) * 96;
  const sheet = page.getByRole('region', { name: 'Canvas' }).locator('canvas').first();
  await expect.poll(async () => Math.abs((await box(sheet)).width - wide)).toBeLessThan(1);
  await hand.press('Control+0');
  expect(complaints).toEqual([]);
});

test('the hand has every tool: drag, nudge, copy, align, group, formulas that say what is wrong', async () => {
  await newLayout(page, server.origin);
  const blank = await stored();
  expect(plainOf(JSON.parse(blank))).toEqual(blankLayout('New layout'));

  // A text written in place, icons by a number in a formula, a code that is cut to a shield.
  await hand.press('t');
  await hand.press('Enter');
  await hand.click(zone(page, 'Text'), 2);
  const writer = page.getByRole('textbox', { name: 'Text of Text' });
  await writer.waitFor();
  await hand.press('Control+a');
  await page.keyboard.insertText('Ember Warden — «Glut»');
  await hand.press('Escape');
  await writer.waitFor({ state: 'detached' });
  await hand.click(page.getByRole('button', { name: 'Add more' }));
  await hand.click(page.getByRole('menuitem', { name: 'Iterator' }));
  await hand.write(properties(page).getByLabel(/^List or number/), '2 + 1');
  await page.getByText('= 3', { exact: true }).waitFor();
  await hand.click(page.getByRole('button', { name: 'Add more' }));
  await hand.click(page.getByRole('menuitem', { name: 'QR or bar code' }));
  await choose('Cut to', 'Shield');
  await choose('Own fill', 'Colour');
  await write({ Line: 0.5 });
  await choose('Line is', 'Dashed');
  await choose('Line lies', 'Outside the edge');

  // A wrong formula is said where it is wrong, and mended.
  await hand.click(button('Drive a property'));
  await choose('Property', 'Opacity');
  await write({ 'Opacity: formula': '1 / (' });
  await page
    .getByText(/stops in the middle/)
    .first()
    .waitFor();
  await write({ 'Opacity: formula': '1 / 2' });
  await page.getByText('= 0.5', { exact: true }).waitFor();

  // Dragged, nudged, copied with Alt, selected by a rectangle, aligned, grouped.
  await letGo();
  const code = zone(page, 'Code');
  const before = await box(code);
  await hand.dragBy(code, 60, 40);
  await expect.poll(async () => (await box(code)).x).toBeGreaterThan(before.x + 20);
  await hand.press('ArrowRight');
  await hand.press('Shift+ArrowDown');
  await page.keyboard.down('Alt');
  await hand.dragBy(code, -70, 20);
  await page.keyboard.up('Alt');
  await expect.poll(() => page.locator('[data-kind="code"]').count()).toBe(2);
  const canvas = await box(page.getByRole('region', { name: 'Canvas' }));
  const corner = { x: canvas.x + canvas.width - 40, y: canvas.y + canvas.height - 90 };
  await hand.drag({ x: canvas.x + 60, y: canvas.y + 60 }, corner);
  await page.getByText('4 zones').waitFor();
  await hand.press('Alt+h');
  await hand.press('Control+g');
  await layer('Group').waitFor();
  await hand.press('Control+Shift+g');
  await letGo();

  // Among the layers, the front one goes to the back.
  const order = layers(page).locator('li [aria-pressed] span');
  await hand.drag(await middle(layer('Code')), await lowerPart(layer('Text')));
  await expect
    .poll(() => order.allTextContents())
    .toEqual(['Code', 'Iterator', 'Item', 'Text', 'Code', 'Card']);

  const drawn = await stored();
  const { undone, redone } = await backAndForth();
  expect(undone).toBe(blank);
  expect(redone).toBe(drawn);
  expect(complaints).toEqual([]);
});

test('commands are found by name, shortcuts are shown, guides are drawn and snapped to', async () => {
  await hand.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a command' }).waitFor();
  await page.keyboard.type('upright guide');
  await hand.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('[data-guide="x"]').waitFor();
  await hand.press('?');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
  await sheet.getByText('Distribute across').waitFor();
  // All groups are above one another in its columns, none beside them where nobody sees it.
  const keys = sheet.getByRole('region', { name: 'Keys and what they do' });
  expect(await keys.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await faultsInBoth(page, 'the shortcuts')).toEqual([]);
  await hand.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  const shots = process.env['TUCKBOX_SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/editor-light.png` });
  expect(complaints).toEqual([]);
});

test('zones are pasted into another layout', async () => {
  await hand.press('Control+a');
  await hand.press('Control+c');
  await newLayout(page, server.origin);
  await hand.press('Control+v');
  await layers(page).getByText('Iterator', { exact: true }).waitFor();
  await saved(page);
  expect(complaints).toEqual([]);
});

test('real size is measured against a bank card', async () => {
  await newLayout(page, server.origin);
  const sheet = page.getByRole('region', { name: 'Canvas' }).locator('canvas').first();
  await hand.press('Control+k');
  await page.getByRole('combobox', { name: 'Find a command' }).waitFor();
  await page.keyboard.type('match real');
  await hand.press('Enter');
  const measure = page.getByRole('dialog', { name: 'Real size on this screen' });
  const slider = measure.getByRole('slider', { name: 'Width of the outline' });
  await slider.focus();
  await hand.press('End');
  const most = Number(await slider.inputValue());
  await hand.click(measure.getByRole('button', { name: 'Both are the same' }));
  await measure.waitFor({ state: 'detached' });
  // A poker card with its bleed on both sides.
  const wide = (63.5 + 2 * 3.175) * (most / 85.6);
  await expect.poll(async () => Math.abs((await box(sheet)).width - wide)).toBeLessThan(1);
  await hand.press('Control+0');
  await hand.click(page.getByRole('button', { name: 'Real size' }));
  await expect.poll(async () => Math.abs((await box(sheet)).width - wide)).toBeLessThan(1);
  await hand.press('Control+0');
  expect(complaints).toEqual([]);
});
