/** The card table, whole: real decks and a large one, edited, pasted into, taken back, imported again, restarted. */

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { launch, openPage } from '../../browser.ts';
import { EOP_COLUMNS, eopFile, eopRows } from '../../eop.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { shot } from '../../pages/export-page.ts';
import { drawn } from '../../pages/hand.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import {
  allSaved,
  cell,
  cellsNow,
  copied,
  importButton,
  importFile,
  paste,
  previewCounts,
  tableShown,
  typeOver,
} from '../../pages/table-page.ts';
import { Server } from '../../server.ts';
import { COLUMNS, starforgedRows, toCsv } from '../../starforged.ts';

const PERSON = { name: 'Ada Verne', email: 'ada@example.com', password: 'a long enough one' };
const LARGE = { rows: 5_000, columns: 30 };
const PASTED = { rows: 2_000, columns: 20 };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Body that the site at `site` answers with now. */
let served = '';
const site = createServer((_, response) => response.setHeader('content-type', 'text/csv').end(served));

beforeAll(async () => {
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  const { port } = site.address() as AddressInfo;
  [server, browser] = await Promise.all([
    Server.start({ tuckbox: { tables: { hosts: [], privateHosts: [`127.0.0.1:${port}`] } } }),
    launch(),
  ]);
  ({ context, page } = await openPage(browser));
  // Thousands of rows take a while on a busy machine.
  context.setDefaultTimeout(90_000);
  await signUp(page, server.origin, PERSON);
  await verify(page, server, PERSON);
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
  site.close();
});

async function start(name: string, file: string, bytes: string | Buffer, cards: number): Promise<void> {
  await page.goto(`${server.origin}/decks`);
  await createProject(page, name);
  const path = join(server.dataDir, file);
  await writeFile(path, bytes);
  await chooseFile(page, path);
  await confirmImport(page, cards);
  await tableShown(page);
}

/** Every card's cells once the server was killed and started again and the page is loaded anew. */
async function afterPowerCut(): Promise<Record<string, string>[]> {
  await allSaved(page);
  await server.kill9();
  await server.restart();
  await page.reload();
  await tableShown(page);
  return cellsNow(page);
}

test('Starforged: edit, undo, copy and paste, import again, see exactly what changed', async () => {
  const rows = await starforgedRows();
  await start('Starforged', 'starforged.csv', toCsv(rows), rows.length);

  await cell(page, 'Banshee').click();
  await typeOver(page, 'Wailer');
  await cell(page, 'Wailer').waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, 'Banshee').waitFor();
  await page.keyboard.press('Control+y');
  await cell(page, 'Wailer').click();
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(async () => (await copied(page)).text).toBe('Wailer\nCombat Bot');
  await paste(page, '"Two\r\nlines ""here"""\r\nBot\r\n');
  await cell(page, 'Two ⏎ lines "here"').waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, 'Combat Bot').waitFor();
  await allSaved(page);

  const changed = rows.map((row) => [...row]);
  const at = (name: string) => changed.findIndex((row) => row[1] === name);
  // The file knows nothing of the new name, so that card changes back; one card goes, one comes.
  (changed[at('Glowcat')] as string[])[4] = 'It glows, "mostly".\nAt night.';
  changed.splice(at('Sprite'), 1);
  changed.push(['mine/assets/newcomer', 'Newcomer', 'Companion', '#3d8b8a', 'One', 'Two', 'Three']);
  const again = join(server.dataDir, 'again.csv');
  await writeFile(again, toCsv(changed));
  await importFile(page, again);
  await expect
    .poll(() => previewCounts(page))
    .toEqual({
      Added: '1',
      Changed: '2',
      'Not in the file': '1',
      Unchanged: '84',
    });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: /^Delete 1 card/ }).check();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await cell(page, 'Banshee').waitFor();
  await page.getByText('87 cards').first().waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, 'Sprite').waitFor();
  await cell(page, 'Wailer').waitFor();
  await page.keyboard.press('Control+y');
  await allSaved(page);
  await importFile(page, again);
  await expect
    .poll(() => previewCounts(page))
    .toEqual({
      Added: '0',
      Changed: '0',
      'Not in the file': '0',
      Unchanged: '87',
    });
  await page.keyboard.press('Escape');
  // A page that is loaded anew can take the import back all the same, and do it again.
  await page.reload();
  await tableShown(page);
  const bar = page.getByRole('toolbar', { name: 'Table' });
  await bar.getByRole('button', { name: 'Undo import' }).click();
  await cell(page, 'Sprite').waitFor();
  await cell(page, 'Wailer').waitFor();
  await allSaved(page);
  await page.reload();
  await tableShown(page);
  await bar.getByRole('button', { name: 'Redo import' }).click();
  await cell(page, 'Banshee').waitFor();
  const cells = await afterPowerCut();
  expect(cells.map((card) => COLUMNS.map((name) => card[name])).sort()).toEqual(changed.sort());
});

