/** A table that its host changes: buttons with formulas, the steps of its set-up, and who sees its places. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { cardsInHand, log, logged, noteFrames, openTable, piece, press } from '../../pages/play-page.ts';
import { Server } from '../../server.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const CARDS = Array.from({ length: 12 }, (_, at) => `Marker${String(at + 1).padStart(2, '0')}Face`);

let server: Server;
let browser: Browser;
let ann: Page;
let gus: Page;
let annsComplaints: Complaints;
let gusComplaints: Complaints;
let frames: ReturnType<typeof noteFrames>;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const [one, other] = await Promise.all([openPage(browser), openPage(browser)]);
  [ann, gus, annsComplaints, gusComplaints] = [one.page, other.page, one.complaints, other.complaints];
  frames = noteFrames(gus);
  await openTable(ann, server, ANN, CARDS);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const buttons = (page: Page) => page.getByRole('region', { name: 'Buttons' });
const setUp = () => ann.getByRole('dialog', { name: 'Set-up of this table' });
const steps = () => setUp().getByRole('list', { name: 'Steps' }).getByRole('listitem');
const words = () => steps().allTextContents();
const places = (page: Page) => page.getByRole('dialog', { name: 'Who sees what' });
const place = (page: Page, name: string) =>
  places(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

test('a number of a button may be a formula, and what is wrong with one is said', async () => {
  await buttons(ann).getByRole('button', { name: 'Add a button' }).click();
  const window = ann.getByRole('dialog', { name: 'Buttons' });
  await window.getByLabel('Name').fill('Deal');
  await window.getByRole('button', { name: 'Add a step' }).click();
  const step = window.getByRole('list', { name: 'Steps' }).getByRole('listitem').first();
  await step.getByLabel('What the step does').selectOption('deal');
  await step.getByLabel('From').selectOption({ label: 'from List' });
  const number = step.getByLabel('Pieces', { exact: true });
  await number.fill('count(Bank) + 1');
  await step.getByText('Nothing at the table is called “Bank”.').waitFor();
  expect(await faultsInBoth(ann, 'a formula with a fault')).toEqual([]);
  // A formula that is none is not kept.
  await window.getByRole('button', { name: 'Add the button' }).click();
  expect(await window.isVisible()).toBe(true);
  await number.fill('min(players + 1, count(List) / 2)');
  await step.getByText('Nothing at the table').waitFor({ state: 'detached' });
  await window.getByText('Numbers by formula').click();
  await window.getByText('A division rounds down').waitFor();
  expect(await faultsInBoth(ann)).toEqual([]);
  await window.getByRole('button', { name: 'Add the button' }).click();
  await window.waitFor({ state: 'detached' });
  await buttons(ann).getByRole('button', { name: 'Deal' }).click();
  await expect.poll(() => cardsInHand(ann).count()).toBe(2);
  await ann.keyboard.press('Control+Z');
  await expect.poll(() => cardsInHand(ann).count()).toBe(0);
  // As it was written, it stands there again.
  await buttons(ann).getByRole('button', { name: 'Buttons' }).click();
  await expect
    .poll(() => window.getByLabel('Pieces', { exact: true }).inputValue())
    .toBe('min(players + 1, count(List) ÷ 2)');
  await ann.keyboard.press('Escape');
  await window.waitFor({ state: 'detached' });
});

test('a host reads the set-up in words, changes it by keys alone, and it is done as one act', async () => {
  await ann.getByRole('application', { name: 'Table' }).focus();
  await ann.keyboard.press('Shift+S');
  await setUp().waitFor();
  await expect
    .poll(words)
    .toEqual([
      'Make the hand “Hand” for each seat',
      expect.stringContaining('Make the pile “List”'),
      'Put all of List into List, face down',
      'Shuffle List',
      expect.stringContaining('Make the pile “List discard”'),
    ]);
  expect(await faultsInBoth(ann, 'the set-up')).toEqual([]);
  await setUp().getByRole('button', { name: 'Add a step' }).focus();
  await ann.keyboard.press('Enter');
  const added = steps().last();
  await added.getByLabel('What the step does').selectOption('deal');
  await added.getByLabel('From').selectOption({ label: 'from List' });
  await added.getByLabel('Pieces', { exact: true }).fill('players + 2');
  await added.getByRole('button', { name: 'Finish step 6' }).focus();
  await ann.keyboard.press('Enter');
  await expect.poll(words).toContain('Deal players + 2 from List to each player');
  await setUp().getByRole('button', { name: 'Step 6 earlier' }).focus();
  await ann.keyboard.press('Enter');
  await expect.poll(async () => (await words())[4]).toBe('Deal players + 2 from List to each player');
  expect(await faultsInBoth(ann)).toEqual([]);
  await setUp().getByRole('button', { name: 'Keep and set up anew' }).focus();
  await ann.keyboard.press('Enter');
  await setUp().waitFor({ state: 'detached' });
  await logged(ann, 'You set the table up anew');
  await expect.poll(() => cardsInHand(ann).count()).toBe(3);
  await piece(ann, /^List ?, ?9 pieces/).waitFor();
  await ann.keyboard.press('Control+Z');
  await expect.poll(() => cardsInHand(ann).count()).toBe(0);
  await piece(ann, /^List ?, ?12 pieces/).waitFor();
});

test('what lies here now becomes the set-up, and names no card that is hidden', async () => {
  await press(ann, /^List ?, ?12 pieces/, 'D');
  await press(ann, /^List ?, ?11 pieces/, 'D');
  await expect.poll(() => cardsInHand(ann).count()).toBe(2);
  const [mine = '', played = ''] = await cardsInHand(ann).evaluateAll((cards) =>
    cards.map((card) => (card.getAttribute('aria-label') ?? '').split(',')[0] ?? ''),
  );
  await cardsInHand(ann).nth(1).click();
  await ann.keyboard.press('P');
  await piece(ann, played).first().waitFor();
  await buttons(ann).getByRole('button', { name: 'Set-up' }).click();
  await setUp().getByRole('button', { name: 'Use what lies here now' }).click();
  await expect
    .poll(async () => (await words()).some((one) => one.startsWith(`Put 1 × ${played} on the table`)))
    .toBe(true);
  expect(await setUp().getByText('They leave out:').count()).toBe(0);
  const said = await words();
  // As many go from the pile to the hand as lie there, whichever they are.
  expect(said.slice(-2)).toEqual([
    'Shuffle List',
    'Move 1 from List to Hand of the player, face down, for seat A',
  ]);
  expect(said.join()).not.toContain(mine);
  expect(await faultsInBoth(ann, 'what lies here')).toEqual([]);
  await setUp().getByRole('button', { name: 'Keep', exact: true }).click();
  await setUp().waitFor({ state: 'detached' });
  const setUps = () => log(ann).getByText('You set the table up anew').count();
  const before = await setUps();
  await ann.getByRole('button', { name: 'Set up anew' }).click();
  await ann
    .getByRole('dialog', { name: 'Set the table up anew?' })
    .getByRole('button', { name: 'Set up anew' })
    .click();
  await expect.poll(setUps).toBe(before + 1);
  await piece(ann, /^List ?, ?10 pieces/).waitFor();
  await piece(ann, played).first().waitFor();
  await expect.poll(() => cardsInHand(ann).count()).toBe(1);
  await ann.keyboard.press('Control+Z');
  await expect.poll(() => cardsInHand(ann).count()).toBe(1);
});

test('the wheel zooms the table', async () => {
  const felt = ann.getByRole('application', { name: 'Table' });
  const pixels = () => felt.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  await felt.hover();
  const before = await pixels();
  await ann.mouse.wheel(0, -400);
  await expect.poll(pixels).not.toBe(before);
  await felt.press('0');
});

test('for each place it is said who sees, moves and looks through it, and the host changes that', async () => {
  await ann.getByRole('button', { name: /^People/ }).click();
  const code = await ann.getByRole('dialog', { name: 'People' }).locator('strong').first().textContent();
  await ann.keyboard.press('Escape');
  await gus.goto(`${server.origin}/join/${code}`);
  await gus.getByLabel('Your name').fill('Gus');
  await gus.getByRole('button', { name: 'Join the table' }).click();
  await gus.getByRole('button', { name: 'Sit at Blue' }).click();
  await logged(ann, 'Gus sits down');
  await ann.getByRole('button', { name: 'Who sees what' }).click();
  await place(ann, 'List').getByText('Everybody sees its top piece as it lies').waitFor();
  await place(ann, 'Hand of Gus').getByText('Only Gus sees the faces').waitFor();
  await place(ann, 'Hand of Gus').getByText('Nobody looks into it, not even hosts.').waitFor();
  // Not even a host changes who sees somebody's hand.
  expect(await place(ann, 'Hand of Gus').getByRole('combobox').count()).toBe(0);
  expect(await faultsInBoth(ann, 'who sees what')).toEqual([]);
  await place(ann, 'List discard').getByLabel('Who sees List discard').selectOption('count');
  await place(ann, 'List discard').getByText('Everybody sees how many pieces it has.').waitFor();
  await places(ann).getByLabel('Players move everything that lies on the table').click();
  await place(ann, 'On the table').getByText('Only hosts move what lies here.').waitFor();
  await ann.keyboard.press('Escape');
  await logged(ann, 'You change List discard');
  await gus.getByRole('application', { name: 'Table' }).focus();
  await gus.keyboard.press('w');
  await place(gus, 'List discard').getByText('Everybody sees how many pieces it has.').waitFor();
  await place(gus, 'On the table').getByText('Only hosts move what lies here.').waitFor();
  expect(await place(gus, 'List discard').getByRole('combobox').count()).toBe(0);
  await place(gus, 'Hand of Gus').getByLabel('Who sees Hand of Gus').selectOption('own-backs');
  await place(gus, 'Hand of Gus').getByText('all others see the backs').waitFor();
  expect(await faultsInBoth(gus, 'who sees what, as a player')).toEqual([]);
  await gus.keyboard.press('Escape');
  await logged(ann, 'Gus changes their hand');
});

test('players are told that there is a set-up, and not its steps', async () => {
  expect(frames.text()).toContain('"has_setup":true');
  expect(frames.text()).not.toContain('"setup":');
  expect(await buttons(gus).getByRole('button', { name: 'Set-up' }).count()).toBe(0);
  expect(annsComplaints).toEqual([]);
  expect(gusComplaints).toEqual([]);
});
