/**
 * Flashcards: cards are learnt with five boxes and with covered zones, by keys and by swipes, proofread with remarks,
 * compared with versions of their layout, left out by filters, and counted in hands.
 */

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { putCards } from '../../rest-cards.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Hedy Kiesler', email: 'hedy@example.com', password: 'a long enough one' };
const CARDS = 25;

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;

const card = (order: number, name: string) => ({
  order,
  copies: order === 0 ? 3 : 1,
  cells: { name, kind: order % 5 === 0 ? 'Wet, Cold' : 'Dry', rule: `Rule ${order}.` },
});

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  const front = newLayout('Front');
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  front.zones = [title];
  await putCards(user, {
    project: 'Game',
    component: 'Cards',
    columns: { name: ['Name', 'text'], kind: ['Kind', 'list'], rule: ['Rule', 'text'] },
    cards: Object.fromEntries(
      Array.from({ length: CARDS }, (_, order) => [`card${order}`, card(order, `Card ${order}`)]),
    ),
    layout: front,
  });
  await page.goto(`${server.origin}/flashcards/d/c`);
  await page.getByRole('img', { name: /^Card 1: Card 0, Kind: Wet, Cold, Rule: Rule 0\./ }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** A finger goes across something by so many pixels, starting so far beside its middle. */
async function swipe(target: Locator, dx: number, beside = 0): Promise<void> {
  const at = await target.boundingBox();
  if (!at) throw new Error('nothing to swipe');
  const box = { ...at, x: at.x + beside };
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await touch('touchStart', { x, y });
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', { x: x + part * dx, y });
  await touch('touchEnd');
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await session.detach();
}

async function middleOf(target: Locator): Promise<number | undefined> {
  const box = await target.boundingBox();
  return box ? box.x + box.width / 2 : undefined;
}

const turnTo = (name: string) => page.getByRole('tab', { name, exact: true }).click();
const question = () => page.getByRole('region', { name: 'Question' });
const pile = () => page.getByRole('region', { name: 'Flashcard', exact: true });
const proof = () => page.getByRole('region', { name: 'Proof' });

test('one column asks and another answers; what is known goes on a box, and stays there', async () => {
  await turnTo('Learn');
  await page.getByLabel('Answer', { exact: true }).selectOption({ label: 'Rule' });
  await question().getByText('20 left today').waitFor();
  await question().getByText('Card 0', { exact: true }).waitFor();
  expect(await question().getByText('Rule 0.').count()).toBe(0);
  expect(await faultsInBoth(page, 'a question')).toEqual([]);
  await question().getByRole('button', { name: 'Show the answer' }).click();
  await question().getByText('Rule 0.').waitFor();
  expect(await faultsInBoth(page, 'an answer')).toEqual([]);
  await question().getByRole('button', { name: 'Known' }).click();
  await question().getByText('19 left today').waitFor();
  // By keys: this one is not known, so that it is asked again today.
  await question().getByText('Card 1', { exact: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await question().getByText('19 left today').waitFor();
  await page.locator('body').press(' ');
  await question().getByText('Rule 1.').waitFor();
  await page.keyboard.press('ArrowLeft');
  await question().getByText('Card 2', { exact: true }).waitFor();
  await question().getByText('19 left today').waitFor();
  await page.reload();
  await turnTo('Learn');
  await question().getByText('19 left today').waitFor();
  const boxes = question().getByRole('list', { name: 'Boxes' }).getByRole('listitem');
  await expect
    .poll(() => boxes.allTextContents())
    .toEqual(['23 new', '1 in box 1', '1 in box 2', '0 in box 3', '0 in box 4', '0 in box 5, known well']);
});

test('a finger swipes what is known to the right and what is not to the left, and through the pile', async () => {
  await page.getByLabel('Answer', { exact: true }).selectOption({ label: 'Rule' });
  await question().getByText('Card 2', { exact: true }).waitFor();
  const asked = question().getByText('Rule 2.');
  // An answer that is not seen yet cannot be known.
  await swipe(question().getByText('?', { exact: true }), 200);
  await question().getByRole('button', { name: 'Show the answer' }).click();
  await swipe(asked, 30);
  await asked.waitFor();
  await question().getByText('19 left today').waitFor();
  await swipe(asked, 200);
  await question().getByText('18 left today').waitFor();
  await question().getByText('Card 3', { exact: true }).waitFor();
  await question().getByRole('button', { name: 'Show the answer' }).click();
  // The next card stands still at once, and a finger that starts beside it swipes it too.
  expect(await middleOf(question().getByText('Rule 3.'))).toBe(await middleOf(question()));
  await swipe(question().getByText('Rule 3.'), -200, 300);
  await question().getByText('Card 4', { exact: true }).waitFor();
  await question().getByText('18 left today').waitFor();
  await turnTo('Look through');
  await swipe(pile().getByRole('img'), -200);
  await pile().getByText('2 of 25').waitFor();
  await swipe(pile().getByRole('img'), 200);
  await pile().getByText('1 of 25').waitFor();
});

test('zones stay covered until the card is turned, for the eye and for screen readers', async () => {
  const open = pile().getByRole('img', { name: /^Card 1: Card 0, / });
  await open.waitFor();
  await pile().getByRole('button', { name: 'Hide zones' }).click();
  const window = page.getByRole('dialog', { name: 'Hide zones' });
  await window.getByLabel('Title').check();
  expect(await faultsInBoth(page, 'hidden zones')).toEqual([]);
  await window.getByRole('button', { name: 'Done' }).click();
  const shut = pile().getByRole('img', { name: /^Card 1: .*, 1 zone covered$/ });
  await shut.waitFor();
  expect(await shut.getAttribute('aria-label')).not.toContain('Card 0');
  expect(await faultsInBoth(page, 'a covered card')).toEqual([]);
  // The button that opened the window has the focus again.
  await page.locator('h1').click();
  await page.keyboard.press(' ');
  await open.waitFor();
  await page.keyboard.press('ArrowRight');
  await pile()
    .getByRole('img', { name: /^Card 2: .*, 1 zone covered$/ })
    .waitFor();
  // It is kept with the account.
  await page.reload();
  await shut.waitFor();
  await pile().getByRole('button', { name: 'Uncover' }).click();
  await open.waitFor();

  await turnTo('Learn');
  await page.getByLabel('Ask', { exact: true }).selectOption({ label: 'The covered card' });
  const asked = question().getByRole('img', { name: /^Question: .*, 1 zone covered$/ });
  await asked.waitFor();
  const left = await question()
    .getByText(/ left today$/)
    .textContent();
  expect(await faultsInBoth(page, 'a card as a question')).toEqual([]);
  await question().getByRole('button', { name: 'Show the answer' }).click();
  await question()
    .getByRole('img', { name: /^Answer: Card \d+, / })
    .waitFor();
  await page.keyboard.press('ArrowRight');
  await asked.waitFor();
  await expect
    .poll(() =>
      question()
        .getByText(/ left today$/)
        .textContent(),
    )
    .not.toBe(left);
  await question().getByRole('button', { name: 'Hide zones (1)' }).click();
  await window.getByRole('button', { name: 'Hide none' }).click();
  await window.getByRole('button', { name: 'Done' }).click();
  await question().getByText('Nothing is hidden yet').waitFor();
  await turnTo('Look through');
  await open.waitFor();
});

test('the same card is compared with a version of its layout', async () => {
  expect(await page.getByLabel('Compare with').count()).toBe(0);
  const before = newLayout('Front');
  before.zones = [newZone('shape', 'title', 'Band', { x: 5, y: 5, w: 50, h: 20 })];
  await user.put({ 'projects/d/layouts/front/versions/v1': { name: 'First', at: 1, scene: before } });
  const choice = page.getByLabel('Compare with');
  await choice.waitFor();
  const versions = await choice.getByRole('option').allTextContents();
  expect(versions).toHaveLength(2);
  await choice.selectOption({ index: 1 });
  const then = pile().getByRole('img', { name: /^As it was: Card 0, / });
  await then.waitFor();
  const now = pile().getByRole('img', { name: /^Card 1: Card 0, / });
  await now.waitFor();
  await expect.poll(async () => (await then.screenshot()).equals(await now.screenshot())).toBe(false);
  await pile()
    .getByRole('figure')
    .filter({ hasText: /^First, / })
    .waitFor();
  expect(await faultsInBoth(page, 'two versions')).toEqual([]);
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  await pile()
    .getByRole('img', { name: /^As it was: Card 1, / })
    .waitFor();
  await choice.selectOption({ index: 0 });
  await then.waitFor({ state: 'detached' });
});

test('cards are read one by one; a remark is a comment on the card, and a card that changes is to be read again', async () => {
  await turnTo('Proofread');
  await proof().getByText('0 of 25 read, 0 remarks').waitFor();
  await proof()
    .getByRole('img', { name: /^Card 1: / })
    .waitFor();
  await page.keyboard.press('o');
  await proof().getByText('1 of 25 read, 0 remarks').waitFor();
  await proof()
    .getByRole('img', { name: /^Card 2: / })
    .waitFor();
  await page.locator('body').press('r');
  await page.keyboard.type('Too long to read.');
  await proof().getByRole('button', { name: 'Comment' }).click();
  await proof().getByText('1 of 25 read, 1 remark').waitFor();
  await page.locator('h1').click();
  await page.keyboard.press('3');
  await expect.poll(() => proof().getByLabel('Status').inputValue()).toBe('review');
  expect(await faultsInBoth(page, 'proofreading')).toEqual([]);
  await user.put({ 'projects/d/components/c/cards/card0': card(0, 'Card nought') });
  await proof().getByText('0 of 25 read, 1 remark').waitFor();
  await page.goto(`${server.origin}/decks/d?component=c&card=card1`);
  await page.getByRole('tab', { name: 'Comments' }).click();
  await page.getByText('Too long to read.').waitFor();
});

test('cards are left out by status, by tag, and for looking as they did in a print', async () => {
  await page.goto(`${server.origin}/decks/print/d/c`);
  const print = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export PDF' }).click();
  await (await print).path();
  await page.locator('summary', { hasText: 'Cards' }).first().click();
  await page.getByLabel('Only what changed').waitFor();
  await user.put({ 'projects/d/components/c/cards/card7': card(7, 'Another name') });
  await page.goto(`${server.origin}/flashcards/d/c`);
  await pile().getByText('1 of 25').waitFor();
  const filters = page.getByRole('search', { name: 'Cards to show' });
  await filters.getByLabel('Status').selectOption('review');
  await pile().getByText('1 of 1').waitFor();
  await pile()
    .getByRole('img', { name: /Card 1, / })
    .waitFor();
  await filters.getByLabel('Status').selectOption('');
  await filters.getByLabel('Tag').selectOption({ label: 'Cold' });
  await pile().getByText('1 of 5').waitFor();
  await filters.getByLabel('Changed').selectOption('1');
  await page.getByRole('heading', { name: 'No card is like that' }).waitFor();
  expect(await faultsInBoth(page, 'no card')).toEqual([]);
  await filters.getByLabel('Tag').selectOption('');
  await pile().getByText('1 of 1').waitFor();
  await pile()
    .getByRole('img', { name: /Another name/ })
    .waitFor();
  await filters.getByLabel('Changed').selectOption('0');
  await pile().getByText('1 of 25').waitFor();
});

test('the odds of a hand count copies', async () => {
  await page.getByRole('search').getByLabel('Status').selectOption('');
  await turnTo('Odds');
  const odds = page.getByRole('region', { name: 'Odds' });
  await odds.getByLabel('By').selectOption({ label: 'Kind' });
  await odds.getByText('A hand of 5 from a deck of 27, copies counted, none put back.').waitFor();
  // Seven of 27 are cold: without any C(20, 5) of C(27, 5) hands.
  const cold = odds.getByRole('row', { name: /^Cold/ }).getByRole('cell');
  await expect.poll(async () => (await cold.allTextContents()).slice(0, 2)).toEqual(['7', '80.8%']);
  expect(await faultsInBoth(page, 'odds')).toEqual([]);
  await odds.getByLabel('Cards in hand').fill('28');
  await odds.getByText('The deck has 27 cards').waitFor();
  expect(besidesRetries(complaints)).toEqual([]);
});
