/** Boards larger than a page, from the settings of the export page and of the command line to the PDF. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Layout } from '../../../src/core/scene/layout.ts';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { exportProject } from '../../headless.ts';
import * as exportPage from '../../pages/export-page.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Bo Ard', email: 'bo@example.com', password: 'a long enough one' };
const SIDE = 457.2;

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

/** A board of 18 × 18 inches: a field of 12 × 12 squares and a title. */
function board(name: string, color: string): Layout {
  const layout = newLayout(name, { preset: 'custom', w: SIDE, h: SIDE, shape: 'rect', radius: 0 });
  layout.base.fill = { kind: 'solid', color };
  const grid = newZone('grid', 'field', 'Field', { x: 18.6, y: 18.6, w: 420, h: 420 });
  Object.assign(grid, { cells: 'square', cols: 12, rows: 12, gap: 2 });
  grid.cellFill = { kind: 'solid', color: '#ffffffb0' };
  const title = newZone('text', 'title', 'Title', { x: 100, y: 4, w: 257.2, h: 12 });
  title.text = name;
  title.style.size = 30;
  title.style.align = 'center';
  layout.zones = [grid, title];
  return layout;
}

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  const screen = newLayout('Screen', { preset: 'custom', w: 280, h: 190, shape: 'rect', radius: 0 });
  const component = { columns: [{ key: 'name', name: 'Name', type: 'text' }] };
  await (await RestUser.signIn(server.origin, PERSON)).put({
    'projects/d': { name: 'Harbour', createdAt: 1, updatedAt: 1 },
    'projects/d/components/maps': {
      ...component,
      name: 'Map',
      kind: 'boards',
      layoutId: 'map',
      backLayoutId: 'cover',
      order: 1,
    },
    'projects/d/components/maps/cards/one': { order: 0, copies: 1, cells: { name: 'Harbour' } },
    'projects/d/components/screens': {
      ...component,
      name: 'Screen',
      kind: 'mats',
      layoutId: 'screen',
      order: 2,
    },
    'projects/d/components/screens/cards/one': { order: 0, copies: 1, cells: { name: 'Screen' } },
    'projects/d/layouts/map': {
      name: 'Map',
      version: 1,
      updatedAt: 1,
      scene: board('Harbour of Mists', '#8fb7c9'),
    },
    'projects/d/layouts/cover': { name: 'Cover', version: 1, updatedAt: 1, scene: board('Cover', '#c98f8f') },
    'projects/d/layouts/screen': { name: 'Screen', version: 1, updatedAt: 1, scene: screen },
  });
  await page.goto(`${server.origin}/decks/print/d/maps`);
  await page.getByRole('button', { name: 'Export PDF' }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const download = (button: string, name: string) =>
  exportPage.download(page, button, join(server.dataDir, name));
const shot = (name: string, ready: () => Promise<unknown> = painted) => exportPage.shot(page, name, ready);
const painted = () => page.locator('canvas[data-state="painted"]').waitFor();
const next = () => page.getByRole('button', { name: 'Next page' }).click();
/** Opens a group of options, if it is closed. */
async function open(title: string): Promise<void> {
  const section = page.locator('details', { has: page.locator('summary', { hasText: title }) }).last();
  if ((await section.getAttribute('open')) === null) await section.locator('summary').click();
}

test('a board of 18 × 18 inches comes on six pages of A4, with an overview and a name on each', async () => {
  await open('Backs');
  await page.getByLabel('Print backs').selectOption('none');
  await page.getByText('Map prints on 6 pages in portrait, 3 across and 2 down').waitFor();
  await page.getByText('1 card on 7 sheets of A4').waitFor();
  await page.getByText('Page 1 of 7').waitFor();
  await page.getByText('Overview', { exact: true }).waitFor();
  await painted();
  await shot('boards-overview');
  await next();
  await page.getByRole('img', { name: 'Page 2: A1 of Map' }).waitFor();
  await painted();
  await shot('boards-tile');
  expect(await faultsInBoth(page)).toEqual([]);
  const file = await download('Export PDF', 'overlap.pdf');
  expect(await pdfInfo(file)).toMatchObject({ Pages: '7' });
  await checkPdf(file);
  const text = await pdfText(file);
  for (const name of ['A1', 'A2', 'A3', 'B1', 'B2', 'B3']) expect(text).toContain(name);
  expect(text).toContain('page 6 of 6');
  expect(text).toContain('Neighbours share 8 mm');
  expect(text).not.toContain('cross on cross');
  await page.getByLabel('Crosses in the overlaps').check();
  await painted();
  await shot('boards-crosses');
  const crossed = await pdfText(await download('Export PDF', 'crosses.pdf'));
  expect(crossed.replace(/\s+/g, ' ')).toContain('cross on cross');
  await page.getByLabel('Crosses in the overlaps').uncheck();
  expect(complaints).toEqual([]);
});

test('glue tabs, folds and another paper are kept for the project; pages end at the folds', async () => {
  await page.getByLabel('Larger than a page').selectOption('tabs');
  await page.getByLabel('Length of tabs').fill('12');
  await page.getByLabel('Boards fold').selectOption('four');
  await page.getByText('Map prints on 8 pages').waitFor();
  await page.getByRole('combobox', { name: 'Paper' }).selectOption('a3');
  await page.getByText('Map prints on 4 pages in portrait, 2 across and 2 down').waitFor();
  await next();
  await painted();
  await shot('boards-tabs');
  const text = await pdfText(await download('Export PDF', 'tabs.pdf'));
  expect(text).toContain('hinge: glue it under A2');
  expect(text).toContain('B2 at the right (slit, not glued)');
  await page.reload();
  await page.getByText('Map prints on 4 pages in portrait').waitFor();
  expect(await page.getByLabel('Larger than a page').inputValue()).toBe('tabs');
  expect(await page.getByLabel('Length of tabs').inputValue()).toBe('12 mm');
  expect(await page.getByLabel('Boards fold').inputValue()).toBe('four');
});

test('a preset keeps the settings of boards', async () => {
  await page.getByRole('button', { name: 'Presets' }).click();
  await page.getByRole('menuitem', { name: 'Save as a preset…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as a preset' });
  await dialog.getByLabel('Name').fill('Quad on A3');
  await dialog.getByRole('button', { name: 'Save preset' }).click();
  await page.getByText('Preset saved.').waitFor();
  await page.getByLabel('Boards fold').selectOption('none');
  await page.getByLabel('Larger than a page').selectOption('overlap');
  await page.getByRole('button', { name: 'Quad on A3, changed' }).click();
  await page.getByRole('menuitem', { name: 'Quad on A3', exact: true }).click();
  await page.getByText('Map prints on 4 pages in portrait').waitFor();
  expect(await page.getByLabel('Larger than a page').inputValue()).toBe('tabs');
});

test('backs come behind their tiles, and the overview has a blank one', async () => {
  await open('Backs');
  await page.getByLabel('Print backs').selectOption('long-edge');
  await page.getByText('Page 1 of 10').waitFor();
  for (const label of ['left empty', 'A1 of Map', 'A1, back of Map']) {
    await next();
    await page.getByRole('img', { name: new RegExp(`: ${label}$`) }).waitFor();
  }
  await painted();
  await shot('boards-back');
});

test('a board that is not to be split is refused with a way out', async () => {
  await page.getByLabel('Larger than a page').selectOption('off');
  await page.getByText(/457\.2 × 457\.2 mm does not fit on A3 portrait/).waitFor();
  await page.getByText(/let it go over several pages under Boards/).waitFor();
  expect(await page.getByRole('button', { name: 'Export PDF' }).isDisabled()).toBe(true);
  await shot('boards-off', async () => undefined);
  await page.getByLabel('Larger than a page').selectOption('overlap');
  await page.getByText('Map prints on 4 pages').waitFor();
});

test('a board that fits the other way round is printed so, and says it', async () => {
  await page.goto(`${server.origin}/decks/print/d/screens`);
  await page.getByRole('combobox', { name: 'Paper' }).selectOption('a4');
  await page.getByText('Screen fits A4 in landscape only, and is printed so.').waitFor();
  await page.getByText('1 card on 1 sheet of A4').waitFor();
  await painted();
  await shot('boards-landscape');
});

const run = (out: string, extra: readonly string[]) =>
  exportProject(server, PERSON, 'Harbour', join(server.dataDir, out), ['--component', 'Map', ...extra]);

test('the command line splits boards as it is told, or as a preset says', async () => {
  await run('plain.pdf', ['--overlap', '10']);
  // Overview, blank, and six tiles with their backs.
  expect(await pdfInfo(join(server.dataDir, 'plain.pdf'))).toMatchObject({ Pages: '14' });
  expect(await pdfText(join(server.dataDir, 'plain.pdf'))).toContain('Neighbours share 10 mm');
  await run('preset.pdf', ['--preset', 'Quad on A3', '--no-overview']);
  expect(await pdfInfo(join(server.dataDir, 'preset.pdf'))).toMatchObject({ Pages: '4' });
  await expect(run('no.pdf', ['--split', 'off'])).rejects.toThrow(/does not fit on A4 portrait/);
  await expect(run('no.pdf', ['--fold', 'five'])).rejects.toThrow(/--fold: Invalid option/);
  await expect(run('no.zip', ['--format', 'webp', '--dpi', '1000'])).rejects.toThrow(
    /18000 × 18000 pixels: WebP ends at 16383 pixels a side, so choose PNG/,
  );
});

test('The Game Crafter gets its quad-fold board', async () => {
  await run('tgc.zip', ['--format', 'tgc']);
  const files = unzipSync(new Uint8Array(await readFile(join(server.dataDir, 'tgc.zip'))));
  expect(Object.keys(files).sort()).toEqual(['backs/back.png', 'fronts/1 Harbour 1.png']);
  for (const bytes of Object.values(files)) {
    const header = new DataView(bytes.buffer, bytes.byteOffset + 16);
    expect([header.getUint32(0), header.getUint32(4)]).toEqual([5_475, 5_475]);
  }
}, 180_000);
