/** The board maker: a visitor draws, prints, reloads, signs up and saves; nothing is lost on the way. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { type Complaints, launch, openPage } from '../../browser.ts';
import { endIntroduction, type Person } from '../../pages/account-page.ts';
import { box, layers, saved, setNumber } from '../../pages/editor-page.ts';
import { download, shot } from '../../pages/export-page.ts';
import { drag } from '../../pages/hand.ts';
import { logged, piece, press } from '../../pages/play-page.ts';
import { checkPdf, pdfInfo } from '../../pdf.ts';
import { Server } from '../../server.ts';

const PERSON: Person = { name: 'Ro Lund', email: 'ro@example.com', password: 'a long enough one' };

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

const list = (name: string) => page.getByRole('region', { name });
const painted = () => page.locator('[data-state="painted"]').first().waitFor();
const nameField = () => page.getByLabel('Layout name');

/** Notes the first headings that a page shows from now on, however shortly; answers them until it is loaded anew. */
async function headingsFromNowOn(of: Page): Promise<() => Promise<string[]>> {
  const seen = await of.evaluateHandle(() => {
    const found = new Set<string>();
    const note = () => found.add(document.querySelector('h1')?.textContent ?? '');
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
    return found;
  });
  return () => seen.evaluate((found) => [...found]);
}

test('a visitor begins with one of twelve boards and more, and it stays in the browser', async () => {
  await page.goto(`${server.origin}/boards`);
  await painted();
  const starts = list('Begin with one of these').getByRole('button');
  await expect.poll(() => starts.count()).toBeGreaterThanOrEqual(12);
  expect(await faultsInBoth(page)).toEqual([]);
  await shot(page, 'boards', painted);
  await starts.filter({ hasText: 'Towns and roads' }).click();
  await nameField().fill('Ferry lines');
  await layers(page).getByText('Kestrel', { exact: true }).waitFor();
  await saved(page);
  expect(await faultsInBoth(page, 'draft')).toEqual([]);
  await shot(page, 'board-draft', () => nameField().waitFor());
  await page.reload();
  await expect.poll(() => nameField().inputValue()).toBe('Ferry lines');
});

test('a browser that keeps nothing says so in words, where the list is and where a board is begun', async () => {
  const closed = await browser.newContext();
  await closed.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError');
    };
  });
  const own = await closed.newPage();
  await own.goto(`${server.origin}/boards`);
  await own.getByText('The boards of this browser cannot be read.').waitFor();
  await own.getByRole('button', { name: 'Blank board' }).click();
  await own
    .getByText('This browser does not keep the board: allow it to store data', { exact: false })
    .waitFor();
  await closed.close();
});

test('two tabs draw on one board, and neither overwrites the other', async () => {
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Add text' }).click();
  await other.getByRole('button', { name: 'Add shape' }).click();
  await saved(other);
  await layers(page).getByText('Shape', { exact: true }).waitFor();
  await nameField().fill('Ferries');
  await saved(page);
  await expect.poll(() => other.getByLabel('Layout name').inputValue()).toBe('Ferries');
  await layers(other).getByText('Text', { exact: true }).waitFor();
  await other.close();
});

test('it is printed over several pages, and taken away as a picture', async () => {
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByRole('heading', { name: 'Print Ferries' }).waitFor();
  const shown = page.getByText(/^Page 1 of \d+/);
  await painted();
  const pages = /of (\d+)/.exec((await shown.textContent()) ?? '')?.[1];
  expect(await faultsInBoth(page, 'print')).toEqual([]);
  await shot(page, 'board-print', () => shown.waitFor());
  const file = await download(page, 'Export PDF', join(server.dataDir, 'ferries.pdf'));
  await checkPdf(file);
  expect((await pdfInfo(file))['Pages']).toBe(pages);
  await page.getByText('As a picture').click();
  const picture = await readFile(await download(page, 'Export PNG', join(server.dataDir, 'ferries.png')));
  // Sixteen by ten inches at 150 dots an inch.
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([2400, 1500]);
  await page.getByRole('link', { name: 'Back to the board' }).click();
});

test('a board is copied and deleted, and the deletion is undone', async () => {
  await page.getByRole('link', { name: 'Back' }).click();
  const drafts = list('In this browser');
  const more = drafts.getByRole('button', { name: 'More for Ferries', exact: true });
  await more.click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await drafts.getByRole('link', { name: /Ferries copy/ }).waitFor();
  await more.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await more.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await more.waitFor();
});

