/** A person's pointer and quick keys on the felt of a sample table. */

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Complaints, launch, openPage } from '../browser.ts';
import { drag } from '../pages/hand.ts';
import { piece } from '../pages/play-page.ts';
import { Server } from '../server.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
/** Acts that the page has sent. */
const sent: { verb: string; pieces?: string[]; to?: { x: number; y: number } }[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start({ tuckbox: {} }, 'emulator'), launch()]);
  ({ page, complaints } = await openPage(browser));
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const { act } = JSON.parse(payload.toString());
      if (act) sent.push(act);
    });
  });
  await page.goto(server.origin);
  await page.getByRole('button', { name: 'Sit down at a table' }).click();
  await deck(30).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const deck = (count: number): Locator => piece(page, new RegExp(`^Finds ?, ?${count} pieces`));
const felt = (): Locator => page.getByRole('application', { name: 'Table' });

interface Point {
  readonly x: number;
  readonly y: number;
}

/** True if a click there selects a piece of the list. */
async function hits(what: Locator, { x, y }: Point): Promise<boolean> {
  await page.mouse.click(x, y);
  return (await what.getAttribute('aria-selected')) === 'true';
}

/** The middle of a thing on the felt, looked for with the pointer from the middle of the felt on. */
async function middleOf(what: Locator): Promise<Point> {
  const box = await felt().boundingBox();
  if (!box) throw new Error('there is no felt');
  const spots: Point[] = [];
  for (let x = box.x + 20; x < box.x + box.width - 20; x += 32)
    for (let y = box.y + 20; y < box.y + box.height - 20; y += 32) spots.push({ x, y });
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const away = ({ x, y }: Point) => Math.hypot(x - middle.x, y - middle.y);
  for (const spot of spots.sort((a, b) => away(a) - away(b))) {
    if (!(await hits(what, spot))) continue;
    const reach = async (dx: number, dy: number) => {
      let far = 0;
      while (await hits(what, { x: spot.x + dx * (far + 4), y: spot.y + dy * (far + 4) })) far += 4;
      return far;
    };
    const [left, right, up, down] = [
      await reach(-1, 0),
      await reach(1, 0),
      await reach(0, -1),
      await reach(0, 1),
    ];
    return { x: spot.x + (right - left) / 2, y: spot.y + (down - up) / 2 };
  }
  throw new Error('nothing of it was found on the felt');
}

test('a drag from the middle of a deck takes its top card, whether the deck was selected or not', async () => {
  const at = await middleOf(deck(30));
  await drag(page, at, { x: at.x, y: at.y + 190 });
  await deck(29).waitFor();
  // The deck is selected now, as after any click on it.
  await page.mouse.click(at.x, at.y);
  await drag(page, at, { x: at.x + 90, y: at.y + 190 }, { pace: 'fast' });
  await deck(28).waitFor();
  await drag(page, at, { x: at.x + 30, y: at.y + 20 }, { holding: 'Shift' });
  await expect.poll(() => sent.at(-1)).toMatchObject({ verb: 'move' });
  await deck(28).waitFor();
});

test('keys that are pressed faster than the server answers add up', async () => {
  await deck(28).click();
  await felt().focus();
  const before = sent.length;
  await Promise.all(Array.from({ length: 6 }, () => page.keyboard.press('Alt+ArrowRight')));
  await expect.poll(() => sent.length).toBe(before + 6);
  const ways = sent.slice(before).map(({ to }) => to?.x ?? 0);
  expect(ways.map((x) => x - (ways[0] ?? 0))).toEqual([0, 50, 100, 150, 200, 250]);
  expect(complaints).toEqual([]);
});
