/** The checks of a rulebook replace words that stand for a term, in the text and on cards, and find numbers that are wrong; a book begins with a file. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Block } from '../../../src/core/book/document/schema.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { saved, text } from '../../pages/rulebook-page.ts';
import { putCards } from '../../rest-cards.ts';
import { putRulebook } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ching Shih', email: 'ching@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;

const words = (said: string, strong = false) => ({
  type: 'text' as const,
  text: said,
  ...(strong && { marks: ['strong' as const] }),
});

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Fleet',
    component: 'Orders',
    columns: { name: ['Name', 'text'], rule: ['Rule', 'text'] },
    cards: { k: { order: 1, copies: 4, cells: { name: 'Advance', rule: 'Move a troop. Troops stay.' } } },
  });
  const blocks: Block[] = [
    {
      type: 'definition',
      id: 'unit',
      term: 'Unit',
      variants: ['units'],
      forbidden: ['troop', 'troops'],
      content: [words('A ship with its crew.')],
    },
    {
      type: 'paragraph',
      id: 'p',
      content: [words('A unit moves: a '), words('troop', true), words(' turns.')],
    },
    { type: 'paragraph', id: 'q', content: [words('Shuffle the 5 orders.')] },
    {
      type: 'callout',
      id: 'e',
      kind: 'example',
      title: '',
      blocks: [
        { type: 'paragraph', id: 'ew', content: [words('Ann plays '), { type: 'card', name: 'Advance' }] },
      ],
    },
  ];
  await putRulebook(user, 'd', { id: 'book', title: 'Rules of the fleet', blocks });
  await page.goto(`${server.origin}/rulebook-maker/d/book`);
  await text(page).getByText('Shuffle the 5 orders.').waitFor();
  await page.getByRole('tab', { name: /Checks \d/ }).click();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** The note by which a change of the card is taken back. It goes after a while, unless the pointer is on it. */
const changed = () => page.getByRole('status').filter({ hasText: 'The card now says Unit.' });

const found = (message: string | RegExp) =>
  page.getByRole('region', { name: 'Checks' }).getByRole('listitem').filter({ hasText: message });

test('a number that disagrees with the project is found, and only that', async () => {
  await found('This text says 5 Orders, and the project has 4').waitFor();
  expect(await faultsInBoth(page, 'checks')).toEqual([]);
});

test('a word is replaced in the text with its marks, and by undo again', async () => {
  await found('This text says troop').getByRole('button', { name: 'Replace' }).click();
  await found('This text says troop').waitFor({ state: 'detached' });
  await expect.poll(() => text(page).locator('strong').allInnerTexts()).toEqual(['unit']);
  await saved(page);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await found('This text says troop').waitFor();
  await expect.poll(() => text(page).locator('strong').allInnerTexts()).toEqual(['troop']);
});

test('a word is replaced on a card, which is taken back by its note', async () => {
  const card = found('The card Advance says troop');
  await card.getByRole('button', { name: 'Replace' }).click();
  await changed().hover();
  await found('The card Advance says Troops').waitFor();
  await changed().getByRole('button', { name: 'Undo' }).click();
  await found(/The card Advance says troop;/).waitFor();
  expect(besidesRetries(complaints)).toEqual([]);
});

test('an example is found whose card has changed since somebody wrote in it, and holds when its writer says so', async () => {
  await text(page).getByText('Ann plays').click();
  await page.keyboard.press('Home');
  await page.keyboard.type('Now ');
  await saved(page);
  const outdated = found('The card Advance has changed since this example was written');
  expect(await outdated.count()).toBe(0);
  await found('The card Advance says troop').getByRole('button', { name: 'Replace' }).click();
  await changed().hover();
  await outdated.filter({ hasText: '“troop” is “Unit” now' }).waitFor();
  await outdated.getByRole('button', { name: 'Still correct' }).click();
  await changed().hover();
  await outdated.waitFor({ state: 'detached' });
  await changed().getByRole('button', { name: 'Undo' }).click();
  await outdated.filter({ hasText: '“Unit” is “troop” now' }).waitFor();
  await saved(page);
});

test('a word is no term at one place, which is listed, stays after a reload, and is taken back', async () => {
  await found('This text says troop').getByRole('button', { name: 'Not a term here' }).click();
  await found('This text says troop').waitFor({ state: 'detached' });
  await found(/The card Advance says troop;/)
    .getByRole('button', { name: 'Not a term here' })
    .click();
  const none = page.getByRole('list', { name: 'Words that are not terms' }).getByRole('listitem');
  await none.filter({ hasText: 'troop in “A unit moves: a troop turns.”' }).waitFor();
  await none.filter({ hasText: 'troop on the card Advance' }).waitFor();
  expect(await faultsInBoth(page, 'no terms')).toEqual([]);
  await saved(page);
  await page.reload();
  await page.getByRole('tab', { name: /Checks \d/ }).click();
  await none.nth(1).waitFor();
  expect(await found('This text says troop').count()).toBe(0);
  await none.first().getByRole('button', { name: 'Check again: troop' }).click();
  await found('This text says troop').waitFor();
  await saved(page);
  await expect.poll(() => none.count()).toBe(1);
});

test('a name that two cards have is found, and replaced by the one that means the same card', async () => {
  const cells = { name: 'Advance', rule: 'Move two ships.' };
  await user.put({ 'projects/d/components/c/cards/z': { order: 2, copies: 1, cells } });
  const shared = found(
    '2 cards are called Advance; the first, Advance (Orders), is meant here. Use that name, or choose Advance (Orders 2).',
  );
  await shared.waitFor();
  expect(await faultsInBoth(page, 'a name of two cards')).toEqual([]);
  await shared.getByRole('button', { name: 'Use Advance (Orders)' }).click();
  await shared.waitFor({ state: 'detached' });
  await text(page).getByText('@Advance (Orders)', { exact: true }).click();
  const card = page.getByRole('combobox', { name: 'Card', exact: true });
  await card.selectOption({ label: 'Advance (Orders 2)' });
  await text(page).getByText('@Advance (Orders 2)', { exact: true }).waitFor();
  expect(await found('The project has no card').count()).toBe(0);
  await saved(page);
});

test('a title that is typed while a file of Markdown is read stays', async () => {
  await page.goto(`${server.origin}/decks/d`);
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rulebooks' });
  await dialog.getByRole('button', { name: 'New rulebook' }).click();
  await dialog.getByLabel('Begin with').selectOption({ label: 'A file of Markdown' });
  await page.evaluate(() => {
    const { text } = Blob.prototype;
    Blob.prototype.text = function read(this: Blob) {
      return new Promise((resolve) => Object.assign(window, { goOn: () => resolve(text.call(this)) }));
    };
  });
  await dialog
    .getByLabel('Markdown file')
    .setInputFiles({ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('# One') });
  await page.waitForFunction(() => 'goOn' in window);
  await dialog.getByLabel('Title').fill('Mine');
  await page.evaluate('goOn()');
  await dialog.getByText('a.md: ').waitFor();
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Mine');
});
