/** The sample game as a table: opened by a visitor, played with a friend who has the link, and gone after an hour. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { cardsInHand, log, logged, noteFrames, piece, press } from '../../pages/play-page.ts';
import { Server } from '../../server.ts';

const PHONE = { width: 390, height: 844 };

let server: Server;
let browser: Browser;
let red: Page;
let blue: Page;
let complaints: Complaints;
let blueComplaints: Complaints;
let frames: ReturnType<typeof noteFrames>;
/** Requests for documents and files, with which a visitor at a table has no business. */
const strange: string[] = [];

beforeAll(async () => {
  // In emulator mode tests move the server's clock.
  [server, browser] = await Promise.all([Server.start({ tuckbox: {} }, 'emulator'), launch()]);
  const [one, other] = await Promise.all([openPage(browser), openPage(browser)]);
  [red, blue, complaints, blueComplaints] = [one.page, other.page, one.complaints, other.complaints];
  noteStrange(blue);
  frames = noteFrames(blue);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

function noteStrange(page: Page): void {
  page.on('request', (request) => {
    if (/\/documents|\/v0\/b\//.test(request.url())) strange.push(request.url());
  });
}

const deck = (page: Page, count: number) => piece(page, new RegExp(`^Finds ?, ?${count} pieces`));
const title = (page: Page) => page.getByRole('heading', { name: 'Driftglass', level: 1 });
const seats = (page: Page) => page.getByRole('list', { name: 'Seats' }).getByRole('listitem');

test('from the first page a click leads to a table that is laid out, and to a seat at it', async () => {
  await red.goto(server.origin);
  await red.locator('canvas[data-state="painted"]').waitFor();
  expect(await faultsInBoth(red)).toEqual([]);
  await red.getByRole('button', { name: 'Sit down at a table' }).click();
  await title(red).waitFor();
  noteStrange(red);
  expect(new URL(red.url()).pathname).toMatch(/^\/playtesting\/sample\/[0-9a-f]{24}$/);
  await deck(red, 30).waitFor();
  await seats(red).nth(0).getByText('you, host').waitFor();
  await red.getByText('60 min left').waitFor();
  await press(red, /^Finds ?, ?30 pieces/, 'D');
  await expect.poll(() => cardsInHand(red).count()).toBe(1);
  expect(await faultsInBoth(red)).toEqual([]);
  await red.getByRole('button', { name: 'Rules' }).click();
  const rules = red.getByRole('dialog', { name: 'How to play Driftglass' });
  await rules.getByText('Shuffle all 30 cards.').waitFor();
  expect(await faultsInBoth(red)).toEqual([]);
  await red.keyboard.press('Escape');
  await rules.waitFor({ state: 'detached' });
});

test('a friend with the link sits down and sees the pile shrink, but not the card', async () => {
  await blue.setViewportSize(PHONE);
  await blue.goto(red.url());
  await title(blue).waitFor();
  await seats(blue).nth(1).getByText('you', { exact: true }).waitFor();
  await seats(red).nth(1).getByText('Blue').waitFor();
  await blue.getByText('60 min left').waitFor();
  expect(await blue.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  // Nothing of the bar is cut off.
  const last = await blue.getByRole('button', { name: 'Pieces and log' }).boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? PHONE.width)).toBeLessThanOrEqual(PHONE.width);
  expect(await faultsInBoth(blue)).toEqual([]);
  await blue.getByRole('button', { name: 'Pieces and log' }).click();
  await deck(blue, 29).waitFor();
  // The friend has been sent no face at all.
  expect(frames.text()).toContain('"common"');
  expect(frames.text()).not.toContain('"faces"');
  await blue.getByRole('button', { name: 'Pieces and log' }).click();
});

test('both see what the other plays', async () => {
  const drawn = ((await cardsInHand(red).first().getAttribute('aria-label')) ?? '').split(',')[0] ?? '';
  expect(drawn).not.toBe('');
  await cardsInHand(red).first().click();
  await red.keyboard.press('P');
  await blue.getByRole('button', { name: 'Pieces and log' }).click();
  await log(blue)
    .getByText(/Red plays/)
    .waitFor();
  await expect.poll(() => frames.text()).toContain('"faces"');
  await expect
    .poll(() =>
      log(blue)
        .getByText(/Red plays/)
        .first()
        .textContent(),
    )
    .toContain(drawn);
  await press(blue, /^Finds ?, ?29 pieces/, 'D');
  await blue.getByRole('button', { name: 'Pieces and log' }).click();
  await expect.poll(() => cardsInHand(blue).count()).toBe(1);
  await deck(red, 28).waitFor();
  await logged(red, 'Blue draws');
});

test('whoever sits on the first seat starts over and takes that back; nothing is fetched or saved', async () => {
  for (const page of [red, blue]) {
    expect(await page.getByRole('button', { name: /^People/ }).count()).toBe(0);
  }
  // On a phone these stand below the log.
  await blue.getByRole('button', { name: 'Pieces and log' }).click();
  expect(await blue.getByRole('button', { name: 'Set up anew' }).isEnabled()).toBe(false);
  expect(await faultsInBoth(blue)).toEqual([]);
  await blue.getByRole('button', { name: 'Pieces and log' }).click();
  await red.getByRole('button', { name: 'Set up anew' }).click();
  const asked = red.getByRole('dialog', { name: 'Set the table up anew?' });
  expect(await faultsInBoth(red)).toEqual([]);
  await asked.getByRole('button', { name: 'Set up anew' }).click();
  await deck(red, 30).waitFor();
  await expect.poll(() => cardsInHand(blue).count()).toBe(0);
  await red.keyboard.press('Control+Z');
  await expect.poll(() => cardsInHand(blue).count()).toBe(1);
  await deck(red, 28).waitFor();
  await red.reload();
  await seats(red).nth(0).getByText('you, host').waitFor();
  expect(await red.getByRole('dialog').count()).toBe(0);
  expect(strange).toEqual([]);
  expect([complaints, blueComplaints]).toEqual([[], []]);
});

test('a network has three at once, and the page says so', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${server.origin}/playtesting`);
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await page.getByRole('button', { name: /Try a sample table/ }).click();
  await title(page).waitFor();
  const first = page.url();
  for (const more of [true, false]) {
    await page.goto(server.origin);
    await page.getByRole('button', { name: 'Sit down at a table' }).click();
    if (more) await title(page).waitFor();
    else await page.getByText('Three sample tables are open from your network').waitFor();
  }
  expect(await faultsInBoth(page)).toEqual([]);
  expect(page.url()).not.toBe(first);
  // At other tables a visitor has a name, which nobody has asked for yet.
  await page.goto(`${server.origin}/join`);
  await page.getByLabel('Your name').waitFor();
  await context.close();
});

test('after a restart it goes on, and after an hour it is gone for those who are there', async () => {
  const address = red.url();
  await server.kill9();
  await server.restart();
  await deck(red, 28).waitFor();
  await expect.poll(async () => (await red.getByText('Connection lost').count()) === 0).toBe(true);
  const clock = await fetch(`${server.origin}/__/clock`, {
    method: 'PUT',
    body: JSON.stringify({ advance: '1h' }),
  });
  expect(clock.status).toBe(200);
  await press(red, /^Finds ?, ?28 pieces/, 'D');
  await red.getByRole('heading', { name: 'This table is gone' }).waitFor();
  expect(await faultsInBoth(red)).toEqual([]);
  await blue.goto(address);
  await blue.getByRole('heading', { name: 'This table is gone' }).waitFor();
  expect(await faultsInBoth(blue)).toEqual([]);
  // The visitor's account went with it, and the next table makes a new one.
  await blue.getByRole('button', { name: 'Open a new one' }).click();
  await title(blue).waitFor();
  await blue.getByRole('button', { name: 'Pieces and log' }).click();
  await deck(blue, 30).waitFor();
});

test('its host ends the game, and everybody goes on at a new table', async () => {
  const before = blue.url();
  await blue.getByRole('button', { name: 'End the game' }).click();
  const asked = blue.getByRole('dialog', { name: 'End the game?' });
  expect(await faultsInBoth(blue)).toEqual([]);
  await asked.getByRole('button', { name: 'End the game' }).click();
  await blue.getByRole('button', { name: 'Play again at a new table' }).waitFor();
  expect(await faultsInBoth(blue)).toEqual([]);
  await blue.getByRole('button', { name: 'Play again at a new table' }).click();
  await expect.poll(() => blue.url()).not.toBe(before);
  await title(blue).waitFor();
});
