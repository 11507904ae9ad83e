/** A rulebook is published at a link, and read there by somebody without an account, on a desk and on a phone. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleRulebook } from '../../../src/core/testing/sample-rulebook.ts';
import { faultsInBoth, settled } from '../../axe.ts';
import { besidesRetries, type Complaints, openPage } from '../../browser.ts';
import { createDrawnProject } from '../../pages/project-page.ts';
import { painted, saved, text } from '../../pages/rulebook-page.ts';
import { putRulebook } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Anne Bonny', email: 'anne@example.com', password: 'a long enough one' };
const TITLE = 'Rules of Driftglass';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
/** Somebody without an account. */
let visitor: Page;
let theirs: Complaints;
let link = '';

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createDrawnProject(page, 'Driftglass', ['Spring tide', 'Neap tide'], server.dataDir);
  const project = /decks\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  const user = await RestUser.signIn(server.origin, PERSON);
  const { blocks } = sampleRulebook();
  const [first, ...rest] = blocks;
  if (!first) throw new Error('The sample has no text.');
  await putRulebook(user, project, {
    id: 'book',
    title: TITLE,
    blocks: [
      first,
      {
        type: 'paragraph',
        id: 'intro',
        content: [
          { type: 'text', text: 'Beware of ' },
          { type: 'card', name: 'Neap tide' },
          { type: 'text', text: ': there are ' },
          { type: 'value', formula: '1 + 1' },
          { type: 'text', text: ' tides.' },
        ],
      },
      { type: 'cards', id: 'tides', names: ['Spring tide', 'Nothing'], caption: [] },
      ...rest,
    ],
  });
  ({ page: visitor, complaints: theirs } = await openPage(browser));
  await page.goto(`${server.origin}/rulebook-maker/${project}/book`);
  await text(page).getByText('Beware of').waitFor();
  await painted(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const web = () => page.getByRole('dialog', { name: 'On the web' });
const inBook = () => visitor.getByRole('article');

test('it is published under a name, and gets a link that nobody can guess', async () => {
  await page.getByRole('button', { name: 'On the web' }).click();
  await web().getByText('Anybody with the link').waitFor();
  expect(await faultsInBoth(page, 'not published')).toEqual([]);
  await web().getByLabel('Name of this edition').fill('1.0');
  await web().getByRole('button', { name: 'Publish' }).click();
  await web().getByText('Edition 1, 1.0').waitFor();
  link = (await web().locator('code').textContent()) ?? '';
  expect(link).toMatch(/\/read\/[A-Za-z0-9]{24}$/);
  expect(await faultsInBoth(page, 'published')).toEqual([]);
});

test('somebody without an account reads it: text, contents, cards and what the project said', async () => {
  await visitor.goto(link);
  await visitor.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  await inBook().getByText('Beware of Neap tide: there are 2 tides.').waitFor();
  const contents = visitor.getByRole('navigation', { name: 'Contents', exact: true });
  const headings = sampleRulebook().blocks.filter(({ type }) => type === 'heading').length;
  expect(await contents.getByRole('link').count()).toBeGreaterThan(headings / 2);
  const card = inBook().getByRole('img', { name: /Spring tide/ });
  await card.scrollIntoViewIfNeeded();
  await expect.poll(() => card.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(714);
  expect(await faultsInBoth(visitor, 'reader')).toEqual([]);
  await contents.getByRole('link').last().click();
  await expect.poll(() => visitor.evaluate(() => window.scrollY)).toBeGreaterThan(500);
});

test('a search finds words wherever they are, and leads there', async () => {
  const field = visitor.getByRole('searchbox', { name: 'Search the rules' });
  await field.fill('no such word');
  await visitor.getByText('Nothing has these words.').waitFor();
  await field.fill('TIDE');
  const found = visitor.getByRole('list', { name: 'Found' }).getByRole('link');
  await found.first().waitFor();
  expect(await found.locator('mark').first().textContent()).toMatch(/tide/i);
  expect(await faultsInBoth(visitor, 'search')).toEqual([]);
  const block = (await found.first().getAttribute('href')) ?? '';
  await visitor.keyboard.press('Tab');
  await visitor.keyboard.press('Enter');
  await found.first().waitFor({ state: 'detached' });
  await expect.poll(() => new URL(visitor.url()).hash).toBe(block);
});

test('a term shows its definition where it is used, and a card is enlarged; both by the keyboard', async () => {
  const term = inBook()
    .locator('button[aria-haspopup="dialog"]')
    .filter({ hasNotText: /tide$/i })
    .filter({ hasText: /./ });
  await term.first().focus();
  const word = await term.first().textContent();
  await visitor.keyboard.press('Enter');
  const note = visitor.getByRole('dialog');
  const toDefinition = note.getByRole('link', { name: 'Go to the definition' });
  await toDefinition.waitFor();
  // The text may go on moving, as after a jump or when a picture comes.
  const above = async () => {
    const [of, from] = [await note.boundingBox(), await term.first().boundingBox()];
    return (of?.y ?? 0) - (from?.y ?? 0);
  };
  await settled(visitor);
  let distance = Number.NaN;
  await expect
    .poll(async () => {
      const before = distance;
      distance = await above();
      return distance === before;
    })
    .toBe(true);
  const scrolled = await visitor.evaluate(() => window.scrollY);
  await visitor.evaluate(() => window.scrollBy(0, -30));
  await expect.poll(() => visitor.evaluate(() => window.scrollY)).toBe(scrolled - 30);
  await expect.poll(above).toBe(distance);
  await toDefinition.waitFor();
  expect(await faultsInBoth(visitor, 'term')).toEqual([]);
  await visitor.keyboard.press('Escape');
  await note.waitFor({ state: 'detached' });
  await expect.poll(() => visitor.evaluate(() => document.activeElement?.textContent)).toBe(word);
  await inBook().getByRole('button', { name: 'Neap tide', exact: true }).click();
  const large = visitor.getByRole('dialog', { name: 'Neap tide' });
  await large.getByRole('img', { name: /Costs 1/ }).waitFor();
  await visitor.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
});

test('on a phone the contents are a menu, nothing is wider than the screen, and on paper only the text is left', async () => {
  await visitor.setViewportSize({ width: 390, height: 844 });
  await visitor.goto(link);
  await visitor.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  const width = await visitor.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
  await visitor.locator('summary', { hasText: 'Contents' }).click();
  const menu = visitor.getByRole('navigation', { name: 'Contents', exact: true });
  await menu.getByRole('link').last().waitFor();
  expect(await faultsInBoth(visitor, 'contents on a phone')).toEqual([]);
  await menu.getByRole('link').last().click();
  await menu.waitFor({ state: 'hidden' });
  await visitor.emulateMedia({ media: 'print' });
  for (const gone of [
    visitor.getByRole('searchbox'),
    visitor.getByRole('navigation', { name: 'Contents', exact: true }),
  ]) {
    await gone.waitFor({ state: 'hidden' });
  }
  await inBook().getByText('Beware of').waitFor();
  await visitor.emulateMedia({ media: null });
  await visitor.setViewportSize({ width: 1440, height: 900 });
});

test('what is written afterwards is read once it is published again, with what changed since', async () => {
  await web().locator('footer').getByRole('button', { name: 'Close' }).click();
  // The value is chosen, and the cursor is taken away from it without replacing it.
  await text(page).getByText('{{1 + 1}}').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Both are wet.');
  await saved(page);
  await visitor.reload();
  await inBook().getByText('Beware of').waitFor();
  expect(await inBook().getByText('Both are wet.').count()).toBe(0);
  await page.getByRole('button', { name: 'On the web' }).click();
  await web().getByRole('button', { name: 'Publish again' }).click();
  await web().getByText('Edition 2').waitFor();
  expect(await web().locator('code').textContent()).toBe(link);
  await visitor.reload();
  await inBook().getByText('Both are wet.').waitFor();
  await visitor.getByRole('button', { name: 'What changed' }).click();
  const changes = visitor.getByRole('dialog', { name: 'Changed since 1.0' });
  await changes.locator('ins', { hasText: 'Both are wet.' }).waitFor();
  await expect.poll(() => changes.getByRole('listitem').count()).toBe(1);
  expect(await faultsInBoth(visitor, 'changes')).toEqual([]);
  await changes.getByRole('button', { name: 'Show' }).click();
  await changes.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(visitor.url()).hash).toBe('#b-intro');
});

test('once it is no longer published, the link leads nowhere', async () => {
  await web().getByRole('button', { name: 'Stop publishing' }).click();
  await web().getByText('Anybody with the link').waitFor();
  await visitor.goto(link);
  await visitor.getByText('Nothing is published here').waitFor();
  expect(await faultsInBoth(visitor, 'nothing published')).toEqual([]);
  expect(besidesRetries(complaints)).toEqual([]);
  expect(besidesRetries(theirs)).toEqual([]);
});