test('six suits of thirteen: semicolons, UTF-16, copies; an address looked at again; grouping and checks', async () => {
  const rows = eopRows();
  await start('Threats', 'threats.csv', eopFile(rows), 78);
  await page.getByText('78 cards, 84 with copies').waitFor();
  // Edited here, changed in the file: the preview tells exactly these apart from the other 75.
  await cell(page, rows[1]?.[2] ?? '').click();
  await typeOver(page, 'Edited in the table');
  await allSaved(page);
  const changed = rows.map((row) => [...row]);
  (changed[40] as string[])[2] = 'Rewritten; in the file';
  (changed[77] as string[])[3] = '3';
  const again = join(server.dataDir, 'threats-again.csv');
  await writeFile(again, eopFile(changed));
  await importFile(page, again);
  await expect
    .poll(() => previewCounts(page))
    .toEqual({
      Added: '0',
      Changed: '3',
      'Not in the file': '0',
      Unchanged: '75',
    });
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('78 cards, 85 with copies').waitFor();
  const cells = await afterPowerCut();
  expect(cells.map((card) => EOP_COLUMNS.map((name) => card[name]))).toEqual(changed);

  await page.getByRole('button', { name: 'Column Suit' }).click();
  await page.getByRole('menuitem', { name: 'Group by this' }).click();
  await page.locator('.sheet-group', { hasText: 'Denial' }).waitFor();
  await page.getByRole('button', { name: 'Grouped by Suit: stop' }).click();

  const { port } = site.address() as AddressInfo;
  served = 'Suit,Rank,Text,Copies\nSpoofing,2,Changed at the source,1\n';
  await importButton(page).click();
  await page.getByRole('menuitem', { name: /web address/ }).click();
  await page.getByLabel('Address').fill('http://169.254.169.254/latest');
  await page.getByRole('button', { name: 'Fetch' }).click();
  await page.getByText(/does not fetch tables from 169\.254\.169\.254/).waitFor();
  await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/cards.csv`);
  await page.getByRole('button', { name: 'Fetch' }).click();
  await page.getByRole('button', { name: 'Show what would change' }).click();
  await expect
    .poll(() => previewCounts(page))
    .toMatchObject({ Added: '0', Changed: '1', 'Not in the file': '77' });
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await cell(page, 'Changed at the source').waitFor();
  served = served.replace('source', 'spring');
  await importButton(page).click();
  await page.getByRole('menuitem', { name: 'Look at the address again' }).click();
  await page.getByRole('dialog').getByText('Changed at the spring').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('region', { name: 'Cards', exact: true }).waitFor();
  await cell(page, 'Changed at the source').click();
  await typeOver(page, 'Pay {nothing} to go');
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.getByRole('button', { name: /\{nothing\} is no variable/ }).click();
  await page.locator('.dsg-active-cell').waitFor();
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await page.getByRole('img', { name: /^Suit: .*Spoofing 14/ }).waitFor();
});

test('columns are hidden, kept in view and made wider; cells are replaced by a regular expression', async () => {
  const more = Array.from({ length: 12 }, (_, i) => `More ${i + 1}`);
  const file = [
    ['Cost', 'Name', 'Text', ...more],
    ['1', 'Fox', 'quick fox', ...more],
    ['2', 'Dog', 'lazy dog', ...more],
    ['3', 'Owl', 'wise owl', ...more],
  ];
  await start('Columns', 'columns.csv', file.map((row) => row.join(',')).join('\n'), 3);
  const menu = async (column: string, item: string): Promise<void> => {
    await page.getByRole('button', { name: `Column ${column}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await menu('Cost', 'Hide');
  await page.getByRole('button', { name: 'Column Cost' }).waitFor({ state: 'detached' });
  await menu('Name', 'Keep in view');
  const scroller = page.locator('.sheet .dsg-container');
  const boxOf = async (of: Locator) => {
    const box = await of.boundingBox();
    if (!box) throw new Error('Not to be seen.');
    return { left: Math.round(box.x), right: Math.round(box.x + box.width), top: Math.round(box.y) };
  };
  const before = await boxOf(cell(page, 'Fox'));
  await scroller.evaluate((element) => element.scrollTo({ left: 900 }));
  await page.getByRole('button', { name: 'Column More 8' }).waitFor();
  await expect.poll(() => boxOf(cell(page, 'Fox'))).toEqual(before);
  // It is the column itself: the cursor goes there where it is seen, and what is typed is typed into it.
  await cell(page, 'Fox').click();
  await expect.poll(() => boxOf(page.locator('.dsg-active-cell'))).toMatchObject({ left: before.left });
  await typeOver(page, 'Vixen');
  await cell(page, 'Vixen').waitFor();
  await expect.poll(() => scroller.evaluate((element) => element.scrollLeft)).toBe(900);
  // Whatever the cursor goes to next comes out from under it.
  await cell(page, 'Vixen').click();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await boxOf(page.locator('.dsg-active-cell'))).left).toBe(before.right);
  await expect.poll(() => boxOf(cell(page, 'quick fox'))).toMatchObject({ left: before.right });
  await menu('Text', 'Edit column…');
  const form = page.getByRole('dialog');
  await form.getByLabel('Width').fill('480');
  await form.getByRole('button', { name: 'Save', exact: false }).click();
  await form.waitFor({ state: 'detached' });
  await allSaved(page);
  await page.reload();
  await tableShown(page);
  await scroller.evaluate((element) => element.scrollTo({ left: 900 }));
  await page.getByRole('button', { name: 'Column More 8' }).waitFor();
  await expect.poll(() => boxOf(cell(page, 'Owl'))).toMatchObject({ left: before.left });
  await scroller.evaluate((element) => element.scrollTo({ left: 0 }));
  await expect.poll(() => page.getByRole('button', { name: 'Column Cost' }).count()).toBe(0);
  await expect.poll(async () => (await cell(page, 'quick fox').boundingBox())?.width).toBeGreaterThan(400);
  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('menuitem', { name: 'Show Cost' }).click();
  await page.getByRole('button', { name: 'Column Cost' }).waitFor();
  // Whatever a column is called: marked, its numbers are how many there are of each card.
  await menu('Cost', 'Edit column…');
  await form.getByLabel('Says how many copies there are').check();
  await form.getByRole('button', { name: 'Save column' }).click();
  await page.getByText('3 cards, 6 with copies').waitFor();
  await form.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Find and replace (Ctrl+F)' }).click();
  const find = page.getByRole('dialog', { name: 'Find and replace' });
  await find.getByLabel('Find', { exact: true }).fill('(\\w+) (fox|dog)');
  await find.getByLabel('Regular expression').check();
  await find.getByLabel('Replace with').fill('$2, $1');
  await find.getByRole('button', { name: 'Replace all' }).click();
  await find.getByText('2 cells changed.').waitFor();
  await page.keyboard.press('Escape');
  await find.waitFor({ state: 'detached' });
  await cell(page, 'dog, lazy').waitFor();
  await page.getByRole('button', { name: /^Undo replace/i }).click();
  await cell(page, 'lazy dog').waitFor();
  await allSaved(page);
});

