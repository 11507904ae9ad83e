/** A game at a playtest table in two browsers: a table in one click, hands that stay secret, undo, reload, the end. */

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';

import {
  cardsInHand,
  hand,
  log,
  logged,
  noteFrames,
  painted,
  piece,
  pieces,
  press,
} from '../../pages/play-page.ts';
import { acceptInvitation, chooseMore, createDrawnProject, invite } from '../../pages/project-page.ts';
import { allSaved, cell, tableShown, typeOver } from '../../pages/table-page.ts';
import { paneOf, translate } from '../../pages/translation-page.ts';
import { shots } from '../../screenshots.ts';
import { Server } from '../../server.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const BEN = { name: 'Ben Bly', email: 'ben@example.com', password: 'a long enough one' };

/** Names of cards, each found nowhere else. */
const CARDS = Array.from({ length: 12 }, (_, at) => `Marker${String(at + 1).padStart(2, '0')}Face`);

let server: Server;
let browser: Browser;
let ann: Page;
let ben: Page;
let complaints: Complaints;
let projectUrl: string;
/** Name of a card that lies open on the table. */
let lying: string;
/** The number of the table's chance, as the table shows it. */
let chance: string;
let bensFrames: { text(): string };
let annsFrames: { text(): string };

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  const [one, other] = await Promise.all([openPage(browser), openPage(browser)]);
  [ann, ben, complaints] = [one.page, other.page, one.complaints];
  [annsFrames, bensFrames] = [noteFrames(ann), noteFrames(ben)];
  await Promise.all([
    signUp(ann, server.origin, ANN).then(() => verify(ann, server, ANN)),
    signUp(ben, server.origin, BEN).then(() => verify(ben, server, BEN)),
  ]);
  await createDrawnProject(ann, 'Salt Road', CARDS, server.dataDir);
  await invite(ann, BEN.email, 'playtester');
  await acceptInvitation(ben, server.origin);
  await ben.getByRole('heading', { name: 'You are a playtester' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Cells of a card table by what they show. */
const cells = (page: Page, text: RegExp) =>
  page.locator('.sheet .dsg-row:not(.dsg-row-header) .dsg-cell').filter({ hasText: text });

/** Names of the cards in somebody’s own hand. */
const held = async (page: Page): Promise<string[]> =>
  cardsInHand(page).evaluateAll((cards) =>
    cards.map((card) => (card.getAttribute('aria-label') ?? '').split(',')[0] ?? ''),
  );

test('an owner opens a table in one click, and a playtester sits down at it', async () => {
  projectUrl = ann.url();
  await ann.getByRole('button', { name: 'Playtest' }).click();
  await ann.getByRole('dialog', { name: 'Playtest' }).getByRole('button', { name: 'Open the table' }).click();
  await ann.getByRole('heading', { name: 'Salt Road', level: 1 }).waitFor();
  await piece(ann, /^List ?, ?12 pieces/).waitFor();
  await piece(ann, /^List discard ?, ?empty/).waitFor();
  await ben.getByRole('list', { name: 'Open tables' }).getByRole('link', { name: 'Join' }).click();
  await ben.getByRole('button', { name: 'Sit at Blue' }).click();
  await hand(ben).waitFor();
  await logged(ann, 'Ben Bly sits down');
});

test('hands are dealt and drawn, and what one holds is sent to nobody else', async () => {
  await press(ann, /^List ?, ?12 pieces/, 'Shift+D');
  const deal = ann.getByRole('dialog', { name: 'Deal to everybody' });
  await deal.getByLabel('Cards for each').fill('2');
  await deal.getByRole('button', { name: 'Deal' }).click();
  await expect.poll(() => held(ben)).toHaveLength(2);
  await press(ben, /^List ?, ?8 pieces/, 'D');
  await expect.poll(() => held(ben)).toHaveLength(3);
  await logged(ann, 'Ben Bly draws a piece from List');
  const [anns, bens] = [await held(ann), await held(ben)];
  expect(anns).toHaveLength(2);
  for (const name of [...anns, ...bens]) expect(CARDS).toContain(name);
  const sent = (frames: { text(): string }) => CARDS.filter((name) => frames.text().includes(name)).sort();
  expect(sent(annsFrames)).toEqual([...anns].sort());
  expect(sent(bensFrames)).toEqual([...bens].sort());
  expect(await faultsInBoth(ann)).toEqual([]);
  expect(await faultsInBoth(ben)).toEqual([]);
});

test('cards are played, turned over, shuffled and taken back, by keys and by the pointer', async () => {
  const [first = '', second = ''] = await held(ben);
  await cardsInHand(ben).first().click();
  await ben.keyboard.press('P');
  await logged(ann, `Ben Bly plays ${first} from their hand`);
  await piece(ann, first).waitFor();
  await press(ann, first, 'F');
  await logged(ben, /Ann Ames turns over/);
  await logged(ann, /You turn over/);
  await ann.keyboard.press('Control+Z');
  await logged(ann, /You take an act back/);
  await piece(ben, first).waitFor();
  // From the tray to the table by hand.
  const [card, table] = [
    await cardsInHand(ben).first().boundingBox(),
    await ben.getByRole('application', { name: 'Table' }).boundingBox(),
  ];
  if (!card || !table) throw new Error('nothing to drag');
  await ben.mouse.move(card.x + 30, card.y + 30);
  await ben.mouse.down();
  await ben.mouse.move(card.x + 40, card.y - 40, { steps: 3 });
  await ben.mouse.move(table.x + 120, table.y + 100, { steps: 5 });
  await ben.mouse.up();
  await piece(ann, second).waitFor();
  lying = second;
  await expect.poll(() => held(ben)).toHaveLength(1);
  await press(ann, /^List ?, ?7 pieces/, 'R');
  await logged(ben, 'Ann Ames shuffles List');
  // Forbidden acts are grey, with the reason.
  await piece(ben, first).click({ button: 'right' });
  const entry = ben.getByRole('menuitem', { name: /Put back into the box/ });
  await expect.poll(() => entry.getAttribute('aria-disabled')).toBe('true');
  await entry.getByText('Only hosts put pieces back into the box.').waitFor();
  await ben.getByRole('menuitem', { name: 'Put on List discard' }).click();
  await piece(ann, /^List discard ?, ?1 piece/).waitFor();
});

test('a host writes a button, and a player presses it', async () => {
  await ann.getByRole('button', { name: 'Add a button' }).click();
  const window = ann.getByRole('dialog', { name: 'Buttons' });
  await window.getByLabel('Name').fill('New round');
  await window.getByText('Add a step.').waitFor();
  await window.getByRole('button', { name: 'Add a step' }).click();
  await window.getByRole('button', { name: 'Add a step' }).click();
  const steps = window.getByRole('list', { name: 'Steps' }).getByRole('listitem');
  await steps.nth(1).getByLabel('What the step does').selectOption('say');
  await steps.nth(1).getByLabel('Line').fill('A new round begins');
  expect(await faultsInBoth(ann)).toEqual([]);
  await window.getByRole('button', { name: 'Add the button' }).click();
  await window.waitFor({ state: 'detached' });
  await ben.getByRole('region', { name: 'Buttons' }).getByRole('button', { name: 'New round' }).click();
  await logged(ann, 'Ben Bly says: A new round begins');
  await logged(ann, 'Ben Bly shuffles their hand');
});

test('a button takes pieces out of the box; taken back, they are gone again', async () => {
  await ann.getByRole('region', { name: 'Buttons' }).getByRole('button', { name: 'Buttons' }).click();
  const window = ann.getByRole('dialog', { name: 'Buttons' });
  await window.getByLabel('Button').selectOption({ label: 'A new button' });
  await window.getByLabel('Name').fill('Supply');
  await window.getByRole('button', { name: 'Add a step' }).click();
  const [step] = await window.getByRole('list', { name: 'Steps' }).getByRole('listitem').all();
  if (!step) throw new Error('no step');
  await step.getByLabel('What the step does').selectOption({ label: 'Take from the box' });
  await step.getByLabel('Piece', { exact: true }).selectOption({ label: lying });
  await step.getByLabel('Pieces', { exact: true }).fill('3');
  await step.getByLabel('To').selectOption({ label: 'to List discard' });
  await window.getByRole('button', { name: 'Add a step' }).click();
  const other = window.getByRole('list', { name: 'Steps' }).getByRole('listitem').nth(1);
  await other.getByLabel('What the step does').selectOption({ label: 'Take from the box' });
  await other.getByLabel('Piece', { exact: true }).selectOption({ label: lying });
  await other.getByLabel('Place', { exact: true }).selectOption({ label: 'on the table' });
  await other.getByLabel('Right of the middle').fill('150');
  await other.getByLabel('Face down').check();
  expect(await faultsInBoth(ann, 'a step that places')).toEqual([]);
  await window.getByRole('button', { name: 'Add the button' }).click();
  await window.waitFor({ state: 'detached' });
  await ben.getByRole('region', { name: 'Buttons' }).getByRole('button', { name: 'Supply' }).click();
  await piece(ann, /^List discard ?, ?4 pieces/).waitFor();
  // The top of the deck is called so as well, a level below.
  const onTable = pieces(ben).locator('[aria-level="2"]').filter({ hasText: 'List, face down' });
  await onTable.waitFor();
  await ben.keyboard.press('Control+Z');
  await onTable.waitFor({ state: 'detached' });
  await piece(ann, /^List discard ?, ?1 piece/).waitFor();
});

test('a player reads the number of the table’s chance below the log', async () => {
  await ben.getByRole('button', { name: 'Chance of this table' }).click();
  const window = ben.getByRole('dialog', { name: 'Chance of this table' });
  chance = (await window.locator('code').textContent()) ?? '';
  expect(chance).toMatch(/^[0-9a-f]{64}$/);
  expect(await faultsInBoth(ben)).toEqual([]);
  await ben.keyboard.press('Escape');
  await window.waitFor({ state: 'detached' });
});

test('a place is measured and shown to everybody', async () => {
  await press(ann, /^List discard/, 'Shift+M');
  await ben.getByText('Ann Ames shows List discard').waitFor({ state: 'attached' });
  const table = await ben.getByRole('application', { name: 'Table' }).boundingBox();
  if (!table) throw new Error('no table');
  await ben.mouse.move(table.x + 40, table.y + 40);
  await ben.keyboard.down('m');
  await ben.mouse.move(table.x + 90, table.y + 60);
  await ben.keyboard.up('m');
  await ann.getByText(/^Ben Bly shows /).waitFor({ state: 'attached' });
});

test('a card that is edited meanwhile changes on the table, for those who see it', async () => {
  const tab = await ann.context().newPage();
  tab.on('pageerror', (error) => complaints.push(String(error)));
  await tab.goto(projectUrl);
  await tableShown(tab);
  const rename = async (before: string, after: string) => {
    await cell(tab, before).click();
    await typeOver(tab, after);
    // A click on the cell that the cursor is in would begin to edit it.
    await tab.keyboard.press('ArrowRight');
    await allSaved(tab);
  };
  const looks = await Promise.all([painted(ann), painted(ben)]);
  await rename(lying, 'RenamedOpenFace');
  await Promise.all([ann, ben].map((page) => piece(page, 'RenamedOpenFace').first().waitFor()));
  await expect.poll(() => painted(ann)).not.toBe(looks[0]);
  await expect.poll(() => painted(ben)).not.toBe(looks[1]);
  await logged(ben, 'The project changed: RenamedOpenFace');
  // A card in the hand of Ann is sent to her alone.
  const [mine = ''] = await held(ann);
  await rename(mine, 'RenamedHeldFace');
  await expect.poll(() => held(ann)).toContain('RenamedHeldFace');
  await expect
    .poll(() =>
      log(ben)
        .getByText(/^The project changed$/)
        .count(),
    )
    .toBe(1);
  expect(bensFrames.text()).not.toContain('RenamedHeldFace');
  // The host is asked, and reads what changed.
  await ann.getByRole('button', { name: 'Changes of the project' }).click();
  const changes = ann.getByRole('dialog', { name: 'Changes of the project' });
  await changes.getByText('When I say so').click();
  await changes.getByText('The table has the cards as the project has them now.').waitFor();
  expect(await faultsInBoth(ann)).toEqual([]);
  await ann.keyboard.press('Escape');
  await rename('RenamedOpenFace', 'AskedOpenFace');
  await ann.getByText('The project has changed: 1 card of List').waitFor();
  await ann.getByRole('button', { name: 'Look at the changes' }).click();
  await changes.getByText('AskedOpenFace').waitFor();
  expect(await faultsInBoth(ann)).toEqual([]);
  expect(annsFrames.text()).not.toContain('AskedOpenFace');
  await changes.getByRole('button', { name: 'Take the changes' }).click();
  await logged(ben, 'Ann Ames takes the changes of the project: AskedOpenFace');
  await piece(ben, 'AskedOpenFace').first().waitFor();
  await ann.keyboard.press('Escape');
  await tab.close();
});

test('whoever reloads goes on, and the host ends the game', async () => {
  const before = await held(ben);
  await ben.reload();
  await expect.poll(() => held(ben)).toEqual(before);
  await piece(ben, /^List discard ?, ?1 piece/).waitFor();
  await ann.getByRole('button', { name: 'End the game' }).click();
  const end = ann.getByRole('dialog', { name: 'End the game?' });
  await end.getByLabel('Ben Bly', { exact: true }).check();
  await end.getByLabel('Points of Ben Bly').fill('12');
  await end.getByLabel(/Result/).fill('Ben wins');
  expect(await faultsInBoth(ann)).toEqual([]);
  await end.getByRole('button', { name: 'End the game' }).click();
  await ben.getByText('The game has ended').waitFor();
  await log(ben).getByText('Ann Ames says the result: Ben wins').waitFor();
  await log(ben).getByText('Ann Ames says who won: Ben Bly; points: Ben Bly 12').waitFor();
});

test('everybody is asked how it was, and the maker of the game reads it', async () => {
  await ben.getByRole('button', { name: 'Leave feedback' }).click();
  const window = ben.getByRole('dialog', { name: 'Feedback' });
  await window.getByRole('radiogroup', { name: 'How much did you enjoy the game?' }).getByLabel('5').check();
  await window.getByLabel('What would you change first?').fill('Shorter rounds');
  expect(await faultsInBoth(ben)).toEqual([]);
  await window.getByRole('button', { name: 'Send' }).click();
  await ben.getByText('Thank you. Your feedback was sent.').waitFor();
  await ann.goto(`${server.origin}/playtesting`);
  const feedback = ann.getByRole('region', { name: 'Feedback' });
  await feedback.getByText('1 person has answered.').waitFor();
  await feedback.getByText('Shorter rounds').waitFor();
  await feedback.getByText('5.0 of 5, n = 1').waitFor();
  await feedback.getByRole('button', { name: 'Questions' }).click();
  const questions = ann.getByRole('dialog', { name: 'Questions to players' });
  await questions.getByRole('button', { name: 'Remove question 2' }).click();
  await questions
    .getByRole('group', { name: 'Question 1' })
    .getByRole('textbox', { name: /^Question/ })
    .fill('Fun?');
  expect(await faultsInBoth(ann)).toEqual([]);
  await questions.getByRole('button', { name: 'Save' }).click();
  await questions.waitFor({ state: 'detached' });
  await ben.getByRole('button', { name: 'Leave feedback' }).click();
  await window.getByRole('radiogroup', { name: 'Fun?' }).waitFor();
  await ben.keyboard.press('Escape');
});

test('what came of the game is counted, by seat and by card, on its own page and in the card table', async () => {
  await ann.goto(projectUrl);
  await tableShown(ann);
  await ann.getByRole('toolbar', { name: 'Table' }).getByRole('button', { name: 'Columns' }).click();
  await ann.getByRole('menuitem', { name: 'Show results of playtests' }).click();
  // Both cards that Ben played were played in the winner's play; the one that he still holds was not.
  await expect.poll(() => cells(ann, /^100 % of 1$/).count()).toBeGreaterThan(4);
  expect(await cells(ann, /^0 % of 1$/).count()).toBeGreaterThan(4);
  await ben.goto(`${server.origin}/playtesting`);
  await ben.getByRole('list', { name: 'Ended tables' }).getByText('Salt Road').first().waitFor();
  expect(await ben.getByRole('heading', { name: 'Results' }).count()).toBe(0);
  await ann.goto(`${server.origin}/playtesting`);
  const results = ann.getByRole('region', { name: 'Results' });
  await results.getByText('First player wins').waitFor();
  const seats = results.getByRole('table', { name: 'By seat' });
  const blue = seats.getByRole('row', { name: /^B 1 100 % \(21–100 %, n = 1\)/ });
  await blue.getByText('12.0 (n = 1)').waitFor();
  const cards = results.getByRole('table', { name: 'Cards of all games' });
  await cards
    .getByRole('row', { name: /^AskedOpenFace/ })
    .getByText('100 %')
    .first()
    .waitFor();
  await cards.getByRole('button', { name: 'Played', exact: true }).click();
  await expect
    .poll(() => cards.getByRole('columnheader', { name: 'Played', exact: true }).getAttribute('aria-sort'))
    .toBe('descending');
  const download = ann.waitForEvent('download');
  await results.getByRole('button', { name: 'Download CSV' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.split('\n')).toHaveLength(CARDS.length + 1);
  expect(file).toContain('AskedOpenFace,List,1,1,1,1,1,1.000');
  expect(await faultsInBoth(ann)).toEqual([]);
});

test('the game is replayed by a link, as observers saw it or with all hands, and chance is checked', async () => {
  const ended = ann.getByRole('list', { name: 'Ended tables' });
  await ended.getByRole('button', { name: 'More for Salt Road' }).click();
  await ann.getByRole('menuitem', { name: 'Replay by link…' }).click();
  const window = ann.getByRole('dialog', { name: 'Replay by link' });
  await window.getByRole('button', { name: 'Publish', exact: true }).click();
  const address = (await window.locator('code').textContent()) ?? '';
  expect(await faultsInBoth(ann)).toEqual([]);
  const { page: visitor, complaints: said } = await openPage(browser);
  await visitor.goto(address);
  await visitor.getByRole('heading', { name: 'Salt Road', level: 1 }).waitFor();
  const act = visitor.getByRole('slider', { name: 'Act' });
  expect(await act.inputValue()).toBe('0');
  await visitor.keyboard.press('End');
  await logged(visitor, 'Player A says the result: Ben wins');
  expect(await log(visitor).textContent()).not.toContain('Ben Bly');
  // A card that was never seen by all is in no byte of it.
  expect(await visitor.getByRole('combobox', { name: 'See as' }).count()).toBe(0);
  await visitor.getByRole('button', { name: 'Was it fair?' }).click();
  await visitor.getByText('This replay keeps hands and decks closed').waitFor();
  await visitor.getByRole('dialog', { name: 'Was it fair?' }).getByText(chance).waitFor();
  await visitor.keyboard.press('Escape');
  const last = Number(await act.inputValue());
  await visitor.getByRole('button', { name: 'Act before' }).click();
  expect(Number(await act.inputValue())).toBe(last - 1);
  await visitor.keyboard.press('Home');
  await visitor.getByText('Nothing has happened yet.').waitFor();
  await visitor.getByRole('combobox', { name: 'Speed' }).selectOption('16');
  await visitor.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => act.inputValue()).toBe(String(last));
  await visitor.getByRole('button', { name: 'Play' }).waitFor();
  expect(await faultsInBoth(visitor)).toEqual([]);
  await window.getByText('What each seat saw').click();
  await window.getByRole('button', { name: 'Publish again' }).click();
  await expect.poll(() => window.getByRole('button', { name: 'Publish again' }).isDisabled()).toBe(true);
  await visitor.reload();
  await visitor.getByRole('combobox', { name: 'See as' }).selectOption({ label: 'As Player B saw it' });
  await visitor.keyboard.press('End');
  await visitor
    .getByRole('region', { name: 'Hand of Player B' })
    .getByText('1 card', { exact: true })
    .waitFor();
  await visitor.getByRole('button', { name: 'Was it fair?' }).click();
  const fair = visitor.getByRole('dialog', { name: 'Was it fair?' });
  await fair.getByText('Yes: all chance is as it was promised.').waitFor();
  await fair.getByText(chance).waitFor();
  await fair.getByRole('row', { name: /the order of List \(7 pieces\) As drawn/ }).waitFor();
  expect(await faultsInBoth(visitor)).toEqual([]);
  await visitor.keyboard.press('Escape');
  await window.getByRole('button', { name: 'Stop publishing' }).click();
  await window.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  await visitor.reload();
  await visitor.getByText('Nothing is published here').waitFor();
  await ann.keyboard.press('Escape');
  expect(said).toEqual([]);
  await visitor.context().close();
});

test('an ended table is deleted with its results', async () => {
  const ended = ann.getByRole('list', { name: 'Ended tables' });
  await ended.getByText('Salt Road').first().waitFor();
  expect(await faultsInBoth(ann)).toEqual([]);
  await ended.getByRole('button', { name: 'More for Salt Road' }).click();
  await ann.getByRole('menuitem', { name: 'Delete' }).click();
  await ann.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await ann.getByText('No table yet').waitFor();
  await ben.reload();
  await ben.getByText('No table yet').waitFor();
  expect(complaints).toEqual([]);
});

/** Translates the names of all cards into German: `Marker01Face` becomes `Marker01Wort`. */
async function translateNames(): Promise<void> {
  await ann.goto(projectUrl);
  await chooseMore(ann, 'Languages');
  await ann.getByRole('button', { name: 'Add a language' }).click();
  const dialog = ann.getByRole('dialog', { name: 'Add a language' });
  await dialog.getByLabel('Language').fill('German');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const pane = paneOf(ann, 'German');
  const offered = ann.waitForEvent('download');
  await pane.getByRole('button', { name: 'XLIFF' }).click();
  const file = await readFile(await (await offered).path(), 'utf8');
  const translated = file
    .replaceAll('state="initial"', 'state="translated"')
    .replace(/<source>(\w+)Face<\/source>/g, '$&<target>$1Wort</target>');
  await pane.getByRole('button', { name: 'Import', exact: true }).click();
  const window = ann.getByRole('dialog', { name: 'Import German' });
  await window
    .getByLabel('XLIFF, Excel or CSV file')
    .setInputFiles({ name: 'de.xlf', mimeType: 'application/xml', buffer: Buffer.from(translated) });
  await window.getByRole('button', { name: /^Import \d+ texts$/ }).click();
  await window.waitFor({ state: 'detached' });
}

test('everybody reads cards and log in a language of their own, and what is hidden is so in all of them', async () => {
  await translateNames();
  await ann.goto(projectUrl);
  await ann.getByRole('button', { name: 'Playtest' }).click();
  await ann.getByRole('dialog', { name: 'Playtest' }).getByRole('button', { name: 'Open the table' }).click();
  const deck = /^List ?, ?\d+ pieces/;
  await piece(ann, deck).waitFor();
  await ben.goto(`${server.origin}/playtesting`);
  await ben.getByRole('list', { name: 'Open tables' }).getByRole('link', { name: 'Join' }).click();
  await ben.getByRole('button', { name: 'Sit at Blue' }).click();
  await hand(ben).waitFor();
  await press(ann, deck, 'Shift+D');
  const deal = ann.getByRole('dialog', { name: 'Deal to everybody' });
  await deal.getByLabel('Cards for each').fill('2');
  await deal.getByRole('button', { name: 'Deal' }).click();
  await expect.poll(() => held(ben)).toHaveLength(2);
  const before = await held(ben);
  await ben.getByRole('button', { name: 'Your language of the cards: English' }).click();
  await ben.getByRole('menuitem', { name: 'German' }).click();
  const inGerman = (names: readonly string[]) => names.map((name) => name.replace(/Face$/, 'Wort'));
  await expect.poll(() => held(ben)).toEqual(inGerman(before));
  expect(inGerman(before)).not.toEqual(before);
  // Whoever sees a card is sent its words in all languages, and nobody else is sent any.
  const words = (frames: { text(): string }) => [...new Set(frames.text().match(/\w+Wort/g))].sort();
  expect(words(annsFrames)).toEqual(inGerman(await held(ann)).sort());
  expect(words(bensFrames)).toEqual(inGerman(before).sort());
  const [played = ''] = before;
  await cardsInHand(ben).first().click();
  await ben.keyboard.press('P');
  await logged(ann, `Ben Bly plays ${played} from their hand`);
  await logged(ben, `You play ${inGerman([played])[0]} from your hand`);
  await piece(ann, played).waitFor();
  await piece(ben, inGerman([played])[0] ?? '').waitFor();
  await shots(ben, 'play-language', { ready: () => ben.waitForTimeout(600) });
  expect(await faultsInBoth(ben)).toEqual([]);
  // The table follows translations as it follows cards.
  await ann.goto(`${new URL(projectUrl).origin}${new URL(projectUrl).pathname}/languages?language=de`);
  await translate(paneOf(ann, 'German'), played, 'Otherwort');
  await piece(ben, 'Otherwort').waitFor();
  // The browser remembers the choice, and an address that names another language comes first.
  await ben.reload();
  await piece(ben, 'Otherwort').waitFor();
  await ben.goto(`${ben.url()}?lang=en`);
  await piece(ben, played).waitFor();
  await ben.getByRole('button', { name: 'Your language of the cards: English' }).waitFor();
});
