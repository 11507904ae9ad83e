/** A visitor's own pictures on a board: kept in the browser, printed, and carried over to a project; nothing is lost. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLayoutSegment } from '../../../src/data/project/layout-address.ts';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { endIntroduction, type Person } from '../../pages/account-page.ts';
import { box, layers, properties, saved, zone } from '../../pages/editor-page.ts';
import { download, shot } from '../../pages/export-page.ts';
import { drawn } from '../../pages/hand.ts';
import { checkPdf } from '../../pdf.ts';
import { Server } from '../../server.ts';

const PERSON: Person = { name: 'Ada Brink', email: 'ada@example.com', password: 'a long enough one' };
const PINK = [208, 32, 144] as const;
const TEAL = [16, 128, 128] as const;

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  ({ context, page, complaints } = await openPage(browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** A picture file whose pixels are all of one colour, or all at random, which cannot be made smaller. */
function picture(name: string, w: number, h: number, colour?: readonly number[]) {
  const png = new PNG({ width: w, height: h });
  if (colour) for (let at = 0; at < w * h; at++) png.data.set([...colour, 255], 4 * at);
  else randomBytes(w * h * 4).copy(png.data);
  return { name, mimeType: 'image/png', buffer: PNG.sync.write(png, { deflateLevel: 1 }) };
}

/** The colour in the middle of a zone, as it is painted. */
const colourOf = (name: string) => colourIn(zone(page, name));

async function colourIn(shown: Locator): Promise<readonly number[]> {
  const { x, y, width, height } = await box(shown);
  const clip = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) - 12, width: 1, height: 1 };
  const { data } = PNG.sync.read(await page.screenshot({ clip }));
  return [...data.subarray(0, 3)];
}

const picker = (): Locator => page.getByRole('dialog', { name: 'Choose a picture' });

/** Opens the picker of a field and takes a file there. */
async function choose(button: string, file: ReturnType<typeof picture>): Promise<void> {
  await properties(page).getByRole('button', { name: button }).click();
  const choosing = page.waitForEvent('filechooser');
  await picker().getByRole('button', { name: 'Add pictures' }).click();
  await (await choosing).setFiles(file);
}

test('a visitor puts a picture of their own on a board, and it is there after a reload', async () => {
  await page.goto(`${server.origin}/boards`);
  await page.getByRole('button', { name: 'Blank board' }).click();
  await page.getByLabel('Layout name').fill('Reef');
  await page.getByRole('button', { name: 'Add image' }).click();
  await properties(page).getByRole('button', { name: 'Choose image' }).click();
  await picker().getByText('No pictures yet').waitFor();
  expect(await faultsInBoth(page, 'empty picker')).toEqual([]);
  await shot(page, 'board-pictures-empty', () => picker().waitFor());
  await picker().getByRole('button', { name: 'Close' }).click();
  await choose('Choose image', picture('coral.png', 120, 90, PINK));
  await picker().waitFor({ state: 'detached' });
  await expect.poll(() => colourOf('Image')).toEqual(PINK);
  await saved(page);
  await page.reload();
  await expect.poll(() => colourOf('Image')).toEqual(PINK);
});

test('the cells of a terrain are that picture, or another one of the same browser', async () => {
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: 'Map', exact: true }).click();
  const panel = properties(page);
  await panel.getByRole('button', { name: 'Forest', exact: true }).click();
  await choose('Choose picture', picture('lagoon.png', 80, 80, TEAL));
  await picker().waitFor({ state: 'detached' });
  await panel.getByLabel('In its cell').selectOption({ label: 'Stretch' });
  await panel.getByRole('button', { name: 'Fill an area of cells' }).click();
  await panel.getByRole('button', { name: 'Forest', exact: true }).click();
  const { x, y, width, height } = await box(page.getByRole('application', { name: /^Cells of Map/ }));
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.keyboard.press('Escape');
  await expect.poll(() => colourOf('Map')).toEqual(TEAL);
  await shot(page, 'board-map-picture', () => drawn(page));
  expect(await faultsInBoth(page, 'terrain with a picture')).toEqual([]);
  await saved(page);
});

