/** axe finds nothing on the card table and what opens from it, in either theme and in a narrow window. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faults, settled } from '../../axe.ts';
import { launch } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { cell, importFile, tableShown } from '../../pages/table-page.ts';
import { Server } from '../../server.ts';
import { starforgedRows, toCsv } from '../../starforged.ts';

/** Folder for screenshots of every state, when set. */
const SHOTS = process.env['TABLE_SHOTS'];

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function shoot(page: Page, state: string): Promise<void> {
  if (!SHOTS) return;
  await settled(page);
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${state}.png`) });
}

test.each([
  ['light', 1440],
  ['dark', 1024],
] as const)('%s, %i wide', async (colorScheme, width) => {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 860 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const person = { name: 'Di Sato', email: `${colorScheme}@example.com`, password: 'a long enough one' };
  const found: string[] = [];
  const look = async (state: string) => {
    await shoot(page, `${colorScheme}-${state}`);
    found.push(...(await faults(page, `${colorScheme}-${state}`)));
  };
  await signUp(page, server.origin, person);
  await verify(page, server, person);
  await createProject(page, 'Starforged');
  const rows = (await starforgedRows()).slice(0, 30);
  const list = join(server.dataDir, 'list.csv');
  await writeFile(list, toCsv(rows));
  await chooseFile(page, list);
  await confirmImport(page, rows.length);
  await tableShown(page);
  await look('table-no-layout');
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('region', { name: 'Cards', exact: true }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'));
  await cell(page, 'Glowcat').click();
  await page.keyboard.press('Enter');
  await look('table-editing');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Column Category' }).click();
  await look('table-column-menu');
  await page.getByRole('menuitem', { name: 'Group by this' }).click();
  await page.getByRole('button', { name: 'Tall rows' }).click();
  await look('table-grouped-tall');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'New column…' }).click();
  await look('table-new-column');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog', { name: 'Filter cards' }).waitFor();
  await look('table-filter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Filter cards' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Find and replace (Ctrl+F)' }).click();
  await look('table-find');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Find and replace' }).waitFor({ state: 'detached' });
  await importFile(page, list);
  await look('table-import-preview');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await look('table-import-mapping');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.getByText(/to look at|cards checked/).waitFor();
  await look('table-checks');
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByText('Different cards').waitFor();
  await look('table-statistics');
  await page.getByRole('tab', { name: 'Cards' }).click();
  await page.getByRole('button', { name: /Edit Glowcat/ }).click();
  await page.getByRole('dialog').waitFor();
  await look('card-cells');
  await page.getByRole('tab', { name: 'This card only' }).click();
  // Taken hold of on the card: it lies elsewhere on this card alone.
  const dialog = page.getByRole('dialog');
  const named = dialog.getByRole('button', { name: 'Name', exact: true });
  await named.click();
  const left = dialog.getByLabel('Left, mm');
  await expect.poll(() => left.inputValue()).toBe('');
  const box = await named.boundingBox();
  if (!box) throw new Error('the zone is nowhere');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y + 30, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Number(await left.inputValue())).toBeGreaterThan(0);
  const dragged = Number(await left.inputValue());
  await named.press('ArrowRight');
  await expect.poll(async () => Number(await left.inputValue())).toBe(dragged + 0.5);
  await look('card-looks');
  await dialog.getByRole('button', { name: 'As on every card' }).click();
  await expect.poll(() => left.inputValue()).toBe('');
  await named.press('ArrowLeft');
  await page.getByRole('tab', { name: 'Comments' }).click();
  await page.getByLabel('Your comment').fill('Too strong?');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByRole('dialog').getByText('Too strong?').first().waitFor();
  await look('card-comments');
  await dialog.getByRole('button', { name: 'Save card' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /Edit Glowcat/ }).click();
  await page.getByRole('tab', { name: 'This card only' }).click();
  await named.click();
  await expect.poll(() => left.inputValue()).not.toBe('');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  for (const path of ['/workspace', '/cardlist2']) {
    await page.goto(server.origin + path);
    await page.getByText('Glowcat').first().waitFor();
    await look(path.slice(1));
  }
  expect(found).toEqual([]);
  await context.close();
});
