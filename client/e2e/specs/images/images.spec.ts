/** A folder tree of 300 images: dropped, called off, taken up, the server killed, and every file there once. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  dropOn,
  painted,
  picture,
  plain,
  sha256,
  storedImages,
  Turnstile,
  writeTree,
} from '../../pages/images-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import { allSaved, cell, tableShown } from '../../pages/table-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Ida Holm', email: 'ida@example.com', password: 'a long enough one' };
const IMAGES = 300;
/** Every so many is large enough to be sent in parts. */
const LARGE_EVERY = 20;

let server: Server;
let browser: Browser;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tuckbox-art-'));
  ({ server, browser, page } = await startSignedIn(PERSON));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const uploads = () => page.getByRole('region', { name: 'Uploads' });

/** Waits until so many files are over and well. */
async function finished(count: number): Promise<void> {
  await page.waitForFunction((least) => {
    const text = document.querySelector('section[aria-label="Uploads"] strong')?.textContent ?? '';
    const [, done = '0'] = /(\d+) (?:of|files? uploaded)/.exec(text) ?? [];
    return Number(done) >= least;
  }, count);
}

test('every file is there once, whatever happens on the way', async () => {
  const tree = new Map<string, Buffer>();
  for (let i = 0; i < IMAGES; i++) {
    const place = ['Art', `Art/Set ${i % 7}`, `Art/Set ${i % 7}/Part ${i % 3}`][i % 3];
    tree.set(
      `${place}/picture ${i}.png`,
      picture(i % LARGE_EVERY === 0 ? 520 : 12, i, i % LARGE_EVERY === 0),
    );
  }
  tree.set('Art/.hidden.png', picture(2, 1));
  tree.set('Art/notes.txt', Buffer.from('no picture'));
  const hashes = await writeTree(folder, tree);
  hashes.delete('Art/.hidden.png');
  hashes.delete('Art/notes.txt');

  await page.goto(`${server.origin}/images`);
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  // However fast the machine is, there are files left at every turn.
  const turnstile = new Turnstile();
  await turnstile.install(page);
  turnstile.allow(40);
  await dropOn(page, [join(folder, 'Art')]);
  await finished(20);
  await uploads().getByRole('button', { name: 'Cancel', exact: true }).click();
  await uploads()
    .getByText(/files cancelled/)
    .waitFor();
  turnstile.allow(60);
  await uploads().getByRole('button', { name: 'Take up again' }).click();
  await finished(60);
  await uploads().getByRole('button', { name: 'Pause' }).click();
  await uploads()
    .getByText(/^Paused/)
    .waitFor();
  turnstile.allow(60);
  await uploads().getByRole('button', { name: 'Resume' }).click();
  await finished(90);
  await server.kill9();
  await server.restart();
  turnstile.allow(80);
  await finished(130);
  // The page is closed in the middle, and what is left is taken up by the next one.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await uploads()
    .getByText(/^\d+ files uploaded$/)
    .waitFor({ timeout: 60_000 })
    .catch(async (error) => {
      const shown = (await uploads().allInnerTexts()).join(' ').slice(0, 400);
      throw new Error(`The uploads did not end well; the panel says: “${shown}”`, { cause: error });
    });

  const stored = await storedImages(server, PERSON);
  expect(stored.map(({ path }) => path).sort()).toEqual([...hashes.keys()].sort());
  expect(Object.fromEntries(stored.map(({ path, hash }) => [path, hash]))).toEqual(
    Object.fromEntries(hashes),
  );
  for (const { path, url } of stored) {
    const reply = await fetch(server.origin + url);
    expect(sha256(new Uint8Array(await reply.arrayBuffer())), path).toBe(hashes.get(path));
  }
});

const tile = (path: string) => page.getByRole('option', { name: path, exact: true });

async function openDeck(): Promise<void> {
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('link', { name: 'Open Gallery' }).click();
}

