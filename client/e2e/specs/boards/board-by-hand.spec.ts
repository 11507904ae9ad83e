/** A board of an old game, the Royal Game of Ur, made of nothing by a hand: pointer and keyboard alone, then printed. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { box, layers, properties, saved } from '../../pages/editor-page.ts';
import { download, shot } from '../../pages/export-page.ts';
import { drawn, Hand } from '../../pages/hand.ts';
import { checkPdf, pdfText } from '../../pdf.ts';
import { Server } from '../../server.ts';

/** Time within which the board must be made and printed. */
const MOST_MS = 5 * 60_000;
const COLUMNS = 8;
/** Rosettes, plain squares and nothing, row by row. */
const UR = ['RPPP  RP', 'PPPRPPPP', 'RPPP  RP'];

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let hand: Hand;
let complaints: Complaints;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ context, page, complaints } = await openPage(browser));
  hand = new Hand(page);
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const field = (label: string): Locator =>
  properties(page).getByLabel(label, { exact: true }).and(page.locator('input, select, textarea'));
const button = (name: string): Locator => properties(page).getByRole('button', { name, exact: true });
const cells = (): Locator => page.getByRole('application', { name: /^Cells of Board/ });
const said = async (): Promise<string> => ((await cells().textContent()) ?? '').trim();

/** The middle of a square in the window, by its place in the picture above. */
async function square(column: number, row: number): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = await box(cells());
  return { x: x + (width * (column + 0.5)) / COLUMNS, y: y + (height * (row + 0.5)) / UR.length };
}
const dragOver = async (from: readonly [number, number], to: readonly [number, number]) =>
  hand.drag(await square(...from), await square(...to));

/** The squares as they are read out, like the picture above. */
async function readOut(): Promise<string[]> {
  await cells().focus();
  for (let step = 0; step < COLUMNS; step++) await hand.press('ArrowLeft');
  for (let step = 0; step < UR.length; step++) await hand.press('ArrowUp');
  const rows: string[] = [];
  for (let row = 0; row < UR.length; row++) {
    let text = '';
    for (let column = 0; column < COLUMNS; column++) {
      const name = `${'ABCDEFGH'[column]}${row + 1}, `;
      await expect.poll(said).toContain(name);
      const terrain = (await said()).slice(name.length);
      text += terrain === 'empty' ? ' ' : terrain.slice(0, 1);
      await hand.press(column < COLUMNS - 1 ? 'ArrowRight' : 'ArrowDown');
    }
    for (let step = 0; step < COLUMNS; step++) await hand.press('ArrowLeft');
    rows.push(text);
  }
  return rows;
}

test(
  'a hand makes the Royal Game of Ur of a blank board and prints it, within five minutes',
  async () => {
    await page.goto(`${server.origin}/boards`);
    await hand.click(page.getByRole('button', { name: 'Blank board' }));
    await page.getByRole('button', { name: 'Add text' }).waitFor();
    await hand.write(page.getByLabel('Layout name'), 'Royal Game of Ur');
    await hand.write(field('Fill colour'), '#2f4a5c');

    // The squares: three rows of eight, apart from each other.
    await hand.click(page.getByRole('button', { name: 'Add more' }));
    await hand.click(page.getByRole('menuitem', { name: 'Map', exact: true }));
    await hand.write(field('Name'), 'Board');
    await hand.choose(field('Cells'), 'Squares');
    for (const [label, value] of [
      ['Columns', COLUMNS],
      ['Rows', UR.length],
      ['Gap', 3],
      ['Cell width', 26],
      ['Cell line', 0],
    ] as const)
      await hand.write(field(label), String(value));
    await hand.write(field('X'), '12.5', '85');
    await hand.click(button('Paint a rectangle of cells'));
    await hand.click(button('Plain'));
    await dragOver([0, 0], [COLUMNS - 1, UR.length - 1]);
    await hand.click(button('Erase cells'));
    await dragOver([4, 0], [5, 0]);
    await dragOver([4, 2], [5, 2]);

    // The rosettes: a terrain of their own, painted one by one.
    await hand.click(button('Paint cells'));
    await hand.click(button('Town'));
    await hand.write(field('Terrain name'), 'Rosette');
    await hand.choose(field('Pattern'), 'Snow');
    await hand.write(field('Colour'), '#e8b44c');
    for (const [row, squares] of UR.entries()) {
      for (const [column, wanted] of [...squares].entries()) {
        if (wanted !== 'R') continue;
        const { x, y } = await square(column, row);
        await page.mouse.click(x, y);
      }
    }
    expect(await readOut()).toEqual(UR);
    await shot(page, 'board-by-hand-painting', () => drawn(page));
    await hand.press('Escape');
    await cells().waitFor({ state: 'detached' });

    // Pieces go on every square that there is.
    for (const [number, terrain] of ['Plain', 'Rosette'].entries()) {
      await hand.click(button('Make cells spaces'));
      const rule = properties(page).getByRole('group', { name: `Spaces ${number + 1}` });
      await hand.choose(rule.getByLabel('Cells'), 'Of a terrain');
      await hand.choose(rule.getByLabel('Terrain'), terrain);
      const count = UR.join('').split(terrain.slice(0, 1)).length - 1;
      await rule.getByText(`${count} spaces`, { exact: true }).waitFor();
    }

    // A title over it.
    await hand.press('Escape');
    await hand.click(page.getByRole('button', { name: 'Add text' }));
    await hand.write(field('Own text'), 'The Royal Game of Ur');
    await hand.write(field('Size'), '32');
    await hand.write(field('Text colour'), '#f1e3c2');
    await hand.click(button('Align centre'));
    await hand.write(field('X'), '20', '40', '214', '20');
    await saved(page);
    await shot(page, 'board-by-hand', () => layers(page).waitFor());
    expect(await faultsInBoth(page)).toEqual([]);

    // It is kept, and it comes out of the printer.
    await page.reload();
    await hand.click(layers(page).getByRole('button', { name: 'Board', exact: true }).first());
    await hand.press('b');
    expect(await readOut()).toEqual(UR);
    await hand.press('Escape');
    await hand.click(page.getByRole('button', { name: 'Print' }));
    await page.getByRole('heading', { name: 'Print Royal Game of Ur' }).waitFor();
    const file = await download(page, 'Export PDF', join(server.dataDir, 'ur.pdf'));
    await checkPdf(file);
    expect(await pdfText(file)).toContain('The Royal Game of Ur');
    await hand.click(page.getByText('As a picture'));
    const picture = await readFile(await download(page, 'Export PNG', join(server.dataDir, 'ur.png')));
    // Ten inches at 150 dots an inch.
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1500, 1500]);
    expect(complaints).toEqual([]);
  },
  MOST_MS,
);
