/** A branch of a version: chosen changes of it come back into the project, conflicts with both sides. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { beginBranch, choices, freeze, shotOf, timeline } from '../../pages/versions-page.ts';
import { putCards } from '../../rest-cards.ts';
import { DOCUMENTS, RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ada Blackjack', email: 'ada@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;
/** Id of the branch. */
let branch: string;

const card = (order: number, name: string, rule: string) => ({ order, copies: 1, cells: { name, rule } });

function front(x: number) {
  const layout = newLayout('Front');
  const title = newZone('text', 'title', 'Title', { x, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  layout.zones = [title];
  return layout;
}

const cells = async (id: string) => (await user.read(`projects/d/components/c/cards/${id}`))?.['cells'];
const deleteCard = (project: string, id: string) =>
  user.post(`/v1/${DOCUMENTS}:commit`, {
    writes: [{ delete: `${DOCUMENTS}/projects/${project}/components/c/cards/${id}` }],
  });

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Tides',
    component: 'Events',
    columns: { name: ['Name', 'text'], rule: ['Rule', 'text'] },
    cards: {
      ash: card(3, 'Ash', 'Draw two cards.'),
      ebb: card(5, 'Ebb', 'Stop.'),
      elm: card(8, 'Elm', 'Wait.'),
    },
    layout: front(5),
  });
  await page.goto(`${server.origin}/decks/d/versions`);
  await freeze(page, 'v1');
  branch = await beginBranch(page, 'v1', 'Tides copy');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a branch without changes has nothing to bring back', async () => {
  await page.getByText('Begun as v1 of Tides').waitFor();
  await page.getByRole('link', { name: 'Bring changes back' }).click();
  await page.getByRole('heading', { name: 'Nothing to bring back' }).waitFor();
  expect(await faultsInBoth(page, 'nothing to bring back')).toEqual([]);
});

test('changes are listed by cell, and those that both have made with both sides', async () => {
  await user.put({
    [`projects/${branch}/components/c/cards/ash`]: card(0, 'Ash', 'Draw three cards.'),
    [`projects/${branch}/components/c/cards/ebb`]: card(1, 'Ebb tide', 'Stop and rest.'),
    [`projects/${branch}/components/c/cards/oak`]: card(3, 'Oak', 'Stand.'),
    [`projects/${branch}/layouts/front`]: { name: 'Front', version: 1, updatedAt: 2, scene: front(9) },
    'projects/d/components/c/cards/ebb': card(5, 'Ebb', 'Stop at once.'),
  });
  await deleteCard(branch, 'elm');
  await page.getByRole('button', { name: 'Compare again' }).click();
  const events = page.getByRole('region', { name: 'Events' });
  await events.getByRole('checkbox').first().waitFor();
  expect(await choices(page)).toEqual([
    ['Ash Rule', true],
    ['Ebb Name', true],
    ['Ebb Rule', false],
    ['Elm Deleted card', true],
    ['Oak New card', true],
    ['Front Layout', true],
  ]);
  const conflict = events.getByRole('listitem').filter({ hasText: 'In the project' });
  expect(await conflict.locator('dd').allInnerTexts()).toEqual([
    expect.stringContaining('at once'),
    expect.stringContaining('and rest'),
  ]);
  await page.getByText('5 changes of 6 chosen, 1 changed on both sides').waitFor();
  expect(await faultsInBoth(page, 'changes of a branch')).toEqual([]);
  await shotOf(page, 'versions-branch');
});

test('what somebody changed since it was shown keeps everything as it is', async () => {
  await user.put({ 'projects/d/components/c/cards/ash': card(3, 'Ash', 'Draw nothing.') });
  await page.getByRole('button', { name: 'Bring back 5 changes' }).click();
  await page.getByText('Nothing was brought back. Compare again.').waitFor();
  expect(await cells('elm')).toEqual({ name: 'Elm', rule: 'Wait.' });
  expect(await cells('oak')).toBeUndefined();
  await user.put({ 'projects/d/components/c/cards/ash': card(3, 'Ash', 'Draw two cards.') });
});

test('the chosen changes come back together, and undo takes them back', async () => {
  await page.getByRole('button', { name: 'Compare again' }).click();
  await page.getByText('Nothing was brought back. Compare again.').waitFor({ state: 'detached' });
  // Not this one; that of both sides as the branch has it. By keys.
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  await box('Front Layout').focus();
  await page.keyboard.press('Space');
  await box('Ebb Rule').focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Bring back 5 changes' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => cells('ash')).toEqual({ name: 'Ash', rule: 'Draw three cards.' });
  expect(await cells('ebb')).toEqual({ name: 'Ebb tide', rule: 'Stop and rest.' });
  expect(await cells('oak')).toEqual({ name: 'Oak', rule: 'Stand.' });
  expect(await cells('elm')).toBeUndefined();
  expect((await user.read('projects/d/components/c'))?.['cardCount']).toBe(3);
  expect(JSON.stringify(await user.read('projects/d/layouts/front'))).toContain('"x":5');
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(1);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => cells('elm')).toEqual({ name: 'Elm', rule: 'Wait.' });
  expect(await cells('ebb')).toEqual({ name: 'Ebb', rule: 'Stop at once.' });
  expect(await cells('oak')).toBeUndefined();
  await page.getByRole('link', { name: 'Versions' }).first().click();
  await timeline(page).waitFor();
  // The transaction that met another state is told of by the browser.
  expect(besidesRetries(complaints)).toEqual([]);
});
