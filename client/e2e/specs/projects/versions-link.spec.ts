/** The public link of a version: whoever has it sees the version without an account, until it is withdrawn. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { upload } from '../../pages/images-page.ts';
import { freeze, shotOf, version } from '../../pages/versions-page.ts';
import { putCards } from '../../rest-cards.ts';
import { paragraph, putRulebook } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ada Blackjack', email: 'ada@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let visitor: Page;
let complaints: Complaints;
let user: RestUser;
let address: string;

const card = (order: number, name: string, secret: string) => ({
  ...{ order, copies: order, cells: { name, art: 'fox.png', secret } },
});
function front() {
  const layout = newLayout('Front');
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  const art = newZone('image', 'art', 'Art', { x: 5, y: 30, w: 50, h: 40 });
  art.bindings = { source: { mode: 'column', column: 'art' } };
  layout.zones = [title, art];
  return layout;
}

const openShare = async () => {
  await page.getByRole('button', { name: 'More for v1' }).click();
  await page.getByRole('menuitem', { name: 'Public link' }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Link of v1' }).waitFor();
};

/** The address in the window, once it is made. */
const linkShown = async () => ((await page.getByRole('dialog').locator('code').textContent()) ?? '').trim();

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Tides',
    component: 'Events',
    columns: { name: ['Name', 'text'], art: ['Art', 'image'], secret: ['Secret', 'text'] },
    cards: { ash: card(1, 'Ash', 'the culprit'), elm: card(2, 'Elm', 'innocent') },
    layout: front(),
  });
  await putRulebook(user, 'd', { id: 'r', title: 'Rules', blocks: [paragraph('a', 'Draw two cards.')] });
  await page.goto(`${server.origin}/decks/images/d`);
  await upload(page, server.dataDir, 'fox.png', [216, 36, 36]);
  await page.goto(`${server.origin}/decks/d/versions`);
  await freeze(page, 'v1');
  await version(page, 'v1').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('an owner makes a link of a version', async () => {
  await openShare();
  expect(await faultsInBoth(page, 'no link yet')).toEqual([]);
  await shotOf(page, 'versions-link-none');
  await page.getByRole('button', { name: 'Make a link' }).click();
  address = await linkShown();
  expect(new URL(address).pathname).toMatch(/^\/read\/[A-Za-z0-9]{24}$/);
  await shotOf(page, 'versions-link-made');
  await page.getByRole('button', { name: 'Close' }).last().click();
  await version(page, 'v1').getByText('has a public link').waitFor();
});

test('a visitor without an account sees the cards and rulebooks as they were, and nothing that they do not show', async () => {
  await user.put({ 'projects/d/components/c/cards/ash': card(1, 'Oak', 'someone else') });
  const context = await browser.newContext();
  visitor = await context.newPage();
  const stored: string[] = [];
  visitor.on('response', async (reply) => {
    if (reply.url().includes('version.json')) stored.push(await reply.text());
  });
  await visitor.goto(address);
  await visitor.getByRole('heading', { name: 'Tides', level: 1 }).waitFor();
  await visitor.getByText(/^v1, as it was on /).waitFor();
  const events = visitor.getByRole('region', { name: 'Events' });
  await events.getByText('2 different, 3 in all').waitFor();
  await events.getByRole('button', { name: 'Ash' }).waitFor();
  expect(await events.getByRole('button', { name: 'Oak' }).count()).toBe(0);
  const painted = events.getByRole('button', { name: 'Ash' }).locator('canvas');
  await expect
    .poll(() =>
      painted.evaluate((canvas: HTMLCanvasElement) => {
        const [red = 0, green = 0] =
          canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [];
        return red > 180 && green < 80;
      }),
    )
    .toBe(true);
  expect(await faultsInBoth(visitor, 'a shared version')).toEqual([]);
  await shotOf(visitor, 'versions-link-read');
  await events.getByRole('button', { name: 'Ash' }).focus();
  await visitor.keyboard.press('Enter');
  await visitor.getByRole('dialog').getByRole('img', { name: 'Ash' }).waitFor();
  await visitor.keyboard.press('Escape');
  await visitor.getByRole('button', { name: 'Rules' }).click();
  await visitor.getByText('Draw two cards.').waitFor();
  await shotOf(visitor, 'versions-link-rulebook');
  await visitor.getByRole('button', { name: 'Tides, v1' }).click();
  await events.waitFor();
  expect(stored).toHaveLength(1);
  expect(stored[0]).toContain('Ash');
  expect(stored[0]).not.toContain('culprit');
});

test('a withdrawn link leads nowhere, and its files are gone', async () => {
  const asked = visitor.waitForRequest((one) => one.url().includes('version.json'));
  await visitor.goto(address);
  const file = (await asked).url();
  expect((await fetch(file)).status).toBe(200);
  await openShare();
  await page.getByRole('button', { name: 'Withdraw the link' }).click();
  await page.getByRole('button', { name: 'Make a link' }).waitFor();
  await visitor.goto(address);
  await visitor.getByText('Nothing is published here').waitFor();
  // A file that is not there is refused like one that is nobody's business.
  expect((await fetch(file)).status).toBe(403);
  await page.getByRole('button', { name: 'Make a link' }).click();
  const again = await linkShown();
  expect(again).not.toBe(address);
  address = again;
  await page.getByRole('button', { name: 'Close' }).last().click();
});

test('the link goes with its version', async () => {
  await page.getByRole('button', { name: 'More for v1' }).click();
  await page.getByRole('menuitem', { name: 'Delete version' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete version' }).click();
  await version(page, 'v1').waitFor({ state: 'detached' });
  await visitor.goto(address);
  await visitor.getByText('Nothing is published here').waitFor();
  expect(besidesRetries(complaints)).toEqual([]);
});
