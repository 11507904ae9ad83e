/** The frame around the pages: theme, full screen, help, leaving, and what admins do in their panel. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { createProject } from '../../pages/project-page.ts';
import { RestUser } from '../../rest-user.ts';
import { Server } from '../../server.ts';

const BOSS = { name: 'Bo Sand', email: 'bo@example.com', password: 'a long enough one' };
const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const GUEST = { email: 'guest@example.com', password: 'a long enough one' };
const CHAT = 'https://chat.example/tuckbox';
const CONFIG = {
  tuckbox: {
    site: { operator: 'Salt Press', contact: 'ask@example.com', chatUrl: CHAT, admins: [BOSS.email] },
    plans: {
      offered: [
        { id: 'free', name: 'Hobby', price: '€0' },
        { id: 'maker', name: 'Maker', price: '€5 a month' },
      ],
    },
  },
};

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(CONFIG), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const inTheme = (page: Page, theme: 'light' | 'dark') =>
  page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor();

async function upload(guest: RestUser, bytes: number): Promise<void> {
  const config = await fetch(`${server.origin}/__/firebase/init.json`);
  const { storageBucket } = (await config.json()) as { storageBucket: string };
  const name = encodeURIComponent(`users/${guest.uid}/list.csv`);
  const answer = await fetch(`${server.origin}/v0/b/${storageBucket}/o?uploadType=media&name=${name}`, {
    method: 'POST',
    headers: { Authorization: `Firebase ${guest.token}`, 'Content-Type': 'text/csv' },
    body: 'x'.repeat(bytes),
  });
  expect(answer.status).toBe(200);
}

test('the theme is the system’s until one is chosen; full screen, the chat and the operator', async () => {
  const context = await browser.newContext({ colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(`${server.origin}/policies`);
  await page.getByText('Salt Press').first().waitFor();
  await inTheme(page, 'dark');
  await page.getByRole('button', { name: 'Light theme' }).click();
  await inTheme(page, 'light');
  await page.reload();
  await page.getByRole('button', { name: 'Dark theme' }).waitFor();
  await inTheme(page, 'light');

  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement === document.documentElement);
  await page.getByRole('button', { name: 'Leave full screen' }).click();
  await page.waitForFunction(() => document.fullscreenElement === null);

  await page.getByRole('button', { name: 'Help', exact: true }).click();
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect.poll(() => help.getByRole('link', { name: 'Community chat' }).getAttribute('href')).toBe(CHAT);
  await expect.poll(async () => (await help.boundingBox())?.width).toBe(400);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await context.close();
});

test('whom the host lists sees an admin’s links and has no rights; the claim gives them', async () => {
  const { context, page } = await openPage(browser);
  await signUp(page, server.origin, BOSS);
  await verify(page, server, BOSS);
  const bar = page.getByRole('navigation', { name: 'Main' });
  await bar.getByRole('link', { name: 'Admin', exact: true }).click();
  await page.getByText('This server has no administrator yet').waitFor();
  const guest = await RestUser.signUp(server.origin, GUEST);
  await upload(guest, 1_536);

  await server.grantAdmin(BOSS.email);
  await page.goto(`${server.origin}/account`);
  await page.evaluate(() => Object.assign(window, { fromBefore: true }));
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL(`${server.origin}/login`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  expect(await page.evaluate(() => 'fromBefore' in window), 'the page was loaded anew').toBe(false);
  await page.getByLabel('E-mail').fill(BOSS.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(BOSS.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await bar.getByRole('link', { name: 'Admin', exact: true }).click();

  const found: string[] = [];
  await page.getByText('There is no backup yet.').waitFor();
  const folder = await server.backUp();
  await page.reload();
  await page.getByText(/^Last backup just now: [\d.]+ KB in /).waitFor();
  await page.getByText(folder, { exact: false }).waitFor();
  await server.ageBackup(8);
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'Last backup 8 days ago' }).waitFor();
  found.push(...(await faultsInBoth(page, 'Backup')));
  const row = page.getByRole('row').filter({ hasText: GUEST.email });
  const change = async (item: string, told: string) => {
    await page.getByRole('button', { name: `More for ${GUEST.email}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await page.getByText(told, { exact: true }).waitFor();
  };
  await row.getByRole('cell', { name: 'Hobby', exact: true }).waitFor();
  await page.getByLabel('Search people').fill('nobody is called that');
  await page.getByRole('heading', { name: 'Nobody with “nobody is called that”' }).waitFor();
  await page.getByRole('button', { name: 'Show everybody' }).click();
  await row.getByRole('cell', { name: 'Hobby', exact: true }).waitFor();
  await page.getByLabel('Search people').fill('GUEST@');
  await page.getByText(BOSS.email).waitFor({ state: 'detached' });
  await change('Mark as verified', 'The address is marked as verified.');
  await row.getByRole('cell', { name: 'verified', exact: true }).waitFor();
  await change('Give the plan Maker', `${GUEST.email} has the plan Maker.`);
  await row.getByRole('cell', { name: 'Maker', exact: true }).waitFor();
  await change('Disable account', 'The account is disabled. All its sessions are ended.');
  await row.getByRole('cell', { name: 'disabled, verified', exact: true }).waitFor();
  await expect(RestUser.signIn(server.origin, GUEST)).rejects.toThrow('USER_DISABLED');
  found.push(...(await faultsInBoth(page, 'People')));

  const part = (name: string) => page.getByRole('radiogroup', { name: 'Part' }).getByText(name).click();
  await part('Usage');
  const figure = (name: string) =>
    page.getByRole('region', { name: 'Usage' }).locator('div').filter({ hasText: name }).last();
  await figure('Stored in files').getByText('1.5 KB').waitFor();
  await figure('Accounts').getByText('2', { exact: true }).waitFor();
  found.push(...(await faultsInBoth(page, 'Usage')));

  await part('Announcements and switches');
  await page.getByLabel('One line at the top').fill('Closed on Sunday.');
  await page.getByRole('button', { name: 'Show it' }).click();
  const notice = page.getByRole('status').filter({ hasText: 'Closed on Sunday.' });
  await notice.waitFor();
  await page.getByLabel('The page Brainstorm').click();
  await page.getByText('Switched off.', { exact: true }).waitFor();
  found.push(...(await faultsInBoth(page, 'Announcements')));

  await part('Log');
  await page.getByRole('cell', { name: 'disabled', exact: true }).waitFor();
  for (const deed of ['gave the plan maker to', 'marked as verified', 'disabled']) {
    const entry = page.getByRole('row').filter({ has: page.getByRole('cell', { name: deed, exact: true }) });
    await expect
      .poll(() => entry.getByRole('cell', { name: GUEST.email }).count(), { message: deed })
      .toBe(1);
  }
  found.push(...(await faultsInBoth(page, 'Log')));
  await page.goto(`${server.origin}/uploadadmin`);
  await page.getByRole('heading', { name: 'Drop your art here' }).waitFor();
  found.push(...(await faultsInBoth(page, 'Stock pictures')));
  expect(found).toEqual([]);

  // Everybody who is signed in is told, on pages that anybody may read too.
  await page.goto(`${server.origin}/brainstorm`);
  await page.getByText('An admin of this server has switched this page off.', { exact: false }).waitFor();
  await notice.waitFor();
  await context.close();

  // Features that are switched off are off for visitors too, without a notice.
  const visitor = await openPage(browser);
  await visitor.page.goto(`${server.origin}/brainstorm`);
  await visitor.page.getByText('has switched this page off.', { exact: false }).waitFor();
  expect(await visitor.page.getByText('Closed on Sunday.').count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
  await visitor.context.close();
});

test('a popup gives the focus to its field, and afterwards back to what opened it', async () => {
  const { context, page, complaints } = await openPage(browser);
  const guest = { name: 'Cy', email: 'cy@example.com', password: 'a long enough one' };
  await signUp(page, server.origin, guest);
  await verify(page, server, guest);
  const button = page.getByRole('button', { name: 'New project' }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  const popup = page.getByRole('dialog', { name: 'New project' });
  await popup.waitFor();
  await page.keyboard.type('Salt Road');
  await expect.poll(() => popup.getByLabel('Name').inputValue()).toBe('Salt Road');
  await page.keyboard.press('Escape');
  await popup.waitFor({ state: 'detached' });
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a menu is seen, and can be clicked, once it is in its place', async () => {
  const { context, page, complaints } = await openPage(browser);
  await page.goto(`${server.origin}/pricing`);
  const button = page.getByRole('button', { name: 'Resources' });
  const menu = page.getByRole('menu').filter({ visible: true });
  await button.waitFor();
  const seenAtOnce = await button.evaluate((element: HTMLButtonElement) => {
    const panel = document.getElementById(element.getAttribute('aria-controls') ?? '');
    element.click();
    return [panel?.matches(':popover-open'), panel?.checkVisibility({ visibilityProperty: true })];
  });
  expect(seenAtOnce).toEqual([true, false]);
  await menu.waitFor();
  const [above, below] = [await button.boundingBox(), await menu.boundingBox()];
  expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem');
  await page.keyboard.press('Escape');
  await expect.poll(() => menu.count()).toBe(0);
  // A key that follows at once walks the menu.
  const walked = await button.evaluate((element: HTMLButtonElement) => {
    const panel = document.getElementById(element.getAttribute('aria-controls') ?? '');
    element.focus();
    element.click();
    element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
    );
    return [...(panel?.querySelectorAll('[role="menuitem"]') ?? [])].indexOf(
      document.activeElement as Element,
    );
  });
  expect(walked).toBe(1);
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => menu.count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('an open menu stays at its button when the window changes its size', async () => {
  const { page, context } = await openPage(browser);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(server.origin);
  await page.getByRole('button', { name: /^Account menu/ }).click();
  const menu = page.getByRole('menu').filter({ visible: true });
  await menu.waitFor();
  await page.setViewportSize({ width: 1024, height: 900 });
  const right = async () => {
    const box = await menu.boundingBox();
    return box ? box.x + box.width : Number.NaN;
  };
  await expect.poll(right).toBeLessThanOrEqual(1024);
  await context.close();
});

test('words longer than their place break or are cut there', async () => {
  const { context, page, complaints } = await openPage(browser);
  await page.setViewportSize({ width: 1024, height: 700 });
  const word = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle';
  const guest = { name: word, email: 'captain@example.com', password: 'a long enough one' };
  await signUp(page, server.origin, guest);
  await verify(page, server, guest);
  const icons = await page
    .getByRole('button', { name: /^Account menu/ })
    .locator('svg')
    .evaluateAll((all) => all.map((icon) => icon.getBoundingClientRect().width));
  expect(icons).toEqual([19, 14]);

  await page.getByRole('button', { name: 'New project' }).click();
  const popup = page.getByRole('dialog', { name: 'New project' });
  await popup.getByLabel('Name').fill(word);
  await popup.getByLabel('Tags').fill(word);
  await popup.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { name: word, level: 1 }).waitFor();
  const title = await page.getByRole('heading', { name: word, level: 1 }).boundingBox();
  const actions = await page.getByRole('button', { name: 'Members' }).boundingBox();
  // The title has the line to itself.
  expect(actions?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));

  await page.goto(`${server.origin}/decks`);
  const tile = page.getByRole('list', { name: 'Projects' }).getByRole('listitem');
  await tile.waitFor();
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(() => tile.evaluate((item) => item.scrollWidth - item.clientWidth)).toBe(0);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test('on a phone the help button leaves the text alone while it is read, and covers no link of the footer', async () => {
  const { context, page, complaints } = await openPage(browser);
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto(`${server.origin}/docs`);
  const help = page.getByRole('button', { name: 'Help', exact: true });
  const top = async () => (await help.boundingBox())?.y ?? 0;
  /** Scrolls there, and waits until the page was told of it. */
  const scrollTo = (to: number) =>
    page.evaluate(async (y) => {
      window.scrollTo({ top: y, behavior: 'instant' });
      const frame = () => new Promise(requestAnimationFrame);
      await frame();
      await frame();
    }, to);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(top).toBeLessThan(700);
  await scrollTo(300);
  await expect.poll(top).toBeGreaterThanOrEqual(700);
  // By keys it is reached all the same.
  await page.getByRole('contentinfo').getByRole('link').last().focus();
  await page.keyboard.press('Tab');
  await expect.poll(() => help.evaluate((button) => button === document.activeElement)).toBe(true);
  await expect.poll(top).toBeLessThan(700);
  await help.blur();
  await scrollTo(0);
  await expect.poll(top).toBeLessThan(700);
  await scrollTo(300);
  await expect.poll(top).toBeGreaterThanOrEqual(700);
  await scrollTo(200);
  await expect.poll(top).toBeLessThan(700);
  await scrollTo(1_000_000);
  await expect.poll(top).toBeLessThan(690);
  const button = await help.boundingBox();
  if (!button) throw new Error('no button');
  for (const link of await page.getByRole('contentinfo').getByRole('link').all()) {
    const box = await link.boundingBox();
    const apart = !box || box.x + box.width <= button.x || box.y + box.height <= button.y;
    expect(apart, (await link.textContent()) ?? '').toBe(true);
  }
  await page.setViewportSize({ width: 1024, height: 700 });
  await scrollTo(0);
  await scrollTo(300);
  await help.and(page.locator('[data-reading]')).waitFor();
  await expect.poll(top).toBeLessThan(700);
  expect(complaints).toEqual([]);
  await context.close();
});

