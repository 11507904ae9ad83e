/** The pointer on the card, as a person moves it: slowly and fast, again and again, on zones, handles and text. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import type { Complaints } from '../../browser.ts';
import { box, layers, newLayout, properties, setNumber, zone } from '../../pages/editor-page.ts';
import { shot } from '../../pages/export-page.ts';
import { type DragManner, drag, drawn, Hand } from '../../pages/hand.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Manu Ell', email: 'manu@example.com', password: 'a long enough one' };
/** Drags of a zone in a row. */
const TIMES = 10;
const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;

let server: Server;
let browser: Browser;
let page: Page;
let hand: Hand;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  hand = new Hand(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});
beforeEach(async () => {
  await newLayout(page, server.origin);
  await page.getByRole('button', { name: 'Add text' }).click();
  await page.getByRole('button', { name: 'Add shape' }).click();
  await place({ X: 20, Y: 30, Width: 20, Height: 20 });
  // A word of the panels is selected, as happens when somebody reads with the pointer.
  await page.getByRole('heading', { name: 'Layers' }).dblclick();
});

async function place(numbers: Readonly<Record<string, number>>): Promise<void> {
  for (const [label, value] of Object.entries(numbers)) await setNumber(page, label, value);
}

const shape = () => zone(page, 'Shape');

/** Drags the zone there and back, so that it stays on the card, and expects it to follow each time. */
async function thereAndBack(manner: DragManner, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const before = await box(shape());
    const way = time % 2 === 0 ? 60 : -60;
    await hand.dragBy(shape(), way, way / 2, manner);
    await expect.poll(async () => Math.round(((await box(shape())).x - before.x) / way)).toBe(1);
  }
}

test.each(['slow', 'fast'] as const)('a zone follows ten %s drags in a row', async (pace) => {
  await thereAndBack({ pace }, TIMES);
});

test('a zone follows after text was selected, on the page and with Ctrl+A', async () => {
  for (let time = 0; time < 3; time++) {
    await page.getByRole('heading', { name: 'Layers' }).click({ clickCount: 3 });
    await thereAndBack({}, 1);
    await page.getByRole('heading', { name: 'Layers' }).click();
    await page.evaluate(() => getSelection()?.selectAllChildren(document.body));
    await thereAndBack({}, 2);
  }
});

test('copies are pulled off with Alt, one after another', async () => {
  for (let copies = 1; copies <= 3; copies++) {
    await hand.dragBy(page.locator('[data-kind="shape"][aria-pressed="true"]'), 40, 20, { holding: 'Alt' });
    await expect.poll(() => page.locator('[data-kind="shape"]').count()).toBe(copies + 1);
  }
});

test('every handle resizes, twice in a row', async () => {
  await hand.click(shape());
  for (const handle of [...HANDLES, ...HANDLES]) {
    // Outwards, away from the middle.
    const [dx, dy] = [handle.includes('w') ? -1 : 1, handle.includes('n') ? -1 : 1];
    const before = await box(shape());
    await hand.dragBy(shape().locator(`[data-handle="${handle}"]`), dx * 18, dy * 18);
    const grown = async () => {
      const now = await box(shape());
      return now.width > before.width + 8 || now.height > before.height + 8;
    };
    await expect.poll(grown, { message: handle }).toBe(true);
  }
});

test('a zone turns by its handle, again and again', async () => {
  await hand.click(shape());
  const rotation = properties(page).getByLabel('Rotation', { exact: true });
  for (let time = 0; time < 3; time++) {
    const before = await rotation.inputValue();
    const grip = await box(shape().locator('[data-handle="rotate"]'));
    const from = { x: grip.x + grip.width / 2, y: grip.y + grip.height / 2 };
    await drag(page, from, { x: from.x + 60, y: from.y + 25 });
    await expect.poll(() => rotation.inputValue()).not.toBe(before);
  }
});

test('raw events of a pen move a zone, too, and a lost pen leaves it where it was', async () => {
  const before = await box(shape());
  const at = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
  const send = (types: readonly string[], dx: number) =>
    shape().evaluate(
      (element, { types, x, y }) => {
        for (const type of types) {
          const init = { bubbles: true, cancelable: true, pointerId: 1, clientX: x, clientY: y, button: 0 };
          element.dispatchEvent(new PointerEvent(type, { ...init, pointerType: 'pen' }));
        }
      },
      { types, x: at.x + dx, y: at.y },
    );
  // Only a pointer that the browser knows can be captured: its own pointer has the number 1.
  await page.mouse.move(at.x, at.y);
  await send(['pointerdown'], 0);
  for (const dx of [2, 20, 40, 60]) await send(['pointermove'], dx);
  await send(['pointerup'], 60);
  await expect.poll(async () => Math.round(((await box(shape())).x - before.x) / 60)).toBe(1);
  await send(['pointerdown'], 60);
  await send(['pointermove'], 120);
  await send(['pointercancel'], 120);
  await drawn(page);
  expect(Math.round(((await box(shape())).x - before.x) / 60)).toBe(1);
});

test('a locked zone lets the pointer through to what lies under it, and is still found among the layers', async () => {
  await page.getByRole('button', { name: 'Add shape' }).click();
  await properties(page).getByLabel('Name', { exact: true }).fill('Cover');
  await place({ X: 0, Y: 0, Width: 63, Height: 88 });
  await layers(page).getByRole('button', { name: 'Lock Cover' }).click();
  await layers(page).getByRole('button', { name: 'Card', exact: true }).click();
  const under = await box(shape());
  await page.mouse.click(under.x + 10, under.y + 10);
  await expect.poll(() => shape().getAttribute('aria-pressed')).toBe('true');
  await thereAndBack({}, 2);
  // On what is locked, a rectangle can begin.
  const card = await box(zone(page, 'Cover'));
  await drag(
    page,
    { x: card.x + 8, y: card.y + 8 },
    { x: card.x + card.width - 8, y: card.y + card.height - 8 },
  );
  await page.getByText('2 zones').waitFor();
  // Properties of both are changed at once, and undone at once.
  await properties(page).getByLabel('Height', { exact: true }).fill('21');
  await properties(page).getByLabel('Height', { exact: true }).press('Enter');
  await shot(page, 'several-zones', () => drawn(page));
  expect(await faultsInBoth(page, 'several zones')).toEqual([]);
  for (const name of ['Text', 'Shape']) {
    await layers(page).getByRole('button', { name, exact: true }).click();
    await expect.poll(() => properties(page).getByLabel('Height', { exact: true }).inputValue()).toBe('21');
  }
  await layers(page).getByRole('button', { name: 'Cover', exact: true }).click();
  await expect.poll(() => zone(page, 'Cover').getAttribute('aria-pressed')).toBe('true');
  expect(complaints).toEqual([]);
});
