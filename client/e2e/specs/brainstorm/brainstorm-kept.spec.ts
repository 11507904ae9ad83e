/** Ideas are kept with the account and begin projects; lists come from columns and go to rows. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { putCards } from '../../rest-cards.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Lotte Reiniger', email: 'lotte@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  const user = await RestUser.signIn(server.origin, PERSON);
  await putCards(user, {
    project: 'Fables',
    component: 'Beasts',
    columns: { name: ['Name', 'text'], price: ['Price', 'number'] },
    cards: Object.fromEntries(
      ['**Fox**', 'Owl', 'Fox'].map((name, order) => [
        `k${order}`,
        { order: order + 1, copies: 1, cells: { name } },
      ]),
    ),
  });
  await page.goto(`${server.origin}/brainstorm`);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const kept = () => page.getByRole('region', { name: 'Kept ideas' });
const newest = () => page.getByRole('region', { name: 'Ideas', exact: true }).locator('p').first();

test('an idea is kept with a note, comes back when its deletion is undone, and begins a project', async () => {
  await page.getByRole('button', { name: 'Draw an idea' }).click();
  const idea = (await newest().textContent()) ?? '';
  await page.getByRole('button', { name: 'Keep it' }).click();
  await kept().getByText(idea, { exact: true }).waitFor();
  await kept().getByRole('textbox').fill('With dice?');
  await kept().getByRole('textbox').blur();
  await page.reload();
  await expect.poll(() => kept().getByRole('textbox').inputValue()).toBe('With dice?');
  expect(await faultsInBoth(page, 'a kept idea')).toEqual([]);
  await kept()
    .getByRole('button', { name: /^Delete idea/ })
    .click();
  await kept().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => kept().getByRole('textbox').inputValue()).toBe('With dice?');
  await kept().getByRole('button', { name: 'Start a project' }).click();
  await page.getByRole('heading', { level: 1 }).getByText(idea.split(' ').slice(0, 3).join(' ')).waitFor();
  await page.getByRole('button', { name: 'Notes' }).click();
  const notes = page.getByRole('dialog', { name: 'Notes' });
  await notes.getByText(idea, { exact: true }).waitFor();
  await notes.getByText('With dice?').waitFor();
});

test('a list takes the different words of a column, and words are drawn into new rows', async () => {
  await page.goto(`${server.origin}/brainstorm`);
  await page.getByLabel('Name of a new list').fill('beast');
  await page.getByRole('button', { name: 'Add list' }).click();
  await page.getByRole('button', { name: 'Edit beast' }).click();
  await page.getByRole('button', { name: 'From a column…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Words from a column' });
  await dialog.getByLabel('Project').selectOption({ label: 'Fables' });
  await dialog.getByText('2 different words').waitFor();
  expect(await faultsInBoth(page, 'words from a column')).toEqual([]);
  await dialog.getByRole('button', { name: 'Take them' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByLabel('Words of beast, one per line').inputValue()).toBe('Fox\nOwl');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.getByText('Fox · Owl').waitFor();
  await page.getByRole('button', { name: 'Draw into rows…' }).click();
  const rows = page.getByRole('dialog', { name: 'Draw into rows' });
  await rows.getByLabel('Draw', { exact: true }).selectOption({ label: 'beast' });
  await rows.getByLabel('New rows').fill('2');
  await rows.getByLabel('Project').selectOption({ label: 'Fables' });
  await rows.getByRole('button', { name: 'Draw 2 rows' }).waitFor();
  expect(await faultsInBoth(page, 'draw into rows')).toEqual([]);
  await rows.getByRole('button', { name: 'Draw 2 rows' }).click();
  await page.getByText('2 rows more in Beasts.').waitFor();
  await page.goto(`${server.origin}/decks/d?component=c`);
  await page.getByText('5 cards').first().waitFor();
  expect(besidesRetries(complaints)).toEqual([]);
});