test('columns are moved, formulas and sums stand at the foot, the cards keep step with the rows; a missing column is added', async () => {
  const body = Array.from({ length: 40 }, (_, i) => `Card ${i + 1},${i + 101},Text ${i + 1}`);
  await start('Steps', 'steps.csv', ['Name,Cost,Text', ...body].join('\n'), 40);
  const order = () =>
    page
      .locator('.sheet .dsg-row-header [data-column]')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['column']).slice(0, 3));
  await page.getByRole('button', { name: 'Column Cost' }).click();
  await page.getByRole('menuitem', { name: 'Move left' }).click();
  await expect.poll(order).toEqual(['cost', 'name', 'text']);
  const middle = async (name: string): Promise<[number, number]> => {
    const box = await page.locator('.sheet .dsg-row-header').getByText(name, { exact: true }).boundingBox();
    if (!box) throw new Error(`no column ${name}`);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...(await middle('Text')));
  await page.mouse.down();
  await page.mouse.move(...(await middle('Cost')), { steps: 4 });
  await page.mouse.up();
  await expect.poll(order).toEqual(['text', 'cost', 'name']);

  await page.getByRole('button', { name: /^Columns/ }).click();
  await page.getByRole('menuitem', { name: 'New column…' }).click();
  const form = page.getByRole('dialog', { name: 'New column' });
  await form.getByLabel('Name', { exact: true }).fill('Double');
  await form.getByLabel('Type').selectOption({ label: 'Formula' });
  // Columns are offered while they are typed, and functions with what they take.
  const formula = form.getByLabel('Formula', { exact: true });
  await formula.pressSequentially('if(co');
  await form.getByRole('option', { name: /^Cost/ }).waitFor();
  await shot(page, 'formula-offers', () => drawn(page));
  expect(await faultsInBoth(page, 'names in a formula')).toEqual([]);
  await formula.press('Enter');
  await form.getByText('if(test, then, otherwise)').waitFor();
  await formula.pressSequentially(' > 0, cost * 2, 0)');
  expect(await formula.inputValue()).toBe('if(Cost > 0, cost * 2, 0)');
  await form.getByRole('button', { name: 'Add column' }).click();
  await form.waitFor({ state: 'detached' });
  const totals = page.locator('.sheet .sheet-totals');
  const search = page.getByLabel('Search the table');
  await search.fill('Card 3');
  for (const sum of ['Σ 1448', 'Σ 2896']) await totals.getByText(sum, { exact: true }).waitFor();
  await cell(page, '130').click();
  await typeOver(page, '200');
  await cell(page, '400').waitFor();
  for (const sum of ['Σ 1518', 'Σ 3036']) await totals.getByText(sum, { exact: true }).waitFor();
  await search.fill('');
  await allSaved(page);
  await page.reload();
  await tableShown(page);
  await expect.poll(order).toEqual(['text', 'cost', 'name']);

  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  const strip = page.getByRole('region', { name: 'Cards', exact: true });
  await strip.getByRole('button', { name: 'Card 1', exact: true }).waitFor();
  const scrollTo = (row: number) =>
    page.locator('.sheet .dsg-container').evaluate((element, row) => {
      const height = element.querySelector('.dsg-row:not(.dsg-row-header)')?.clientHeight ?? 0;
      element.scrollTop = height * row;
    }, row);
  /** The card at the strip's left edge. */
  const leftmost = () =>
    strip.evaluate((element) => {
      const edge = element.getBoundingClientRect().left;
      const shown = [...element.querySelectorAll<HTMLElement>('[data-card]')];
      return shown.find((card) => card.getBoundingClientRect().right > edge + 14)?.getAttribute('aria-label');
    });
  const setting = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More for the table' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await scrollTo(9);
  await expect.poll(leftmost).toBe('Card 10');
  await setting('Do not scroll the cards along');
  await scrollTo(0);
  await cell(page, 'Card 1').waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect.poll(leftmost).toBe('Card 10');
  await setting('Scroll the cards along');
  await setting('Jump from card to card');
  await scrollTo(4);
  await expect.poll(leftmost).toBe('Card 5');
  // Each leads to the other.
  await strip.getByRole('button', { name: 'Card 7', exact: true }).click();
  await strip
    .locator('[data-current]')
    .and(page.getByRole('button', { name: 'Card 7' }))
    .waitFor();
  await cell(page, 'Card 12').click();
  await expect.poll(leftmost).toBe('Card 12');

  await page.getByRole('button', { name: 'Column Cost' }).click();
  await page.getByRole('menuitem', { name: 'Delete column' }).click();
  await page.getByRole('tab', { name: 'Checks' }).click();
  const gone = page.getByRole('region', { name: 'Column is missing' });
  // Once, not for each card.
  await gone.getByRole('button', { name: /Add this column/ }).click();
  await expect
    .poll(async () => (await form.getByLabel('Name', { exact: true }).inputValue()).toLowerCase())
    .toBe('cost');
  await form.getByRole('button', { name: 'Add column' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Column Cost' }).waitFor();
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.getByText(/to look at|cards checked/).waitFor();
  await expect.poll(() => gone.count()).toBe(0);
  // Coming back to the table does not open the form again.
  await page.getByRole('tab', { name: 'Table' }).click();
  await tableShown(page);
  expect(await form.count()).toBe(0);
});