test('messages over an open popup can be read and clicked, and leave it open', async () => {
  const { context, page, complaints } = await openPage(browser);
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await signUp(page, server.origin, ANN);
  await verify(page, server, ANN);
  await createProject(page, 'Salt Road');
  await page.getByRole('button', { name: 'Members' }).click();
  const members = page.getByRole('dialog', { name: 'Members' });
  await members.getByRole('button', { name: 'Make a link' }).click();
  const message = page.getByRole('status').filter({ hasText: 'Copy this link' });
  await message.waitFor();
  expect(await faultsInBoth(page, 'A message over a popup')).toEqual([]);
  const away = message.getByRole('button', { name: 'Close message' });
  await away.click();
  await message.waitFor({ state: 'detached' });

  await members.getByRole('button', { name: 'Copy link' }).first().click();
  await message.waitFor();
  await page.keyboard.press('Escape');
  await members.waitFor({ state: 'detached' });
  // It outlives the popup it was in, and being marked to be copied.
  await message.getByText('Copy this link').click({ clickCount: 3 });
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toContain('/invitations/');
  await away.click();
  await message.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await context.close();
});

test('without a chat its links lead to the documentation’s page, in menu and help', async () => {
  const quiet = await Server.start();
  const { context, page, complaints } = await openPage(browser);
  await page.goto(`${quiet.origin}/pricing`);
  await page.getByRole('button', { name: 'Resources' }).click();
  await page.getByRole('menuitem', { name: 'Community' }).click();
  await page.waitForURL('**/docs#community');
  const topic = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Community' }) });
  await topic.getByText('This server has no chat.').waitFor();
  await page.reload();
  await expect.poll(async () => Math.round((await topic.boundingBox())?.y ?? Infinity)).toBeLessThan(900);
  await page.goto(`${quiet.origin}/pricing`);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await page.getByRole('dialog', { name: 'Help' }).getByRole('link', { name: 'Community' }).click();
  await page.waitForURL('**/docs#community');
  expect(complaints).toEqual([]);
  await context.close();
  await quiet.stop();
});
