/** Two tabs draw on one layout at once: they come to one document, and each undoes only its own acts. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { besidesRetries, launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import {
  box,
  dragOnCard,
  layers,
  newLayout,
  properties,
  saved,
  setNumber,
  zone,
} from '../../pages/editor-page.ts';
import { Server } from '../../server.ts';

const PERSON = { name: 'Anne Bonny', email: 'anne@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let one: Page;
let two: Page;
let complaints: string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const opened = await openPage(browser);
  ({ page: one, complaints } = opened);
  await signUp(one, server.origin, PERSON);
  await verify(one, server, PERSON);
  await newLayout(one, server.origin);
  await one.keyboard.press('s');
  await one.keyboard.press('Enter');
  await saved(one);
  two = await opened.context.newPage();
  two.on('pageerror', (error) => complaints.push(String(error)));
  await two.goto(one.url());
  await zone(two, 'Shape').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Names in the list of layers, from top to bottom. */
const names = (page: Page): Promise<string[]> => layers(page).getByRole('listitem').allInnerTexts();

/** Selects a zone by its layer: on the card one may lie over the other. */
const select = (page: Page, name: string): Promise<void> =>
  layers(page).getByRole('button', { name, exact: true }).click();

const field = (page: Page, label: string) => properties(page).getByLabel(label, { exact: true });

test('both change it at once and come to the same card', async () => {
  // Neither has seen the other's change when it makes its own.
  await Promise.all([
    (async () => {
      await one.keyboard.press('t');
      await one.keyboard.press('Enter');
      await field(one, 'Name').fill('From one');
      await field(one, 'Name').press('Enter');
    })(),
    (async () => {
      await select(two, 'Shape');
      await setNumber(two, 'Width', 33);
    })(),
  ]);
  await zone(two, 'From one').waitFor();
  await select(one, 'Shape');
  await expect.poll(() => field(one, 'Width').inputValue()).toBe('33');
  await Promise.all([saved(one), saved(two)]);
  await expect.poll(async () => (await names(one)).join() === (await names(two)).join()).toBe(true);
});

test('undo takes back one’s own acts alone', async () => {
  await select(one, 'From one');
  await setNumber(one, 'X', 11);
  await saved(one);
  await select(two, 'From one');
  await expect.poll(() => field(two, 'X').inputValue()).toBe('11');
  await setNumber(two, 'Y', 44);
  await saved(two);
  await expect.poll(() => field(one, 'Y').inputValue()).toBe('44');
  await select(one, 'From one');
  await one.keyboard.press('Control+z');
  await expect.poll(() => field(one, 'X').inputValue()).not.toBe('11');
  await expect.poll(() => field(one, 'Y').inputValue()).toBe('44');
  await saved(one);
  await select(two, 'From one');
  await two.keyboard.press('Control+z');
  await two.keyboard.press('Control+z');
  await expect.poll(() => field(one, 'Y').inputValue()).not.toBe('44');
  // Its other act was the width; the text of the other tab stays.
  await select(two, 'Shape');
  await expect.poll(() => field(two, 'Width').inputValue()).not.toBe('33');
  await zone(two, 'From one').waitFor();
  await one.keyboard.press('Control+Shift+z');
  await expect.poll(() => field(one, 'X').inputValue()).toBe('11');
});

test('a drag goes on while the other tab changes the card', async () => {
  const shape = zone(one, 'Shape');
  const before = await box(shape);
  const [x, y] = [before.x + before.width / 2, before.y + before.height - 4];
  await one.mouse.move(x, y);
  await one.mouse.down();
  await one.mouse.move(x + 30, y + 10, { steps: 4 });
  await two.keyboard.press('q');
  await two.getByRole('button', { name: 'Add image' }).click();
  await saved(two);
  await zone(one, 'Image').waitFor();
  await one.mouse.move(x + 60, y + 20, { steps: 4 });
  await one.mouse.up();
  await expect.poll(async () => (await box(shape)).x).toBeGreaterThan(before.x + 30);
  await dragOnCard(two, zone(two, 'Image'), 20, 20);
  await Promise.all([saved(one), saved(two)]);
  await expect.poll(async () => (await box(zone(two, 'Shape'))).x).toBeCloseTo((await box(shape)).x, 0);
  expect(besidesRetries(complaints)).toEqual([]);
});
