/** Brainstorm: ideas are drawn, their words locked and drawn again; lists are renamed, and deletions taken back. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints, launch, openPage } from '../../browser.ts';
import { Server } from '../../server.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ page, complaints } = await openPage(browser));
  await page.goto(`${server.origin}/brainstorm`);
  await page.getByRole('heading', { name: 'Brainstorm', level: 1 }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const sentences = () => page.getByRole('list', { name: 'Sentences' }).getByRole('listitem');
const list = (name: string) =>
  page.getByRole('list', { name: 'Lists' }).getByText(`{${name}}`, { exact: true });
const words = () => page.getByRole('region', { name: 'Ideas' }).getByRole('button', { name: /^Lock/ });

async function add(sentence: string): Promise<void> {
  await page.getByLabel('New sentence').fill(sentence);
  await page.getByRole('button', { name: 'Add sentence' }).click();
}

test('two equal sentences are two, and a deletion is taken back where it was', async () => {
  const count = await sentences().count();
  for (const _ of [1, 2]) await add('Roll {1–6}: a(n) {otter|ant}');
  await expect.poll(() => sentences().count()).toBe(count + 2);
  const before = await sentences().allTextContents();
  await sentences()
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect.poll(() => sentences().count()).toBe(count + 1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => sentences().allTextContents()).toEqual(before);
  // Only the one whose button it was goes.
  await sentences()
    .last()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect.poll(() => sentences().allTextContents()).toEqual(before.slice(0, -1));
});

test('a sentence is changed where it stands, by keys alone; Escape leaves it as it was', async () => {
  const before = await sentences().allTextContents();
  const edit = sentences().last().getByRole('button', { name: /^Edit/ });
  const field = page.getByRole('textbox', { name: 'Sentence', exact: true });
  await edit.press('Enter');
  expect(await faultsInBoth(page, 'a sentence that is changed')).toEqual([]);
  await page.keyboard.type(' or none');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  expect(await sentences().allTextContents()).toEqual(before);
  await expect.poll(() => edit.evaluate((one) => one === document.activeElement)).toBe(true);
  await edit.press('Enter');
  // A deletion above it does not end it.
  await sentences()
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await field.press('End');
  await field.pressSequentially(' at last');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => sentences().allTextContents())
    .toEqual([...before.slice(0, -1), `${before.at(-1)} at last`]);
  await edit.press('Enter');
  await field.fill(before.at(-1) ?? '');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await expect.poll(() => sentences().allTextContents()).toEqual(before);
});

test('words of an idea stay while the others are drawn again', async () => {
  for (let left = (await sentences().count()) - 1; left > 0; left--) {
    await sentences()
      .first()
      .getByRole('button', { name: /^Delete/ })
      .click();
    await expect.poll(() => sentences().count()).toBe(left);
  }
  await page.getByRole('button', { name: 'Draw an idea' }).click();
  await expect.poll(() => words().count()).toBe(2);
  const idea = page.getByRole('region', { name: 'Ideas' }).locator('p').first();
  await expect.poll(() => idea.textContent()).toMatch(/^Roll [1-6]: an (otter|ant)$/);
  await words().first().click();
  const die = await words().first().textContent();
  await expect.poll(() => words().first().getAttribute('aria-pressed')).toBe('true');
  expect(await faultsInBoth(page, 'an idea')).toEqual([]);
  const seen = new Set<string | null>();
  while (seen.size < 2) {
    await page.getByRole('button', { name: 'Draw the other words again' }).click();
    expect(await words().first().textContent()).toBe(die);
    seen.add(await words().last().textContent());
  }
  await page.getByRole('button', { name: 'Draw five' }).click();
  await expect.poll(() => page.getByRole('region', { name: 'Ideas' }).locator('p').count()).toBe(6);
});

test('an idea is sent by a link, and is the same for whoever opens it, with its lists', async () => {
  const idea = page.getByRole('region', { name: 'Ideas' }).locator('p').first();
  await page.getByRole('button', { name: 'Draw an idea' }).click();
  await words().first().click();
  await page.getByRole('button', { name: 'Draw the other words again' }).click();
  const drawn = await idea.textContent();
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
  );
  await page.getByRole('button', { name: 'Copy a link', exact: true }).click();
  const link = /https?:\S+/.exec((await page.getByText(/^Copy this link: /).textContent()) ?? '')?.[0] ?? '';
  const other = await openPage(browser);
  await other.page.goto(link);
  const sent = other.page.getByRole('region', { name: 'Sent to you' });
  await sent.getByText(drawn ?? 'nothing', { exact: true }).waitFor();
  expect(await faultsInBoth(other.page, 'an idea that was sent')).toEqual([]);
  await sent.getByRole('button', { name: 'Add to my lists' }).click();
  await sent.waitFor({ state: 'detached' });
  await other.page
    .getByRole('list', { name: 'Sentences' })
    .getByText('Roll {1–6}: a(n) {otter|ant}', { exact: true })
    .waitFor();
  await other.page.goto(`${server.origin}/brainstorm#lists=damaged`);
  await other.page.getByText('This link holds no lists that can be read.').waitFor();
  expect(besidesRetries(other.complaints)).toEqual([]);
  await other.context.close();
});

test('a pack brings its lists and sentences, once', async () => {
  await page.getByRole('button', { name: 'Add a pack' }).click();
  expect(await faultsInBoth(page, 'packs')).toEqual([]);
  await page.getByRole('menuitem', { name: 'Beasts' }).click();
  await list('matter').waitFor();
  const count = await sentences().count();
  await page.getByRole('button', { name: 'Add a pack' }).click();
  await page.getByRole('menuitem', { name: 'Beasts' }).click();
  await page.getByText('Beasts is among your lists.').last().waitFor();
  expect(await sentences().count()).toBe(count);
  expect(await list('matter').count()).toBe(1);
});

test('a list is renamed with the places that name it, not to the name of another, and brought back once deleted', async () => {
  await add('A game of {Setting}');
  await page.getByRole('button', { name: 'Edit setting' }).click();
  await page.getByLabel('Name of the list').fill('mechanism');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByText('There is a list called mechanism already.').waitFor();
  await page.getByLabel('Name of the list').fill('place');
  expect(await faultsInBoth(page, 'a list')).toEqual([]);
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await list('place').waitFor();
  await expect.poll(() => sentences().last().textContent()).toBe('A game of {place}');
  await page.getByRole('button', { name: 'Edit place' }).click();
  await page.getByRole('button', { name: 'Delete list' }).click();
  await list('place').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await list('place').waitFor();
  expect(besidesRetries(complaints)).toEqual([]);
});