test('pictures beyond 20 MB are refused in words, and may be deleted and taken back', async () => {
  await choose('Choose picture', picture('noise.png', 1_900, 1_900));
  await picker().waitFor({ state: 'detached' });
  await choose('Choose picture', picture('more noise.png', 1_901, 1_900));
  await picker()
    .getByText(/room for 20 MB of pictures: 1\d\.\d MB are taken, and this one has 1\d\.\d MB/)
    .waitFor();
  const kept = picker().getByRole('option');
  await expect.poll(() => kept.count()).toBe(3);
  await shot(page, 'board-pictures', () => kept.first().waitFor());
  expect(await faultsInBoth(page, 'full picker')).toEqual([]);
  await kept.filter({ hasText: 'lagoon.png' }).click();
  await picker().getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => kept.count()).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect.poll(() => kept.count()).toBe(3);
  await kept.filter({ hasText: 'lagoon.png' }).dblclick();
  await expect.poll(() => colourOf('Map')).toEqual(TEAL);
  await saved(page);
});

test('they are printed, each once', async () => {
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByText(/^Page 1 of \d+/).waitFor();
  await page.reload();
  await page.getByText(/^Page 1 of \d+/).waitFor();
  const file = await download(page, 'Export PDF', join(server.dataDir, 'reef.pdf'));
  await checkPdf(file);
  const { stdout } = await promisify(execFile)('pdfimages', ['-list', file]);
  const images = new Set(
    stdout
      .split('\n')
      .slice(2)
      .flatMap((line) => (line.trim() === '' ? [] : [line.trim().split(/\s+/).slice(3, 5).join(' × ')])),
  );
  expect([...images].sort()).toEqual(['120 × 90', '80 × 80']);
  await page.getByRole('link', { name: 'Back to the board' }).click();
});

test('signing up and saving to a project makes them images of the project', async () => {
  await page.getByRole('button', { name: 'Save to a project' }).click();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill(PERSON.name);
  await page.getByLabel('E-mail').fill(PERSON.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('dialog', { name: 'Verify your e-mail address' }).waitFor();
  const mail = await context.newPage();
  await mail.goto(await server.linkTo(PERSON.email));
  await mail.getByRole('heading', { name: 'Your address is verified' }).waitFor();
  await mail.close();
  await page.reload();
  await page.getByRole('dialog', { name: 'Save to a project' }).getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  await endIntroduction(page);
  await layers(page).getByText('Map', { exact: true }).waitFor();
  await expect.poll(() => colourOf('Map')).toEqual(TEAL);
  const { project } = readLayoutSegment(
    decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? ''),
  );
  await page.reload();
  await expect.poll(() => colourOf('Map')).toEqual(TEAL);
  await page.goto(`${server.origin}/decks/images/${project}`);
  const images = page.locator('[role=listbox] [role=option]');
  await expect.poll(() => images.count()).toBe(2);
  await images.filter({ hasText: 'lagoon.png' }).waitFor();
  await images.filter({ hasText: 'coral.png' }).waitFor();
  expect(complaints).toEqual([]);
});

test('what no board of the browser shows any more has left it, and what was never shown is still there', async () => {
  await page.goto(`${server.origin}/boards`);
  const own = page.getByRole('region', { name: 'In your projects' });
  // Beside boards of this browser, the project's own images are on the picture of its board.
  await expect.poll(() => colourIn(own.locator('[data-state="painted"]').first())).toEqual(TEAL);
  await page.getByRole('button', { name: 'Blank board' }).click();
  await page.getByRole('button', { name: 'Add image' }).click();
  await properties(page).getByRole('button', { name: 'Choose image' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose an image' });
  await expect.poll(() => dialog.getByRole('option').count()).toBe(1);
  await dialog.getByRole('option', { name: 'noise.png' }).waitFor();
});
