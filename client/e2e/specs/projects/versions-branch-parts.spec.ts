/** Parts of all kinds of a branch come back into the project, and what somebody changed meanwhile stays. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { encodeFields } from '../../../src/core/testing/wire-value.ts';
import { cellId } from '../../../src/core/translation/cards/unit-ids.ts';
import { partOf } from '../../../src/data/translations/translation-parts.ts';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { plain, upload } from '../../pages/images-page.ts';
import { saved, text } from '../../pages/rulebook-page.ts';
import { beginBranch, choices, freeze, shotOf } from '../../pages/versions-page.ts';
import { putCards } from '../../rest-cards.ts';
import { paragraph, putRulebook } from '../../rest-rulebook.ts';
import { DOCUMENTS, RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ada Blackjack', email: 'ada@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let user: RestUser;
let branch: string;

const card = (order: number, name: string, more = {}) => ({
  ...{ order, copies: 1, cells: { name }, ...more },
});
const layout = (name: string) => ({ name, version: 1, updatedAt: 2, scene: newLayout(name) });

const columns = (...of: [key: string, name: string][]) =>
  of.map(([key, name]) => ({ key, name, type: 'text' }));
const component = (name: string, of: object[], cardCount: number) => ({
  ...{ name, kind: 'cards', layoutId: null, order: 1, cardCount, columns: of },
});

const compareBranch = async () => {
  await page.goto(`${server.origin}/decks/${branch}`);
  await page.getByRole('link', { name: 'Bring changes back' }).click();
  await page.getByRole('heading', { name: 'Bring changes back', level: 1 }).waitFor();
  await page.getByRole('checkbox').first().waitFor();
};

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Tides',
    component: 'Events',
    columns: { name: ['Name', 'text'] },
    cards: { ash: card(1, 'Ash'), elm: card(2, 'Elm') },
    layout: newLayout('Front'),
  });
  const blocks = [paragraph('a', 'Draw two cards.'), paragraph('b', 'Pass to the left.')];
  await putRulebook(user, 'd', { id: 'r', title: 'Rules', blocks });
  await putRulebook(user, 'd', { id: 'solo', title: 'Solo', blocks });
  await user.put({ 'projects/d/layouts/spare': layout('Spare') });
  await writeFile(join(server.dataDir, 'other.png'), plain([36, 180, 72]));
  await page.goto(`${server.origin}/decks/images/d`);
  await upload(page, server.dataDir, 'fox.png', [216, 36, 36]);
  await page.goto(`${server.origin}/decks/d/versions`);
  await freeze(page, 'v1');
  branch = await beginBranch(page, 'v1', 'Tides copy');
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a branch has the pictures and rulebooks of its version, and nothing of them to bring back', async () => {
  await page.goto(`${server.origin}/decks/${branch}`);
  await page.getByRole('link', { name: 'Bring changes back' }).click();
  await page.getByRole('heading', { name: 'Nothing to bring back' }).waitFor();
  expect(await page.getByRole('region', { name: 'Cannot be brought back' }).count()).toBe(0);
});

test('a rulebook is told block by block, pictures beside each other, new layouts by their names', async () => {
  await page.goto(`${server.origin}/decks/images/${branch}`);
  await page.getByRole('option', { name: 'fox.png', exact: true }).click();
  await page.getByLabel('Picture to put in its place').setInputFiles(join(server.dataDir, 'other.png'));
  await page.getByText('Replaced wherever it is used.').waitFor();
  await upload(page, server.dataDir, 'owl.png', [36, 36, 216]);
  await page.goto(`${server.origin}/rulebook-maker/${branch}/r`);
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Then stop.');
  await saved(page);
  await user.put({
    [`projects/${branch}/layouts/back`]: layout('Back'),
    [`projects/${branch}/components/c/cards/ash`]: card(0, 'Ash', { status: 'final' }),
    [`projects/${branch}/components/c/cards/oak`]: card(3, 'Oak', { cells: { name: 'Oak', mood: 'Dark' } }),
    [`projects/${branch}/components/o`]: component('Omens', columns(['name', 'Name']), 1),
    [`projects/${branch}/components/o/cards/owl`]: card(0, 'Owl'),
    [`projects/${branch}/printPresets/home`]: { name: 'At home', settings: { paper: 'letter' } },
    'projects/d/components/c/cards/elm': card(2, 'Elm', { copies: 3 }),
  });
  const changed = await user.read(`projects/${branch}/components/c`);
  await user.put({
    [`projects/${branch}/components/c`]: {
      ...{ ...changed, name: 'Encounters', columns: columns(['name', 'Name'], ['mood', 'Mood']) },
    },
  });
  const inBranch = (path: string) => `${DOCUMENTS}/projects/${branch}${path}`;
  const unit = cellId('c', 'ash', 'name');
  const german = { units: { [unit]: { source: 'Ash', text: 'Esche' } } };
  await user.post(`/v1/${DOCUMENTS}:commit`, {
    writes: [
      { delete: inBranch('/components/c/cards/elm') },
      { delete: inBranch('/layouts/spare') },
      {
        update: { name: inBranch('/languages/de'), fields: { by: { stringValue: user.uid } } },
        updateTransforms: [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }],
      },
      { update: { name: inBranch(`/languages/de/parts/${partOf(unit)}`), fields: encodeFields(german) } },
      {
        update: { name: inBranch('/rulebooks/solo'), fields: { deletedAt: { integerValue: '5' } } },
        updateMask: { fieldPaths: ['deletedAt'] },
      },
    ],
  });
  await user.post(`/v1/${DOCUMENTS}:commit`, {
    writes: [
      {
        update: {
          name: inBranch(''),
          fields: { description: { stringValue: 'A game of storms.' } },
        },
        updateMask: { fieldPaths: ['description'] },
      },
    ],
  });
  await compareBranch();
  expect((await choices(page)).sort()).toEqual(
    [
      ['Ash Status', true],
      ['Oak New card', true],
      ['Events Name', true],
      ['Mood New column', true],
      ['Omens New component', true],
      ['Owl New card', true],
      ['At home New print settings', true],
      ['Project Description', true],
      ['Spare Deleted layout', true],
      ['Solo Deleted rulebook', true],
      ['German New language', true],
      ['Ash Translation', true],
      ['Elm Deleted card', false],
      ['fox.png Picture', true],
      ['owl.png New picture', true],
      ['Back New layout', true],
      ['“Pass to the left. Then stop.” Block', true],
    ].sort(),
  );
  const conflict = page.getByRole('listitem').filter({ hasText: 'Elm' }).first();
  await conflict.getByText('Copies:').waitFor();
  await conflict.getByText('Deleted', { exact: true }).waitFor();
  expect(await faultsInBoth(page, 'parts of a branch')).toEqual([]);
  await shotOf(page, 'versions-branch-parts');
});

test('they come back together, and undo takes them back', async () => {
  await page.getByRole('button', { name: 'Bring back 16 changes' }).click();
  const card = async (id: string) => user.read(`projects/d/components/c/cards/${id}`);
  await page.getByText('16 changes of Tides copy brought back.').waitFor();
  expect((await card('ash'))?.['status']).toBe('final');
  expect((await card('elm'))?.['copies']).toBe(3);
  expect((await user.read('projects/d/layouts/back'))?.['name']).toBe('Back');
  expect((await user.read('projects/d/components/o'))?.['cardCount']).toBe(1);
  expect(await user.read('projects/d/components/o/cards/owl')).toBeDefined();
  expect((await user.read('projects/d/components/c'))?.['name']).toBe('Encounters');
  expect((await user.read('projects/d'))?.['description']).toBe('A game of storms.');
  expect(await user.read('projects/d/layouts/spare')).toBeUndefined();
  expect((await user.read('projects/d/rulebooks/solo'))?.['deletedAt']).toBeGreaterThan(0);
  expect(await user.read('projects/d/languages/de')).toBeDefined();
  expect((await user.read('projects/d/printPresets/home'))?.['name']).toBe('At home');
  expect(await choices(page)).toEqual([['Elm Deleted card', false]]);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await card('ash'))?.['status']).toBeUndefined();
  await page.getByText('is as it was before.').waitFor();
  await page.getByRole('button', { name: 'Bring back 16 changes' }).waitFor();
  for (const path of [
    'layouts/back',
    'components/o',
    'components/o/cards/owl',
    'printPresets/home',
    'languages/de',
  ])
    expect(await user.read(`projects/d/${path}`)).toBeUndefined();
  expect((await user.read('projects/d/components/c'))?.['name']).toBe('Events');
  expect((await user.read('projects/d/layouts/spare'))?.['name']).toBe('Spare');
  expect((await user.read('projects/d/rulebooks/solo'))?.['deletedAt']).toBe(0);
  await page.getByRole('button', { name: 'Bring back 16 changes' }).click();
  await page.getByText('16 changes of Tides copy brought back.').waitFor();
});

test('the project shows the text and the pictures that came back', async () => {
  await page.goto(`${server.origin}/rulebook-maker/d/r`);
  await text(page).getByText('Pass to the left. Then stop.').waitFor();
  await page.goto(`${server.origin}/decks/images/d`);
  await page.getByRole('option', { name: 'owl.png', exact: true }).waitFor();
  const fox = page.getByRole('option', { name: 'fox.png', exact: true }).locator('img');
  await fox.waitFor();
  await expect
    .poll(() =>
      fox.evaluate((image: HTMLImageElement) => {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 1;
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0, 1, 1);
        const [red = 0, green = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
        // The server's small pictures are a little off.
        return green > 150 && red < 60;
      }),
    )
    .toBe(true);
  // Transactions that met another state are told of by the browser.
  expect(besidesRetries(complaints)).toEqual([]);
});