test('cards keep their images when these are renamed, moved and replaced; a deleted one says what used it', async () => {
  // Typed by name, chosen in a cell, and chosen for a zone.
  const colours = { red: [216, 36, 36], green: [36, 180, 72], blue: [36, 72, 216] } as const;
  const files = Object.entries(colours).map(([name, color]) => [`${name}.png`, plain(color)] as const);
  await writeTree(folder, new Map([...files, ['other.png', plain([250, 200, 10])]]));
  await page.goto(`${server.origin}/images`);
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(
    page,
    files.map(([name]) => join(folder, name)),
  );
  for (const [name] of files) await tile(name).waitFor();

  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Gallery');
  const list = join(folder, 'list.csv');
  await writeFile(list, 'Name,Art\nTyped,red.png\nChosen,nothing.png\n');
  await chooseFile(page, list);
  await confirmImport(page, 2);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await tableShown(page);
  await cell(page, 'nothing.png').click();
  await page.getByRole('button', { name: 'Choose an image' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose an image' });
  // The project may have the image already that the first card names: then its own are offered first.
  await dialog.getByText('Your images', { exact: true }).click();
  await dialog.getByLabel('Search').fill('green');
  await dialog.getByRole('option', { name: 'green.png', exact: true }).click();
  await dialog.getByRole('button', { name: 'Use image' }).click();
  await dialog.waitFor({ state: 'detached' });
  await cell(page, 'green.png').waitFor();
  await allSaved(page);
  await painted(page, colours.red);
  await painted(page, colours.green);

  // The project has them now. One gets another name, then all move into a folder.
  const ofProject = `${server.origin}/decks/images/${new URL(page.url()).pathname.split('/').at(-1)}`;
  await page.goto(ofProject);
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  await dropOn(page, [join(folder, 'blue.png')]);
  await tile('blue.png').waitFor();
  await tile('red.png').click();
  await page.getByLabel('Name', { exact: true }).fill('crimson.png');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await tile('crimson.png').waitFor();
  await tile('blue.png').click();
  await tile('crimson.png').click({ modifiers: ['Control'] });
  await tile('green.png').click({ modifiers: ['Control'] });
  await page.getByLabel('Move to folder').fill('Paints/Plain');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByRole('link', { name: /^Paints/ }).click();
  await page.getByRole('link', { name: /^Plain/ }).click();
  await tile('Paints/Plain/crimson.png').waitFor();
  await openDeck();
  await tableShown(page);
  await painted(page, colours.red);
  await painted(page, colours.green);
  await cell(page, 'Paints/Plain/green.png').waitFor();

  // Another picture takes its place: every card shows that.
  await page.goto(`${ofProject}/Paints/Plain`);
  await tile('Paints/Plain/green.png').click();
  await page.getByLabel('Picture to put in its place').setInputFiles(join(folder, 'other.png'));
  await page.getByText('Replaced wherever it is used.').waitFor();
  await openDeck();
  await tableShown(page);
  await painted(page, [250, 200, 10]);

  await page.goto(`${ofProject}/Paints/Plain`);
  await tile('Paints/Plain/crimson.png').click();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: 'Delete this image?' });
  await question.getByRole('link', { name: 'Card “Typed” of “Gallery”' }).waitFor();
  await question.getByRole('button', { name: 'Delete image' }).click();
  await tile('Paints/Plain/crimson.png').waitFor({ state: 'detached' });
});

test('a name typed right before the page is left takes its image into the project all the same', async () => {
  await page.goto(`${server.origin}/images`);
  await page.getByRole('button', { name: 'Upload images' }).waitFor();
  await writeTree(folder, new Map([['late.png', plain([90, 30, 160])]]));
  await dropOn(page, [join(folder, 'late.png')]);
  await tile('late.png').waitFor();
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Left early');
  const list = join(folder, 'late.csv');
  await writeFile(list, 'Name,Art\nTyped,nothing.png\n');
  await chooseFile(page, list);
  await confirmImport(page, 1);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await tableShown(page);
  await allSaved(page);
  await cell(page, 'nothing.png').dblclick();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('late.png');
  await page.keyboard.press('Enter');
  await cell(page, 'late.png').waitFor();
  await allSaved(page);
  // Nothing of the page goes on.
  await page.goto(`${server.origin}/decks/images/${new URL(page.url()).pathname.split('/').at(-1)}`);
  await tile('late.png').waitFor();
});

test('an icon of the icon library becomes an image that names its author', async () => {
  await page.goto(`${server.origin}/layouts`);
  await page.getByRole('button', { name: 'New layout' }).first().click();
  await page.getByRole('button', { name: 'Add image' }).click();
  await page.getByRole('button', { name: 'Choose image', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose an image' });
  await dialog.getByText('Icons', { exact: true }).click();
  await dialog.getByLabel('Search icons').fill('crossed swords');
  await dialog.getByRole('button', { name: 'crossed swords', exact: true }).click();
  await dialog.getByText('crossed swords, by Lorc (CC BY 3.0).').waitFor();
  await dialog.getByLabel('Icon colour').fill('#0a7a3c');
  await dialog.getByRole('button', { name: 'Use icon' }).click();
  await dialog.waitFor({ state: 'detached' });
  await painted(page, [10, 122, 60]);
  await page.goto(`${server.origin}/images/Icons`);
  await tile('Icons/crossed-swords.svg').click();
  await expect.poll(() => page.getByLabel('Credit', { exact: true }).inputValue()).toContain('Lorc');
});
