/** A layout drawn by hand: pointer and keyboard alone, undone to the blank card and redone to the byte. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, openPage } from '../browser.ts';
import { signUp, verify } from '../pages/account-page.ts';
import {
  box,
  dragOnCard,
  layers,
  newLayout,
  properties,
  saved,
  setNumber,
  zone,
} from '../pages/editor-page.ts';
import { Server } from '../server.ts';

const PERSON = { name: 'Mary Reed', email: 'mary@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, complaints } = await openPage(browser));
  await signUp(page, server.origin, PERSON);
  await verify(page, server.origin, PERSON);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** The scene of the last commit, as it went over the wire. */
let sent = '';

/** The layout as it was last saved, once nothing waits to be saved. */
async function stored(): Promise<string> {
  await saved(page);
  return sent;
}

/** JSON with the keys of every object in order: maps have none of their own in the store. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

function listen(): void {
  page.on('request', (request) => {
    if (!request.url().endsWith(':commit')) return;
    const { writes = [] } = JSON.parse(request.postData() ?? '{}') as {
      writes?: { update?: { fields?: { scene?: unknown } } }[];
    };
    const scene = writes.map(({ update }) => update?.fields?.scene).find((one) => one !== undefined);
    if (scene !== undefined) sent = canonical(scene);
  });
}

const press = (keys: string) => page.keyboard.press(keys);

test('a card from nothing, back to nothing, and forth to the same bytes', async () => {
  listen();
  await newLayout(page, server.origin);
  const blank = await stored();
  expect(blank).not.toBe('');

  // A panel, drawn and placed by numbers.
  await press('s');
  for (const [label, value] of [
    ['X', 4],
    ['Y', 4],
    ['Width', 55],
    ['Height', 80],
  ] as const)
    await setNumber(page, label, value);
  await properties(page).getByLabel('Own fill', { exact: true }).selectOption('linear');
  await properties(page).getByRole('button', { name: 'Add shadow' }).click();
  await page.locator('[data-zone-id]').first().focus();
  await press('Escape');

  // A title, written in place.
  await press('t');
  await setNumber(page, 'Y', 6);
  await zone(page, 'Text').dblclick();
  const writer = page.getByRole('textbox', { name: 'Text of Text' });
  await writer.fill('Ember Warden');
  await writer.press('Escape');
  await writer.waitFor({ state: 'detached' });

  // Icons by the number in a formula, a badge that is cut to a shield and blurred behind.
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: 'Iterator' }).click();
  await properties(page)
    .getByLabel(/^List or number/)
    .fill('2 + 1');
  await page.getByText('= 3', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: 'QR or bar code' }).click();
  await properties(page).getByLabel('Cut to', { exact: true }).selectOption('Shield');

  // A wrong formula is said where it is wrong, and mended.
  await properties(page).getByRole('button', { name: 'Drive a property' }).click();
  await properties(page).getByLabel('Property', { exact: true }).selectOption({ label: 'Opacity' });
  const formula = properties(page).getByLabel('Opacity: formula');
  await formula.fill('1 / (');
  await page
    .getByText(/stops in the middle/)
    .first()
    .waitFor();
  await formula.fill('1 / 2');
  await page.getByText('= 0.5', { exact: true }).waitFor();

  // Dragged, resized, nudged, copied with Alt, selected by a rectangle, aligned, grouped.
  const code = zone(page, 'Code');
  const before = await box(code);
  await dragOnCard(page, code, 60, 40);
  expect((await box(code)).x).toBeGreaterThan(before.x + 20);
  await press('ArrowRight');
  await press('Shift+ArrowDown');
  await page.keyboard.down('Alt');
  await dragOnCard(page, code, -70, 20);
  await page.keyboard.up('Alt');
  expect(await page.locator('[data-kind="code"]').count()).toBe(2);
  await press('Control+a');
  await page.getByText('5 zones').waitFor();
  await press('Alt+h');
  await press('Control+g');
  await layers(page).getByRole('button', { name: 'Group', exact: true }).waitFor();
  await press('Control+Shift+g');
  await press('Escape');

  const drawn = await stored();
  expect(drawn).not.toBe(blank);
  const undo = page.getByRole('button', { name: 'Undo' });
  while (await undo.isEnabled()) await press('Control+z');
  const undone = await stored();
  expect(undone).toBe(blank);
  const redo = page.getByRole('button', { name: 'Redo' });
  while (await redo.isEnabled()) await press('Control+Shift+z');
  const redone = await stored();
  expect(redone).toBe(drawn);
  expect(complaints).toEqual([]);
}, 120_000);

test('commands are found by name, shortcuts are shown, guides are drawn and snapped to', async () => {
  await press('Control+k');
  await page.getByRole('combobox', { name: 'Find a command' }).fill('upright guide');
  await press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('[data-guide="x"]').waitFor();
  await press('?');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
  await sheet.getByText('Distribute across').waitFor();
  await press('Escape');
  await sheet.waitFor({ state: 'detached' });
  const shots = process.env['TUCKBOX_SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/editor-light.png` });
  expect(complaints).toEqual([]);
}, 60_000);

test('zones are pasted into another layout', async () => {
  await press('Control+a');
  await press('Control+c');
  await newLayout(page, server.origin);
  await press('Control+v');
  await layers(page).getByText('Iterator', { exact: true }).waitFor();
  await saved(page);
  expect(complaints).toEqual([]);
}, 60_000);
