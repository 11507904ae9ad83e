/** An icon's way of being written is tried on the project's own cards before it holds. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import type { Complaints } from '../../browser.ts';
import { properties, saved } from '../../pages/editor-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ike Onne', email: 'ike@example.com', password: 'a long enough one' };
const CARDS = `Name,Rules
Inn,"Pay 2 :coin:, then rest."
Road,"Coin or no coin, walk on."
Bank,"Take :coin: and :coin: again. Coin counts."
Tree,Rest here.
`;

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;
let folder: string;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  folder = await mkdtemp(join(tmpdir(), 'tuckbox-icons-'));
  await writeFile(join(folder, 'places.csv'), CARDS);
  await createProject(page, 'Inns');
  await chooseFile(page, join(folder, 'places.csv'));
  await confirmImport(page, 4);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).first().click();
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  await saved(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The painted pixels of the two cards beside each other. */
async function pictures(dialog: Locator): Promise<string[]> {
  await expect.poll(() => dialog.locator('figure [data-state="painted"]').count()).toBe(2);
  return dialog
    .locator('figure canvas')
    .evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()));
}

test('texts and cards that change are counted and shown, and nothing changes before it is said', async () => {
  await page.keyboard.press('Escape');
  const panel = properties(page);
  await panel.getByRole('button', { name: 'Add a word, icon or style' }).click();
  await page.getByRole('menuitem', { name: 'Icon' }).click();
  const icon = panel.getByRole('group', { name: /^Icon / });
  await icon.getByLabel('Name', { exact: true }).fill('Coin');
  await icon.getByLabel('Image').fill('Icons/coin.png');
  await icon.getByRole('button', { name: 'Preview on the cards' }).click();
  const dialog = page.getByRole('dialog', { name: 'Where Coin would stand' });
  const told = dialog.getByRole('status');
  await told.filter({ hasText: 'It would stand in no text of 4 cards.' }).waitFor();

  await dialog.getByLabel('Written as').fill(':coin:');
  await told.filter({ hasText: 'It would stand 3 times, in 2 texts on 2 of 4 cards.' }).waitFor();
  await dialog.getByLabel('Wherever the word Coin stands').check();
  await told.filter({ hasText: 'It would stand 5 times, in 3 texts on 3 of 4 cards.' }).waitFor();
  const listed = dialog.getByRole('list', { name: 'Texts with the icon' });
  await listed.getByRole('button', { name: /^Bank/ }).click();
  await expect.poll(() => listed.getByRole('button', { name: /^Bank/ }).locator('mark').count()).toBe(3);
  await expect.poll(async () => new Set(await pictures(dialog)).size).toBe(2);
  expect(await faultsInBoth(page, 'the preview')).toEqual([]);

  await dialog.getByRole('button', { name: 'Leave it as it is' }).click();
  expect(await icon.getByLabel('Written as').inputValue()).toBe('');
  await icon.getByRole('button', { name: 'Preview on the cards' }).click();
  await dialog.getByLabel('Written as').fill(':coin:');
  await dialog.getByRole('button', { name: 'Write it so' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await icon.getByLabel('Written as').inputValue()).toBe(':coin:');
  await saved(page);
  expect(complaints).toEqual([]);
});
