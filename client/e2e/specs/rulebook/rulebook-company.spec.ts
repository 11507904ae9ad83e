/** Two people at one rulebook, one of whom may only comment: they see each other's cursors and comments. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { acceptInvitation, createProject, invite } from '../../pages/project-page.ts';
import { createRulebook, saved, text, wordsOf } from '../../pages/rulebook-page.ts';
import type { Server } from '../../server.ts';
import { signInBeside, startSignedIn } from '../../signed-in.ts';

const ANN = { name: 'Ann Ames', email: 'ann@example.com', password: 'a long enough one' };
const BEN = { name: 'Ben Bly', email: 'ben@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let ann: Page;
let ben: Page;
let complaints: Complaints;
let bens: Complaints;

beforeAll(async () => {
  ({ server, browser, page: ann, complaints } = await startSignedIn(ANN));
  ({ page: ben, complaints: bens } = await signInBeside(browser, server, BEN));
  await ann.goto(`${server.origin}/decks`);
  await createProject(ann, 'Driftglass');
  await invite(ann, BEN.email, 'commenter');
  await acceptInvitation(ben, server.origin);
  await ben.getByRole('heading', { name: 'Driftglass', level: 1 }).waitFor();
  await createRulebook(ann, 'Rules', 'Nothing');
  await text(ann).focus();
  await ann.keyboard.type('Draw two cards.');
  await ann.keyboard.press('Enter');
  await ann.keyboard.type('Then the tide comes.');
  await saved(ann);
  await ben.goto(ann.url());
  await text(ben).getByText('Draw two cards.').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const caret = (on: Page) => text(on).locator('span[aria-hidden="true"]');
/** The paragraphs without anybody's cursor. */
const lines = (on: Page): Promise<string[]> => wordsOf(text(on).locator('p'));
const comments = (on: Page) => on.getByRole('region', { name: 'Comments' });

test('they see who is there and where, and a cursor goes with the text', async () => {
  await ann.getByRole('img', { name: 'Also here: Ben Bly' }).waitFor();
  await ben.getByRole('img', { name: 'Also here: Ann Ames' }).waitFor();
  const theirs = caret(ben).filter({ hasText: 'Ann Ames' });
  await theirs.waitFor();
  await expect.poll(() => text(ben).locator('p').last().textContent()).toBe('Then the tide comes.Ann Ames');
  await ann.keyboard.press('Home');
  await expect.poll(() => text(ben).locator('p').last().textContent()).toBe('Ann AmesThen the tide comes.');
  await text(ben).getByText('Draw two cards.').click();
  await ben.keyboard.press('Home');
  await caret(ann).filter({ hasText: 'Ben Bly' }).waitFor();
  await ann.keyboard.type('Quick! ');
  await expect
    .poll(() => text(ben).locator('p').last().textContent())
    .toBe('Quick! Ann AmesThen the tide comes.');
  expect(await faultsInBoth(ann, 'company')).toEqual([]);
});

test('who may only comment says something about a block, which is marked; its author may see to it', async () => {
  await ben.getByRole('tab', { name: 'Comments' }).click();
  await comments(ben).getByText('Nobody has said anything').waitFor();
  await text(ben).getByText('Draw two cards.').click();
  await ben.getByLabel('Your comment on “Draw two cards.”').fill('Why not three?');
  await comments(ben).getByRole('button', { name: 'Comment', exact: true }).click();
  await ann.getByRole('tab', { name: 'Comments 1' }).click();
  await comments(ann).getByText('Why not three?').waitFor();
  expect(await faultsInBoth(ann, 'comments')).toEqual([]);
  const marked = () =>
    text(ann)
      .locator('p')
      .evaluateAll((all) => all.map(({ className }) => className !== ''));
  await expect.poll(marked).toEqual([true, false]);
  // To the block: Ann writes where it is.
  await comments(ann).getByRole('button', { name: 'Draw two cards.' }).click();
  await ann.keyboard.press('Home');
  await ann.keyboard.type('Now: ');
  await expect.poll(() => lines(ben)).toEqual(['Now: Draw two cards.', 'Quick! Then the tide comes.']);
  await comments(ben).getByRole('button', { name: 'Done' }).click();
  await ann.getByRole('tab', { name: 'Comments', exact: true }).waitFor();
  await expect.poll(marked).toEqual([false, false]);
  await comments(ann).getByRole('button', { name: 'Delete' }).click();
  await comments(ben).getByText('Nobody has said anything').waitFor();
});

test('a comment outlives the text it was on', async () => {
  await text(ann).locator('p').first().click();
  await ann.getByLabel('Your comment on “Now: Draw two cards.”').fill('Too much?');
  await comments(ann).getByRole('button', { name: 'Comment', exact: true }).click();
  await comments(ben).getByText('Too much?').waitFor();
  await text(ann).focus();
  await ann.keyboard.press('Control+a');
  await ann.keyboard.press('Delete');
  await saved(ann);
  await comments(ben).getByText('The text it was on is gone.').waitFor();
});

test('who leaves is seen no more', async () => {
  await ben.getByRole('link', { name: 'Back to the project' }).click();
  await ann.getByRole('img', { name: 'Also here: Ben Bly' }).waitFor({ state: 'detached' });
  await caret(ann).waitFor({ state: 'detached' });
  // A window that goes elsewhere says so, too, long before its silence would.
  await ben.goto(ann.url());
  await ann.getByRole('img', { name: 'Also here: Ben Bly' }).waitFor();
  await ben.goto('about:blank');
  await ann.getByRole('img', { name: 'Also here: Ben Bly' }).waitFor({ state: 'detached' });
  expect(besidesRetries(complaints)).toEqual([]);
  expect(besidesRetries(bens)).toEqual([]);
});
