/** Zones are drawn to size with the pointer after a key, or placed by a click or the keyboard alone. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { layers, newLayout, properties, zone } from '../../pages/editor-page.ts';
import { shot } from '../../pages/export-page.ts';
import { drag } from '../../pages/hand.ts';
import { Server } from '../../server.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, complaints } = await openPage(browser));
  const person = { name: 'Dora Line', email: 'dora@example.org', password: 'a good long password' };
  await signUp(page, server.origin, person);
  await verify(page, server, person);
  await newLayout(page, server.origin);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const hint = () => page.getByRole('status').filter({ hasText: 'drag to draw it' });
const number = async (label: string) =>
  Number(await properties(page).getByLabel(label, { exact: true }).inputValue());

/** A place of the card, in shares of its width and height. */
async function at(x: number, y: number): Promise<{ x: number; y: number }> {
  const box = await page.getByRole('region', { name: 'Canvas' }).locator('canvas').boundingBox();
  if (!box) throw new Error('there is no card');
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

test('the buttons that add zones say which key draws one', async () => {
  for (const [name, key] of [
    ['Add text', 'T'],
    ['Add image', 'I'],
    ['Add shape', 'S'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).hover();
    await page.getByRole('tooltip').getByText(`${name} (${key} draws it to size)`).waitFor();
  }
  await page.getByRole('button', { name: 'Add more' }).click();
  const container = page.getByRole('menuitem', { name: 'Container', exact: true });
  await container.getByText('C', { exact: true }).waitFor();
  expect(await container.getAttribute('aria-keyshortcuts')).toBe('C');
  expect(await faultsInBoth(page, 'what can be added')).toEqual([]);
  await page.keyboard.press('Escape');
  await container.waitFor({ state: 'hidden' });
});

test('a shape is drawn from corner to corner, over others too', async () => {
  for (const pace of ['slow', 'fast'] as const) {
    await page.keyboard.press('s');
    await hint().waitFor();
    expect(await faultsInBoth(page, 'about to draw')).toEqual([]);
    await drag(page, await at(0.2, 0.2), await at(0.7, 0.5), { pace });
    await hint().waitFor({ state: 'hidden' });
    await expect.poll(() => number('Width')).toBeGreaterThan(20);
    const box = await zone(page, pace === 'slow' ? 'Shape' : 'Shape 2').boundingBox();
    const [from, to] = [await at(0.2, 0.2), await at(0.7, 0.5)];
    // Its edges click onto the grid, a millimetre apart.
    for (const [edge, goal] of [
      [box?.x, from.x],
      [box?.y, from.y],
      [(box?.x ?? 0) + (box?.width ?? 0), to.x],
      [(box?.y ?? 0) + (box?.height ?? 0), to.y],
    ])
      expect(Math.abs((edge ?? 0) - (goal ?? 0))).toBeLessThan(8);
  }
});

test('a text is drawn and written in at once, as one step each', async () => {
  await page.keyboard.press('t');
  const [from, to] = [await at(0.15, 0.6), await at(0.85, 0.8)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await shot(page, 'drawing-a-text', () => page.locator('[data-drawn]').waitFor());
  await page.mouse.up();
  await page.getByRole('textbox', { name: 'Text of Text' }).waitFor();
  await page.keyboard.type('Deal two damage');
  await page.keyboard.press('Escape');
  await expect.poll(() => properties(page).getByLabel('Own text').inputValue()).toBe('Deal two damage');
});

test('a click gives the usual size, Enter the middle, and Escape nothing', async () => {
  const count = () => layers(page).getByRole('listitem').count();
  const before = await count();
  await page.keyboard.press('i');
  const spot = await at(0.1, 0.1);
  await page.mouse.click(spot.x, spot.y);
  await zone(page, 'Image').waitFor();
  await page.keyboard.press('c');
  await page.keyboard.press('Enter');
  await expect.poll(count).toBe(before + 2);
  await page.keyboard.press('s');
  await hint().waitFor();
  await page.keyboard.press('Escape');
  await hint().waitFor({ state: 'hidden' });
  // In the middle of a drag Escape takes the drag back, and the next one draws.
  await page.keyboard.press('s');
  const [from, to] = [await at(0.3, 0.3), await at(0.6, 0.6)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await hint().waitFor();
  await page.keyboard.press('Escape');
  expect(await count()).toBe(before + 2);
  expect(complaints).toEqual([]);
});