test('5,000 by 30: a paste of 2,000 by 20 from Excel, undone, done again, and there after a power cut', async () => {
  const letter = (column: number) => `c${column}`;
  const header = Array.from({ length: LARGE.columns }, (_, i) => letter(i));
  const body = Array.from({ length: LARGE.rows }, (_, y) => header.map((name) => `${name}-${y}`).join(','));
  await start('Large', 'large.csv', [header.join(','), ...body].join('\n'), LARGE.rows);
  await cell(page, 'c0-0').click();
  const block = Array.from({ length: PASTED.rows }, (_, y) =>
    Array.from({ length: PASTED.columns }, (_, x) =>
      x === 1 && y % 100 === 0 ? `"p\r\n${y}"` : `p${x}-${y}`,
    ).join('\t'),
  ).join('\r\n');
  await paste(page, `${block}\r\n`);
  await cell(page, 'p0-0').waitFor();
  await page.keyboard.press('Control+z');
  await cell(page, 'c0-0').waitFor();
  await page.keyboard.press('Control+y');
  await cell(page, 'p0-0').waitFor();
  const cells = await afterPowerCut();
  await cell(page, 'p0-0').waitFor();
  expect(cells.length).toBe(LARGE.rows);
  expect(cells[0]).toMatchObject({ c0: 'p0-0', c1: 'p\n0', c19: 'p19-0', c20: 'c20-0' });
  expect(cells[PASTED.rows - 1]).toMatchObject({
    c0: `p0-${PASTED.rows - 1}`,
    c20: `c20-${PASTED.rows - 1}`,
  });
  expect(cells[PASTED.rows]).toMatchObject({ c0: `c0-${PASTED.rows}` });
});

