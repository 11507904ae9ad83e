/** A person's pointer and quick keys on the felt of a sample table. */

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { drag, drawn } from '../../pages/hand.ts';
import { piece, pieces } from '../../pages/play-page.ts';
import { Server } from '../../server.ts';

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

/** A place of the felt where nothing lies. */
function corner(box: { x: number; y: number; width: number; height: number } | null): [number, number] {
  if (!box) throw new Error('there is no felt');
  return [box.x + box.width - 30, box.y + 30];
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
});

const menu = (): Locator => page.getByRole('menu', { name: 'Finds' });

test('the menu that a right click opens stays when the button is let go, and a press beside it closes it', async () => {
  await page.mouse.click(...corner(await felt().boundingBox()));
  const at = await middleOf(deck(28));
  await page.mouse.click(at.x, at.y, { button: 'right' });
  await drawn(page);
  await expect.poll(() => menu().isVisible()).toBe(true);
  await page.mouse.click(...corner(await felt().boundingBox()));
  await menu().waitFor({ state: 'detached' });
  await deck(28).waitFor();
});

test('Escape, and another button, give a drag up', async () => {
  const at = await middleOf(deck(28));
  const before = sent.length;
  for (const giveUp of [
    () => page.keyboard.press('Escape'),
    async () => {
      await page.mouse.down({ button: 'right' });
      await page.mouse.up({ button: 'right' });
    },
  ]) {
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 60, at.y + 60, { steps: 4 });
    await giveUp();
    await page.mouse.move(at.x + 90, at.y + 60, { steps: 2 });
    await page.mouse.up();
  }
  expect(await menu().count()).toBe(0);
  await deck(28).click();
  await page.keyboard.press('d');
  await deck(27).waitFor();
  expect(sent.slice(before).map(({ verb }) => verb)).toEqual(['draw']);
});

test('whoever looks through a pile sees the faces, and plays two of them with one drag', async () => {
  await deck(27).click();
  await page.keyboard.press('s');
  const cards = page.getByRole('region', { name: 'You look through Finds' }).getByRole('listitem');
  await expect.poll(() => cards.count()).toBe(27);
  const looks = () =>
    cards
      .locator('canvas')
      .evaluateAll((all) => new Set(all.map((one) => (one as HTMLCanvasElement).toDataURL())).size);
  // All backs of a deck look alike.
  await expect.poll(looks).toBeGreaterThan(5);
  await cards.nth(0).click();
  await cards.nth(1).click({ modifiers: ['Shift'] });
  const from = await cards.nth(1).boundingBox();
  const to = await felt().boundingBox();
  if (!from || !to) throw new Error('nothing is shown');
  await drag(page, { x: from.x + 20, y: from.y + 40 }, { x: to.x + 60, y: to.y + 60 });
  await deck(25).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
});

test('a card that is let go on the seat of somebody comes to their hand, and they see it come', async () => {
  const { page: guest, context } = await openPage(browser);
  await guest.goto(page.url());
  const other = page.getByRole('list', { name: 'Seats' }).getByRole('listitem').nth(1);
  const hand = other.getByRole('button', { name: /^Hand of .*: 0$/ });
  await hand.waitFor();
  // Both look at the same part of the table now.
  for (const one of [page, guest]) {
    await one.getByRole('application', { name: 'Table' }).focus();
    await one.keyboard.press('0');
  }
  const at = await middleOf(deck(25));
  const box = await felt().boundingBox();
  if (!box) throw new Error('there is no felt');
  // Beside the pointer, which is shown too, and on no other piece.
  const goal = { x: at.x - 40, y: at.y - 150 };
  const pixel = () =>
    guest
      .getByRole('application', { name: 'Table' })
      .locator('canvas')
      .first()
      .evaluate(
        (canvas, [x, y]) =>
          (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(x, y, 1, 1).data.join(),
        [Math.round(goal.x - 20 - box.x), Math.round(goal.y - 30 - box.y)] as const,
      );
  const bare = await pixel();
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(goal.x, goal.y, { steps: 5 });
  await expect.poll(pixel).not.toBe(bare);
  const seat = await other.boundingBox();
  if (!seat) throw new Error('there is no other seat');
  await page.mouse.move(seat.x + 20, seat.y + 20, { steps: 5 });
  await page.mouse.up();
  await deck(24).waitFor();
  await expect.poll(pixel).toBe(bare);
  await guest.getByRole('region', { name: 'Your hand' }).getByRole('listitem').waitFor();
  expect(sent.at(-1)?.verb).toBe('give');
  await context.close();
});

test('keys act on the line of the list that the keyboard has come to, selected or not', async () => {
  await deck(24).click();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  expect(await pieces(page).getByRole('treeitem', { selected: true }).count()).toBe(0);
  await page.keyboard.press('d');
  await deck(23).waitFor();
  // A key that can do nothing says why.
  await page.keyboard.press('p');
  await page.getByText('It lies on the table already.').waitFor();
});

test('whoever loads the page again can still take the last act back', async () => {
  await deck(23).click();
  await page.keyboard.press('d');
  await deck(22).waitFor();
  await page.reload();
  await deck(22).waitFor();
  await page.keyboard.press('Control+z');
  await deck(23).waitFor();
});

test('a finger that rests opens the menu, and chooses nothing when it goes up', async () => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const phone = await context.newPage();
  const acts: string[] = [];
  phone.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const { act } = JSON.parse(payload.toString());
      if (act) acts.push(act.verb);
    });
  });
  await phone.goto(page.url());
  const card = phone.getByRole('region', { name: 'Your hand' }).getByRole('listitem').first();
  const seat = page
    .getByRole('list', { name: 'Seats' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Hand of .*: 0$/ }) });
  await expect.poll(() => seat.count()).toBeGreaterThan(0);
  await deck(23).click();
  await page.keyboard.press('Shift+D');
  await page.getByRole('dialog').getByRole('button', { name: 'Deal' }).click();
  await card.waitFor();
  const box = await card.boundingBox();
  if (!box) throw new Error('nothing was dealt');
  acts.length = 0;
  const session = await context.newCDPSession(phone);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const opened = phone.getByRole('menu').filter({ visible: true });
  await opened.waitFor();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await drawn(phone);
  expect(await opened.count()).toBe(1);
  const heights = await opened
    .getByRole('menuitem')
    .evaluateAll((items) => items.map((item) => item.clientHeight));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(acts).toEqual([]);
  await phone.keyboard.press('Escape');
  // On its side, the hand lies beside the table: nothing is below the window.
  await phone.setViewportSize({ width: 844, height: 390 });
  const reach = () => phone.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  await expect.poll(reach).toBe(0);
  const beside = await card.boundingBox();
  expect((beside?.x ?? 0) > 422 && (beside?.y ?? 999) < 300).toBe(true);
  await context.close();
  expect(complaints).toEqual([]);
});
