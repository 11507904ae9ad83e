/**
 * Versions of the game: frozen, compared with what came after, opened as they were, restored by card and cell, printed by
 * what changed, begun anew from, and deleted.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { plain, upload } from '../../pages/images-page.ts';
import { chooseMore } from '../../pages/project-page.ts';
import { saved, text } from '../../pages/rulebook-page.ts';
import { allSaved, cell, tableShown, typeOver } from '../../pages/table-page.ts';
import {
  changed,
  changes,
  freeze,
  shotOf,
  showChange,
  timeline,
  version,
} from '../../pages/versions-page.ts';
import { putCards } from '../../rest-cards.ts';
import { paragraph, putRulebook } from '../../rest-rulebook.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ada Blackjack', email: 'ada@example.com', password: 'a long enough one' };
const NAMES = ['Ash', 'Ebb', 'Flood', 'Gale', 'Pike', 'Reed'];

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;

const card = (order: number, name: string, cost: string, rule = `Draw ${order + 1} cards.`) => ({
  ...{ order, copies: 1, cells: { name, cost, rule } },
});

function front(place: { readonly x: number; readonly y: number }) {
  const layout = newLayout('Front');
  const title = newZone('text', 'title', 'Title', { ...place, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  const rule = newZone('text', 'rule', 'Rule', { x: 5, y: 40, w: 50, h: 30 });
  rule.bindings = { text: { mode: 'column', column: 'rule' } };
  layout.zones = [title, rule];
  return layout;
}

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Tides',
    component: 'Events',
    columns: { name: ['Name', 'text'], cost: ['Cost', 'number'], rule: ['Rule', 'text'] },
    cards: Object.fromEntries(NAMES.map((name, at) => [name.toLowerCase(), card(at, name, String(at))])),
    layout: front({ x: 5, y: 5 }),
  });
  await putRulebook(user, 'd', { id: 'r', title: 'Rules', blocks: [paragraph('a', 'Draw two cards.')] });
  await page.goto(`${server.origin}/decks/images/d`);
  await writeFile(join(server.dataDir, 'other.png'), plain([36, 180, 72]));
  await upload(page, server.dataDir, 'fox.png', [216, 36, 36]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const shot = (name: string) => shotOf(page, name);

const versions = () => page.goto(`${server.origin}/decks/d/versions`);
const compare = (name: string) =>
  version(page, name)
    .getByRole('link', { name: `Compare ${name} with now` })
    .click();

test('the first version is frozen under a suggested name', async () => {
  await page.goto(`${server.origin}/decks/d`);
  await chooseMore(page, 'Versions');
  await page.getByRole('heading', { name: 'Nothing is frozen yet' }).waitFor();
  expect(await faultsInBoth(page, 'no versions')).toEqual([]);
  await shot('versions-none');
  await page.getByRole('button', { name: 'Freeze version' }).click();
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  expect(await faultsInBoth(page, 'freezing')).toEqual([]);
  await shot('versions-freeze');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await freeze(page, undefined, 'As played at the spring fair.')).toBe('v0.1');
  await version(page, 'v0.1').getByText('1 component, 6 cards, 1 layout, 1 image, 1 rulebook').waitFor();
  await version(page, 'v0.1').getByText('As played at the spring fair.').waitFor();
  await compare('v0.1');
  await page.getByRole('heading', { name: 'Nothing differs' }).waitFor();
  expect(await faultsInBoth(page, 'nothing differs')).toEqual([]);
  await shot('versions-same');
});

test('cells, a layout, a picture and a rulebook change, and the comparison lists exactly these', async () => {
  await page.goto(`${server.origin}/decks/d`);
  await tableShown(page);
  await cell(page, 'Draw 1 cards.').click();
  await typeOver(page, 'Draw one card.');
  await allSaved(page);
  await user.put({
    'projects/d/components/c/cards/ebb': card(1, 'Ebb', '9'),
    'projects/d/components/c/cards/new': card(7, 'Zephyr', '4'),
    'projects/d/layouts/front': { name: 'Front', version: 1, updatedAt: 2, scene: front({ x: 8, y: 9 }) },
  });
  await page.goto(`${server.origin}/decks/images/d`);
  await page.getByRole('option', { name: 'fox.png', exact: true }).click();
  await page.getByLabel('Picture to put in its place').setInputFiles(join(server.dataDir, 'other.png'));
  await page.getByText('Replaced wherever it is used.').waitFor();
  await page.goto(`${server.origin}/rulebook-maker/d/r`);
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Then stop.');
  await saved(page);
  await versions();
  await compare('v0.1');
  expect(await changed(page)).toEqual([
    'Events 3',
    'Ash Changed',
    'Ebb Changed',
    'Zephyr New',
    'Front Changed',
    'Rules Changed',
    'fox.png Changed',
  ]);
  await page.getByRole('button', { name: 'Count the cards to reprint' }).click();
  await page.getByText('7 cards to reprint').waitFor();
  expect(await faultsInBoth(page, 'comparison')).toEqual([]);
  await shot('versions-component');
  const ash = await showChange(page, 'Ash');
  await expect.poll(() => ash.locator('ins').allInnerTexts()).toEqual(['one', 'card']);
  await shot('versions-card');
  const layout = await showChange(page, 'Front');
  await layout.getByRole('list', { name: 'Differences' }).getByText('Title').waitFor();
  expect(await layout.locator('figcaption').allInnerTexts()).toEqual(['v0.1', 'now']);
  expect(await faultsInBoth(page, 'layout')).toEqual([]);
  await shot('versions-layout');
  const rules = await showChange(page, 'Rules');
  await rules.locator('ins', { hasText: 'Then stop.' }).waitFor();
  await shot('versions-rulebook');
  const image = await showChange(page, 'fox.png');
  for (const label of ['v0.1', 'now'])
    await expect
      .poll(() =>
        image
          .getByRole('img', { name: `fox.png, ${label}` })
          .evaluate((one: HTMLImageElement) => one.naturalWidth),
      )
      .toBeGreaterThan(0);
  await shot('versions-image');
});

test('the change log is a text for players that is edited and copied', async () => {
  await page.getByRole('button', { name: 'Change log' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change log' });
  const field = dialog.getByLabel('For players');
  await field.waitFor();
  expect(await field.inputValue()).toBe(`Changes from v0.1 to now

Events
- Ash: Rule “Draw 1 cards.” → “Draw one card.”
- Ebb: Cost 1 → 9
- New: Zephyr

Rules
- “Draw two cards.” → “Draw two cards. Then stop.”

The look
- Front: Title
- New pictures: fox.png
`);
  expect(await faultsInBoth(page, 'change log')).toEqual([]);
  await shot('versions-log');
  await field.fill('Ash is shorter.');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Ash is shorter.');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a card is restored, and the comparison lists exactly the rest; undo takes it back', async () => {
  const ash = await showChange(page, 'Ash');
  await ash.getByRole('button', { name: 'Restore Ash', exact: true }).click();
  await expect
    .poll(() => changed(page))
    .toEqual(['Events 2', 'Ebb Changed', 'Zephyr New', 'Front Changed', 'Rules Changed', 'fox.png Changed']);
  const ebb = await showChange(page, 'Ebb');
  await ebb.getByRole('button', { name: 'Restore Cost of Ebb' }).click();
  await expect.poll(async () => (await changed(page)).slice(0, 2)).toEqual(['Events 1', 'Zephyr New']);
  const message = page.getByRole('status').filter({ hasText: 'Cost of Ebb is restored.' });
  await message.getByRole('button', { name: 'Undo restoration' }).click();
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Compare again' }).click();
      return (await changed(page)).slice(0, 2);
    })
    .toEqual(['Events 2', 'Ebb Changed']);
  const rules = await showChange(page, 'Rules');
  await rules.getByRole('button', { name: 'Restore Rules' }).click();
  await expect.poll(() => changed(page)).not.toContain('Rules Changed');
  const layout = await showChange(page, 'Front');
  await layout.getByRole('button', { name: 'Restore Front' }).click();
  await expect
    .poll(() => changed(page))
    .toEqual(['Events 2', 'Ebb Changed', 'Zephyr New', 'fox.png Changed']);
});

test('only the cards that look different are printed', async () => {
  // Asked once, they are counted again whenever the states are compared again.
  await page.getByText('1 card to reprint').waitFor();
  await page.getByRole('button', { name: 'Print it' }).click();
  await page.getByText('Only 1 card that changed since v0.1.').waitFor();
  await page.getByText(/^1 card on 1 sheet/).waitFor();
  expect(await faultsInBoth(page, 'printing what changed')).toEqual([]);
  await shot('versions-print');
  await page.getByRole('button', { name: 'Print all of them' }).click();
  await page.getByText(/^7 cards on/).waitFor();
});

test('an opened version shows the old words while the project moves on, and nothing can be changed', async () => {
  await versions();
  await page
    .getByRole('button', { name: /automatic version/ })
    .first()
    .click();
  await timeline(page)
    .getByRole('heading', { name: /Before a restoration/ })
    .first()
    .waitFor();
  expect(await faultsInBoth(page, 'timeline')).toEqual([]);
  await shot('versions-timeline');
  await version(page, 'v0.1').getByRole('link', { name: 'Open v0.1' }).click();
  const banner = page.getByRole('complementary', { name: 'Version' });
  await banner.getByText('v0.1 of Tides').waitFor();
  await tableShown(page);
  await cell(page, 'Draw 2 cards.').waitFor();
  expect(await page.getByText('Zephyr').count()).toBe(0);
  for (const name of ['Members', 'Versions'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
  expect(await faultsInBoth(page, 'opened version')).toEqual([]);
  await shot('versions-opened');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await banner.waitFor();
  await page.getByText(/^6 cards on/).waitFor();
  await banner.getByRole('link', { name: 'Back to the project' }).click();
  await tableShown(page);
  await cell(page, 'Zephyr').waitFor();
});

test('a project begins as a version, with what it had', async () => {
  await versions();
  await version(page, 'v0.1').getByRole('link', { name: 'Open v0.1' }).click();
  const banner = page.getByRole('complementary', { name: 'Version' });
  await banner.getByRole('button', { name: 'Duplicate as a new project' }).click();
  await page.getByRole('heading', { name: 'Tides copy', level: 1 }).waitFor();
  await tableShown(page);
  await cell(page, 'Ebb').waitFor();
  expect(await page.getByText('Zephyr').count()).toBe(0);
  await page.getByText('Begun as v0.1 of Tides').waitFor();
});

test('by keys alone a version is frozen, named otherwise, restored whole and deleted', async () => {
  await versions();
  const go = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
    const target = page.getByRole(role, { name }).first();
    await target.waitFor();
    for (let tabs = 0; tabs < 200; tabs++) {
      if (await target.evaluate((one) => one === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${name} is not reached by Tab`);
  };
  await go('Freeze version');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('v0.2');
  await page.keyboard.press('Enter');
  await version(page, 'v0.2').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go('More for v0.2');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Name and note' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Name and note' }).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Second playtest');
  await page.keyboard.press('Enter');
  await version(page, 'Second playtest').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await go('More for v0.1');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Restore everything?' });
  await question.waitFor();
  expect(await faultsInBoth(page, 'restoring everything')).toEqual([]);
  await go('Restore everything');
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await go('Compare v0.1 with now', 'link');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Nothing differs' }).waitFor();
  await versions();
  await go('More for Second playtest');
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const asked = page.getByRole('dialog', { name: 'Delete this version?' });
  await asked.waitFor();
  expect(await faultsInBoth(page, 'deleting')).toEqual([]);
  await shot('versions-delete');
  await go('Delete version');
  await page.keyboard.press('Enter');
  await version(page, 'Second playtest').waitFor({ state: 'detached' });
  expect(await changes(page).count()).toBe(0);
});

test('a version that is not there is said to be gone', async () => {
  await page.goto(`${server.origin}/decks/d/versions?from=none&to=now`);
  await page.getByText('One of these versions is no longer there.').waitFor();
  await page.goto(`${server.origin}/decks/d~none`);
  await page.getByRole('heading', { name: 'This version is not here' }).waitFor();
  expect(await faultsInBoth(page, 'no such version')).toEqual([]);
  // The server says that it has no such version, and the browser tells of that.
  expect(besidesRetries(complaints).filter((one) => !/compareVersions|openVersion/.test(one))).toEqual([]);
});