test('two browsers in one table, one offline for a while: both end alike, nothing typed is lost', async () => {
  await start('Together', 'together.csv', 'Name,Text\nFox,quick\nDog,lazy\nOwl,wise\n', 3);
  const other = await openPage(browser);
  await other.context.addCookies(await context.cookies());
  const second = other.page;
  await second.goto(`${server.origin}/login`);
  await second.getByLabel('E-mail').fill(PERSON.email);
  await second.getByRole('textbox', { name: 'Password' }).fill(PERSON.password);
  await second.getByRole('button', { name: 'Log in' }).click();
  await second.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await second.goto(page.url());
  await tableShown(second);

  // Each sees where the other is, and what the other writes.
  await cell(page, 'Fox').click();
  await second.locator('.sheet').getByText(PERSON.name).waitFor();
  await page.keyboard.press('Enter');
  await second.getByText(`${PERSON.name} is typing…`).waitFor();
  await page.keyboard.press('Escape');
  await typeOver(page, 'Red fox');
  await cell(second, 'Red fox').waitFor();

  await other.context.setOffline(true);
  await cell(second, 'lazy').click();
  await typeOver(second, 'typed offline');
  await second.getByText(/Offline: 1 card kept here/).waitFor();
  // Enter went on to the cell below.
  await typeOver(second, 'older, offline');
  await second.getByText(/Offline: 2 cards kept here/).waitFor();
  await cell(page, 'wise').click();
  await typeOver(page, 'typed online');
  await cell(page, 'Dog').click();
  await typeOver(page, 'Hound');
  await allSaved(page);
  // Even a closed window loses nothing: what it kept is taken over by the next.
  await second.close();
  await other.context.setOffline(false);
  const third = await other.context.newPage();
  await third.goto(page.url());
  for (const one of [page, third]) {
    for (const text of ['Red fox', 'Hound', 'typed offline', 'typed online']) await cell(one, text).waitFor();
    await allSaved(one);
  }
  // The older text of a cell that was changed since replaces nothing unseen.
  await third.getByRole('button', { name: '1 text changed elsewhere, too' }).click();
  const dialog = third.getByRole('dialog');
  await dialog.getByText('typed online').waitFor();
  await dialog.getByRole('button', { name: 'Keep my text: Text, card 3' }).click();
  await dialog.waitFor({ state: 'hidden' });
  for (const one of [page, third]) await cell(one, 'older, offline').waitFor();
  await allSaved(third);
  await other.context.close();
});

test('the address of a table is looked at again by the clock, and nothing is written unseen', async () => {
  const { port } = site.address() as AddressInfo;
  await start('Followed', 'followed.csv', 'Name,Cost\nFox,1\nOwl,2\n', 2);
  served = 'Name,Cost\nFox,30\nOwl,2\n';
  await importButton(page).click();
  await page.getByRole('menuitem', { name: /web address/ }).click();
  await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/cards.csv`);
  await page.getByLabel(/^Look again every/).fill('1');
  await page.getByRole('button', { name: 'Fetch' }).click();
  await page.getByRole('button', { name: 'Show what would change' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await cell(page, '30').waitFor();
  await allSaved(page);

  served = 'Name,Cost\nFox,30\nOwl,50\n';
  await page.clock.install();
  await page.reload();
  await tableShown(page);
  // The table may not look at the clock yet when it is shown.
  await expect
    .poll(async () => {
      await page.clock.fastForward('01:01');
      return page.getByText('1 change at the address of this table.').count();
    })
    .toBeGreaterThan(0);
  await cell(page, '2').waitFor();
  await page.getByRole('button', { name: 'Show', exact: true }).first().click();
  await expect.poll(() => previewCounts(page)).toMatchObject({ Changed: '1', Unchanged: '1' });
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await cell(page, '50').waitFor();
  await allSaved(page);
});