test('signing up on the way to a project loses nothing', async () => {
  await list('In this browser')
    .getByRole('link', { name: /^Ferries(?! copy)/ })
    .click();
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
  const dialog = page.getByRole('dialog', { name: 'Save to a project' });
  await dialog.waitFor();
  const headings = await headingsFromNowOn(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  // The board leaves the browser, yet nobody is told that it is not there.
  expect(await headings()).not.toContain('No such board');
  // The welcome waits until the board is saved.
  await endIntroduction(page);
  await layers(page).getByText('Kestrel', { exact: true }).waitFor();
  await expect.poll(() => nameField().inputValue()).toBe('Ferries');
  await page.goto(`${server.origin}/boards`);
  await list('In your projects')
    .getByRole('link', { name: /Ferries/ })
    .waitFor();
  await expect.poll(() => list('In this browser').getByRole('listitem').count()).toBe(1);
  expect(complaints).toEqual([]);
});

test('on a table, pieces go to the spaces of the board, and the log says to which', async () => {
  await list('In your projects')
    .getByRole('link', { name: /Ferries/ })
    .click();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Playtest' }).click();
  await page
    .getByRole('dialog', { name: 'Playtest' })
    .getByRole('button', { name: 'Open the table' })
    .click();
  await piece(page, 'Ferries').waitFor();
  await page.getByRole('application', { name: 'Table' }).focus();
  await page.keyboard.press('N');
  const note = page.getByRole('dialog', { name: 'New note' });
  await note.getByRole('textbox').fill('A ferry');
  await note.getByRole('button', { name: 'Lay it on the table' }).click();
  await press(page, /^Note: A ferry/, 'Control+ArrowUp');
  await logged(page, /^You move Note: A ferry to [A-Z][a-z]+/);
});

test('a board of another browser is not found, in words', async () => {
  await page.goto(`${server.origin}/boards/draft/no-such-board`);
  await page.getByRole('heading', { name: 'This board is not in this browser' }).waitFor();
});

test('a track follows its settings while they are set, and is one step of undo', async () => {
  await page.goto(`${server.origin}/boards`);
  await page.getByRole('button', { name: 'Blank board' }).click();
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: 'Track' }).click();
  const track = page
    .getByRole('complementary', { name: 'Properties' })
    .getByRole('region', { name: 'Track' });
  await track.getByLabel('Course').selectOption({ label: 'Spiral inwards' });
  await setNumber(page, 'Places', 12);
  await shot(page, 'board-track', () => track.waitFor());
  expect(await faultsInBoth(page, 'track')).toEqual([]);
  const places = layers(page).getByRole('button', { name: /^Place \d+$/ });
  await expect.poll(() => places.count()).toBe(12);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => places.count()).toBe(0);
});

test('a board begins with what is made from settings, which a reload does not make again', async () => {
  await page.goto(`${server.origin}/boards`);
  await list('Make one from settings').getByRole('button', { name: 'Tiles' }).click();
  const tiles = layers(page).getByRole('button', { name: /^Forest(?: \d)?$/ });
  await expect.poll(() => tiles.count()).toBeGreaterThan(0);
  await page
    .getByRole('complementary', { name: 'Properties' })
    .getByRole('region', { name: 'Tiles' })
    .getByLabel('Names')
    .fill('Forest × 7');
  await setNumber(page, 'Rings', 1);
  // Each tile is a group that holds its space, both of one name.
  await expect.poll(() => tiles.count()).toBe(14);
  await saved(page);
  await page.reload();
  await expect.poll(() => tiles.count()).toBe(14);
  expect(await layers(page).getByRole('button', { name: 'Tiles', exact: true }).count()).toBe(1);
});

test('a map of Tiled opens as a board, and a file that is none says so', async () => {
  await page.goto(`${server.origin}/boards`);
  const open = async (name: string, text: string) => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a Tiled map' }).click();
    await (await choosing).setFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(text) });
  };
  await open('broken.tmx', '<svg/>');
  await page.getByText('This is not a Tiled map: its XML has no map.').waitFor();
  // A download that broke off: browsers keep what they have read of it.
  await open(
    'half.tmx',
    '<map orientation="orthogonal" width="1" height="1" tilewidth="9" tileheight="9"><layer',
  );
  await page.getByText('The map breaks off or its XML is damaged.', { exact: false }).waitFor();
  await open(
    'Skerries.tmx',
    `<map orientation="hexagonal" width="3" height="2" tilewidth="32" tileheight="32" hexsidelength="16">
      <tileset firstgid="1" name="Lands"><tile id="0" type="Sea"/></tileset>
      <layer name="Ground"><data encoding="csv">1,1,1,1,0,1</data></layer>
      <objectgroup name="Places"><object name="Kel" x="56" y="28"/></objectgroup>
    </map>`,
  );
  await expect.poll(() => nameField().inputValue()).toBe('Skerries');
  await layers(page).getByText('Kel', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('the points of a path are dragged, added between two others, and moved and deleted by keys', async () => {
  await page.goto(`${server.origin}/boards`);
  await page.getByRole('button', { name: 'Blank board' }).click();
  await page.getByRole('button', { name: 'Add more' }).click();
  await page.getByRole('menuitem', { name: 'Path' }).click();
  const points = page.getByRole('button', { name: /^Point \d of \d/ });
  await expect.poll(() => points.count()).toBe(4);
  const at = async (index: number) => {
    const { x, y, width, height } = await box(points.nth(index));
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [first, second] = [await at(0), await at(1)];
  const wanted = { x: first.x - 60, y: first.y - 90 };
  await drag(page, first, wanted);
  // The point lies on the grid, at most half a millimetre from where it was let go.
  await expect.poll(async () => Math.abs((await at(0)).x - wanted.x)).toBeLessThan(3);
  expect(Math.abs((await at(0)).y - wanted.y)).toBeLessThan(3);
  expect(Math.abs((await at(1)).x - second.x)).toBeLessThan(1.5);
  await shot(page, 'path-points', () => points.first().waitFor());
  expect(await faultsInBoth(page, 'path')).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => Math.abs((await at(0)).x - first.x)).toBeLessThan(1.5);
  const between = { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
  await drag(page, between, { x: between.x, y: between.y - 50 });
  await expect.poll(() => points.count()).toBe(5);
  await points.nth(1).focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => points.count()).toBe(4);
  const before = await at(2);
  await points.nth(2).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await at(2)).x).toBeGreaterThan(before.x);
  await page.keyboard.press('Enter');
  await expect.poll(() => points.count()).toBe(5);
  expect(complaints).toEqual([]);
});

test('a board without a name gets one in a project, where components are told apart by theirs', async () => {
  await page.goto(`${server.origin}/boards`);
  await page.getByRole('button', { name: 'Blank board' }).click();
  await nameField().fill(' ');
  await page.getByRole('button', { name: 'Save to a project' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save to a project' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  await expect.poll(() => nameField().inputValue()).toBe('New board');
});
