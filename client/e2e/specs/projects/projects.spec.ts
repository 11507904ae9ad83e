/** The list of projects: details, tags, search, sort, copies, the archive and the trash. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_PRINT_SETTINGS } from '../../../src/core/imposition/settings.ts';
import { openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { dropOn, plain, storedImages } from '../../pages/images-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { cell, tableShown } from '../../pages/table-page.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';
import { starforgedRows, toCsv } from '../../starforged.ts';

const PERSON = { name: 'Ada Verne', email: 'ada@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  ({ server, browser, context, page } = await startSignedIn(PERSON));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

/** The names of the projects that show; a cover's own words come and go with its picture. */
const shown = () =>
  page
    .getByRole('list', { name: 'Projects' })
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => item.querySelector('a:not([aria-label]), strong')?.textContent?.trim() ?? ''),
    );
const choose = async (project: string, item: string, by = page) => {
  await by.getByRole('button', { name: `More for ${project}`, exact: true }).click();
  await by.getByRole('menuitem', { name: item, exact: true }).click();
};
/** Archives a project, and waits until it is gone from the list. */
async function putAway(project: string) {
  await choose(project, 'Archive');
  await page.getByRole('link', { name: `Open ${project}`, exact: true }).waitFor({ state: 'detached' });
}
/** Opens the flashcards of a component that shows. */
async function flashcards(component: string) {
  await page.getByRole('button', { name: `More for ${component}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Flashcards' }).click();
  const pile = page.getByRole('region', { name: 'Flashcard' });
  await pile.waitFor();
  return pile;
}
/** Turns to a component whose tab says that. */
async function turnTo(name: string) {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
}
const shelf = (name: string) =>
  page.getByRole('group', { name: 'Shelf' }).getByRole('button', { name }).click();

test('a newcomer opens the sample game, reads its notes, and adds tiles from combinations', async () => {
  await page.getByRole('button', { name: 'Open the sample game' }).click();
  await page.getByRole('heading', { name: 'Driftglass', level: 1 }).waitFor();
  await page.getByText('27 cards, 30 with copies').waitFor();
  await cell(page, 'Nautilus').waitFor();
  await page.getByRole('button', { name: 'Notes' }).click();
  const notes = page.getByRole('dialog', { name: 'Notes' });
  await notes.getByRole('heading', { name: 'Your turn' }).waitFor();
  await notes.getByRole('button', { name: 'Edit' }).click();
  await notes
    .getByLabel('Notes of this project')
    .fill('## Better\n\n- [no](javascript:alert(1)) and [yes](/docs)');
  await notes.getByRole('button', { name: 'Save' }).click();
  await notes.getByRole('heading', { name: 'Better' }).waitFor();
  await expect.poll(() => notes.getByRole('link').allTextContents()).toEqual(['yes']);
  await notes.getByRole('button', { name: 'Close', exact: true }).last().click();
  await notes.waitFor({ state: 'detached' });

  // One card at a time, and its back.
  const pile = await flashcards('Finds');
  await pile.getByText('1 of 27').waitFor();
  await page.keyboard.press('ArrowLeft');
  await pile.getByText('27 of 27').waitFor();
  await page.keyboard.press(' ');
  await pile.getByRole('img', { name: /^Back of card 27: / }).waitFor();
  await page.keyboard.press('ArrowRight');
  await pile.getByRole('img', { name: /^Card 1: / }).waitFor();
  await pile.getByRole('button', { name: 'Turn over' }).click();
  await pile.getByRole('img', { name: /^Back of card 1: / }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'More for Finds', exact: true }).click();
  await page.getByRole('menuitem', { name: 'All cards of the project' }).click();
  await page.getByRole('heading', { name: 'All cards', level: 1 }).waitFor();
  await page.getByText('27 cards').waitFor();
  await page.goBack();

  await page.getByRole('button', { name: 'Add component' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add component' });
  await dialog.getByText('From combinations').click();
  await dialog.getByText('3 × 9 = 27 rows').waitFor();
  await dialog.getByLabel('Values of column 1').fill('Sun, Moon');
  await dialog.getByLabel('Kind').selectOption('tiles');
  await dialog.getByLabel('Size').selectOption({ label: 'Hexagon, 2 in, 50.8 × 44.45 mm' });
  await dialog.getByRole('button', { name: 'Make 18 tiles' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('18 tiles', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();

  // Moons get the other layout; on paper there are two kinds of piece then.
  await page.getByRole('button', { name: 'More for Tiles' }).click();
  await page.getByRole('menuitem', { name: 'Layouts by a column' }).click();
  const choice = page.getByRole('dialog', { name: 'Layouts by a column' });
  await choice.getByLabel('Column').selectOption({ label: 'Suit' });
  await choice.getByLabel('Moon (9)').selectOption({ label: 'Driftglass card' });
  await choice.getByRole('button', { name: 'Save' }).click();
  await choice.waitFor({ state: 'detached' });
  // The layout knows that it is used by a column too.
  await turnTo('Finds 27');
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await page.getByRole('button', { name: 'More for this layout' }).click();
  await page.getByRole('menuitem', { name: 'Where it is used' }).click();
  const users = page.getByRole('dialog', { name: 'Where it is used' });
  await users.getByRole('heading', { name: 'Finds' }).waitFor();
  await users.getByRole('heading', { name: 'Tiles' }).waitFor();
  await users.getByRole('button', { name: 'Close', exact: true }).first().click();
  await users.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await turnTo('Tiles 18');
  const tiles = await flashcards('Tiles');
  const isWide = async () => {
    const box = await tiles.getByRole('img').boundingBox();
    return (box?.width ?? 0) > (box?.height ?? 0);
  };
  await expect.poll(isWide).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await tiles.getByText('18 of 18').waitFor();
  await expect.poll(isWide).toBe(false);
  await page.goBack();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radiogroup', { name: 'Export to' }).getByText('Pictures').click();
  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export pictures' }).click();
  await page.getByRole('link', { name: /^Download / }).click();
  const path = join(server.dataDir, 'pictures.zip');
  await (await making).saveAs(path);
  const sizes = new Map<string, number>();
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(path)))) {
    if (!name.endsWith('.png')) continue;
    const { width, height } = PNG.sync.read(Buffer.from(bytes));
    const side = width > height ? 'wide' : 'tall';
    sizes.set(side, (sizes.get(side) ?? 0) + 1);
  }
  // Nine hexagons are wider than high, nine cards are higher than wide.
  expect(sizes).toEqual(
    new Map([
      ['wide', 9],
      ['tall', 9],
    ]),
  );
  await page.goto(`${server.origin}/decks`);
  await putAway('Driftglass');
});

test('a component gets a name, a kind and a place, one back for all its cards, and others by a column', async () => {
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Signs');
  for (const [name, rows] of [
    ['signs', 'Name,Type\nAsh,Fire\nBirch,Water\n'],
    ['stones', 'Name,Type\nFlint,Fire\n'],
  ] as const) {
    const list = join(server.dataDir, `${name}.csv`);
    await writeFile(list, rows);
    await chooseFile(page, list);
    await confirmImport(page, rows.trim().split('\n').length - 1);
  }
  const tabs = () => page.getByRole('tablist', { name: 'Components' }).getByRole('tab').allTextContents();
  await expect.poll(tabs).toEqual(['Signs 2', 'Stones 1']);
  await choose('Stones', 'Details');
  const details = page.getByRole('dialog', { name: 'Component details' });
  await details.getByLabel('Component name').fill(' ');
  await details.getByRole('button', { name: 'Save' }).click();
  await details.getByText('Give the component a name.').waitFor();
  await details.getByLabel('Component name').fill('Pebbles');
  await details.getByLabel('Kind').selectOption('tokens');
  await details.getByLabel('Size').selectOption({ label: 'Square, 1 in, 25.4 × 25.4 mm' });
  await details.getByRole('button', { name: 'Save' }).click();
  await details.waitFor({ state: 'detached' });
  await page.getByText('1 token', { exact: true }).waitFor();
  await choose('Pebbles', 'Move left');
  await expect.poll(tabs).toEqual(['Pebbles 1', 'Signs 2']);
  await page.reload();
  await turnTo('Signs 2');
  await expect.poll(tabs).toEqual(['Pebbles 1', 'Signs 2']);

  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'No back' }).click();
  await page.getByRole('menuitem', { name: 'Empty back' }).click();
  await expect.poll(() => page.getByLabel('Layout name').inputValue()).toBe('Signs back');
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await page.getByRole('button', { name: 'Back: Signs back' }).waitFor();
  // Fire has the front’s own layout on its back too; water keeps the empty one.
  await choose('Signs', 'Layouts by a column');
  const choice = page.getByRole('dialog', { name: 'Layouts by a column' });
  await choice.getByText('Backs', { exact: true }).click();
  await choice.getByLabel('Column').selectOption({ label: 'Type' });
  await choice.getByLabel('Fire (1)').selectOption({ label: 'Signs' });
  await choice.getByRole('button', { name: 'Save' }).click();
  await choice.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radiogroup', { name: 'Export to' }).getByText('Pictures').click();
  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export pictures' }).click();
  await page.getByRole('link', { name: /^Download / }).click();
  const path = join(server.dataDir, 'sides.zip');
  await (await making).saveAs(path);
  const files = Object.entries(unzipSync(await readFile(path)));
  /** Number of different colours of a side. */
  const colours = (folder: string, side: string) => {
    const [, bytes] = files.find(([name]) => name.startsWith(`${folder}/${side}/`)) ?? [];
    const { data } = PNG.sync.read(Buffer.from(bytes ?? []));
    const seen = new Set<number>();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) seen.add(data.readUInt32BE(i));
    return seen.size;
  };
  expect(files.filter(([name]) => name.endsWith('.png'))).toHaveLength(4);
  expect(colours('Signs, Signs, Signs', 'fronts')).toBeGreaterThan(2);
  expect(colours('Signs, Signs, Signs', 'backs')).toBeGreaterThan(2);
  expect(colours('Signs, Signs, Signs back', 'fronts')).toBeGreaterThan(2);
  expect(colours('Signs, Signs, Signs back', 'backs')).toBe(1);
  await page.goto(`${server.origin}/decks`);
  await putAway('Signs');
});

test('projects are described, found, copied whole, archived, and go through the trash', async () => {
  await shelf('Active 0');
  await createProject(page, 'Salt Road');
  const list = join(server.dataDir, 'list.csv');
  await writeFile(list, 'Name,Text\nFox,Quick\nDog,Lazy\n');
  await chooseFile(page, list);
  await confirmImport(page, 2);
  await tableShown(page);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();

  await page.goto(`${server.origin}/decks`);
  await choose('Salt Road', 'Details');
  const details = page.getByRole('dialog', { name: 'Project details' });
  await details.getByLabel('Name').fill('Sel Gris');
  await details.getByLabel('Tags').fill('Trading, two players,trading');
  await details.getByText('First card').click();
  await details.getByRole('button', { name: 'Save' }).click();
  await details.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Open Sel Gris' }).locator('canvas').waitFor();

  await createProject(page, 'Harbour');
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('list', { name: 'Projects' }).waitFor();
  await expect.poll(shown).toEqual(['Harbour', 'Sel Gris']);
  await page.getByLabel('Search projects').fill('sel trad');
  await page.getByRole('link', { name: 'Open Harbour' }).waitFor({ state: 'detached' });
  await expect.poll(shown).toEqual(['Sel Gris']);
  await page.getByLabel('Search projects').fill('nothing like it');
  await page.getByRole('button', { name: 'Show all of them' }).click();
  await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'two players' }).click();
  await page.getByRole('link', { name: 'Open Harbour' }).waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'two players' }).click();

  await choose('Sel Gris', 'Duplicate');
  await page.getByRole('link', { name: 'Open Sel Gris copy' }).click();
  await cell(page, 'Fox').waitFor();
  await page.getByText('Layout: ', { exact: false }).first().waitFor();
  await page.goto(`${server.origin}/decks`);
  await page.getByLabel('Sort by').selectOption('name');
  await page.getByRole('list', { name: 'Projects' }).waitFor();
  await expect.poll(shown).toEqual(['Harbour', 'Sel Gris', 'Sel Gris copy']);

  await putAway('Harbour');
  await shelf('Archived 3');
  await choose('Harbour', 'Take out of the archive');
  await shelf('Active 3');
  // An act is done although the page is left at once, while its request waits behind others.
  await page.getByRole('button', { name: 'More for Harbour', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Archive', exact: true }).evaluate((item: HTMLElement) => {
    for (let i = 0; i < 60; i++) void fetch(`/?${i}`, { cache: 'no-store' }).catch(() => undefined);
    item.click();
    location.replace('about:blank');
  });
  await page.waitForURL('about:blank');
  await page.goto(`${server.origin}/decks`);
  await shelf('Archived 3');
  await choose('Harbour', 'Take out of the archive');
  await shelf('Active 3');
  await choose('Harbour', 'Move to trash');
  const gone = page.getByRole('status').filter({ hasText: '“Harbour” is in the trash.' });
  await gone.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: 'Open Harbour' }).waitFor();
  await choose('Sel Gris copy', 'Move to trash');
  await choose('Harbour', 'Move to trash');
  await shelf('Trash 2');
  await choose('Harbour', 'Restore');
  await shelf('Active 2');
  await page.getByRole('link', { name: 'Open Harbour' }).waitFor();
  await shelf('Trash 1');
  await page.getByRole('button', { name: 'Empty the trash' }).click();
  const sure = page.getByRole('dialog', { name: 'Delete this project for good?' });
  await sure.getByRole('button', { name: 'Delete for good' }).click();
  await sure.waitFor({ state: 'detached' });
  await page.getByText('The trash is empty.', { exact: false }).waitFor();
  // The remaining data is whole, after a restart too.
  await server.kill9();
  await server.restart();
  await page.goto(`${server.origin}/decks?sort=name`);
  await page.getByRole('list', { name: 'Projects' }).waitFor();
  await expect.poll(shown).toEqual(['Harbour', 'Sel Gris']);
  await page.getByRole('link', { name: 'Open Sel Gris' }).click();
  await cell(page, 'Dog').waitFor();
});

/** Takes a project away as one file. */
async function archive(project: string, file: string, by = page): Promise<Buffer> {
  const making = by.waitForEvent('download');
  await choose(project, 'Download archive', by);
  const path = join(server.dataDir, file);
  await (await making).saveAs(path);
  await by.getByRole('dialog').waitFor({ state: 'detached' });
  return readFile(path);
}

test('the archive of Starforged goes out, in, and out again: byte for byte the same', async () => {
  const rows = await starforgedRows();
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Starforged');
  const list = join(server.dataDir, 'starforged.csv');
  await writeFile(list, toCsv(rows));
  await chooseFile(page, list);
  await confirmImport(page, rows.length);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();
  // All that a project can have beside its cards goes along.
  const deck = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const rest = await RestUser.signIn(server.origin, PERSON);
  const remark = { component: 'c', card: 'k', authorId: '', authorName: PERSON.name, resolved: false };
  const run = { number: 1, at: 5, what: 'All cards', cards: 2, marks: 'k1:ab k2:cd' };
  await rest.put({
    [`projects/${deck}/notes/main`]: { text: '# Ironsworn\r\n\n“Swear” it.' },
    [`projects/${deck}/comments/b`]: { ...remark, text: 'Second', createdAt: 2 },
    [`projects/${deck}/comments/a`]: { ...remark, text: 'First', createdAt: 1 },
    [`projects/${deck}/printRuns/z`]: run,
    [`projects/${deck}/printRuns/y`]: { ...run, number: 2, at: 6 },
    [`projects/${deck}/printPresets/q`]: { name: 'Home', settings: DEFAULT_PRINT_SETTINGS, updatedAt: 1 },
    [`projects/${deck}/printPresets/p`]: {
      name: 'Home',
      settings: { ...DEFAULT_PRINT_SETTINGS, ruler: true },
      updatedAt: 1,
    },
  });
  await page.goto(`${server.origin}/decks`);
  const first = await archive('Starforged', 'first.zip');
  expect(Object.keys(unzipSync(first)).sort()).toEqual([
    'comments.json',
    'components/01-starforged/cards.csv',
    'components/01-starforged/component.json',
    'layouts/starforged.json',
    'notes.md',
    'print-history.json',
    'print-settings.json',
    'project.json',
  ]);

  // Thrown away for good, so that only the file is left of it.
  await choose('Starforged', 'Move to trash');
  await shelf('Trash 1');
  await page.getByRole('button', { name: 'Empty the trash' }).click();
  const sure = page.getByRole('dialog', { name: 'Delete this project for good?' });
  await sure.getByRole('button', { name: 'Delete for good' }).click();
  await sure.waitFor({ state: 'detached' });
  await page.getByLabel('Project archive').setInputFiles(join(server.dataDir, 'first.zip'));
  await page.getByRole('heading', { name: 'Starforged', level: 1 }).waitFor();
  await page.getByText('87 cards').first().waitFor();
  await page.getByText('Layout: ', { exact: false }).first().waitFor();
  await page.goto(`${server.origin}/decks`);
  const second = await archive('Starforged', 'second.zip');
  expect(second.equals(first)).toBe(true);

  const ruin = join(server.dataDir, 'ruin.zip');
  await writeFile(ruin, first.subarray(0, first.length / 2));
  await page.getByLabel('Project archive').setInputFiles(ruin);
  const dialog = page.getByRole('dialog', { name: 'Opening ruin.zip' });
  await dialog.getByText('damaged or incomplete', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(async () => (await shown()).filter((name) => name === 'Starforged')).toHaveLength(1);
});

test('an archive takes its pictures along into the project that is made of it', async () => {
  const fox = join(server.dataDir, 'fox.png');
  await writeFile(fox, plain([216, 36, 36]));
  await page.goto(`${server.origin}/images`);
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(page, [fox]);
  await page.getByRole('option', { name: 'fox.png', exact: true }).waitFor();
  const [image] = await storedImages(server, PERSON);
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Zoo');
  const list = join(server.dataDir, 'zoo.csv');
  await writeFile(list, `Name,Art\nFox,image:${image?.id}/fox.png\nTwin,fox.png\n`);
  await chooseFile(page, list);
  await confirmImport(page, 2);
  await tableShown(page);
  await page.goto(`${server.origin}/decks`);
  const first = await archive('Zoo', 'zoo.zip');
  const files = unzipSync(first);
  expect(Buffer.from(files['images/fox.png'] ?? []).equals(plain([216, 36, 36]))).toBe(true);

  const other = { name: 'Bo Lind', email: 'bo@example.com', password: 'a long enough one' };
  const { context: bosContext, page: bo } = await openPage(browser);
  try {
    await signUp(bo, server.origin, other);
    await verify(bo, server, other);
    for (const [file, copies] of [
      ['first.zip', 1],
      ['second.zip', 2],
    ] as const) {
      await bo.goto(`${server.origin}/decks`);
      await bo.getByRole('button', { name: 'Open archive' }).waitFor();
      await bo.getByLabel('Project archive').setInputFiles(join(server.dataDir, 'zoo.zip'));
      await bo.getByRole('heading', { name: 'Zoo', level: 1 }).waitFor();
      await tableShown(bo);
      const project = new URL(bo.url()).pathname.split('/').at(-1) ?? '';
      const theirs = await storedImages(server, other, project);
      expect(theirs.map(({ path, hash }) => ({ path, hash }))).toEqual([
        { path: 'fox.png', hash: image?.hash },
      ]);
      expect(theirs[0]?.id).not.toBe(image?.id);
      expect(await storedImages(server, other), 'nothing goes into the library').toEqual([]);
      await bo.goto(`${server.origin}/decks`);
      if (copies === 1) expect((await archive('Zoo', file, bo)).equals(first)).toBe(true);
    }
  } finally {
    await bosContext.close();
  }
});
