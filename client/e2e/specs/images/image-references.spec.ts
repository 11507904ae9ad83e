/** Hundreds of images and the cards that show them: references outlive renames and moves; pasting, crop and focus. */

import type { Browser, Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ImageLibrary } from '../../../src/core/images/library.ts';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { settled } from '../../axe.ts';
import { plain, storedImages } from '../../pages/images-page.ts';
import { tableShown } from '../../pages/table-page.ts';
import { storeImage } from '../../rest-images.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Rune Falk', email: 'rune@example.com', password: 'a long enough one' };
const IMAGES = 300;
/** Files that the images share; each is of one colour. */
const FILES = 30;
type Color = readonly [number, number, number];
const RED: Color = [200, 20, 20];
const GREEN: Color = [20, 160, 40];
const BLUE: Color = [20, 60, 200];

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

const colorOf = (image: number): Color => [(image % FILES) * 8, 90, 255 - (image % FILES) * 8];
const pathOf = (image: number) => `Art/Set ${image % 7}/picture ${image}.png`;
/** Ways a sheet names an image: by path, by name, by name without ending, or by the reference that picking stores. */
const namedAs = (image: number) =>
  [pathOf(image), `picture ${image}.png`, `Picture ${image}`, `image:i${image}/${pathOf(image)}`][
    image % 4
  ] ?? '';
const cells = (image: number) => ({
  name: `Card ${image}`,
  art: namedAs(image),
  text: image % 10 === 0 ? `Pay {picture ${image + 1}.png}` : '',
});

/** Three stripes side by side. */
function stripes(): Buffer {
  const png = new PNG({ width: 192, height: 64 });
  for (let i = 0; i < png.data.length; i += 4)
    png.data.set([...([RED, GREEN, BLUE][Math.floor(((i / 4) % 192) / 64)] ?? RED), 255], i);
  return PNG.sync.write(png);
}

async function seed(user: RestUser): Promise<void> {
  const files = await Promise.all(
    Array.from({ length: FILES }, (_, i) =>
      storeImage(user, `users/${user.uid}/images/${i}.png`, plain(colorOf(i))),
    ),
  );
  const all = Array.from({ length: IMAGES }, (_, i) => i);
  await user.put(
    Object.fromEntries(
      all.map((i) => [`library/images/items/i${i}`, { ...files[i % FILES], path: pathOf(i) }]),
    ),
  );
  const layout = newLayout('Whole picture');
  const art = newZone('image', 'art', 'Art', { x: 0, y: 0, w: layout.size.w, h: layout.size.h });
  art.bindings = { source: { mode: 'column', column: 'Art' } };
  const text = newZone('text', 'text', 'Text', { x: 6, y: 70, w: 50, h: 12 });
  text.bindings = { text: { mode: 'column', column: 'Text' } };
  layout.zones = [art, text];
  const columns = [
    { key: 'name', name: 'Name', type: 'text' },
    { key: 'art', name: 'Art', type: 'image' },
    { key: 'text', name: 'Text', type: 'text' },
  ];
  const part = { kind: 'cards', layoutId: 'whole', columns };
  await user.put({
    'library/images/items/stripes': {
      ...(await storeImage(user, `users/${user.uid}/images/stripes.png`, stripes())),
      path: 'stripes.png',
    },
    'projects/d/layouts/whole': {
      name: 'Whole picture',
      version: 1,
      revision: 0,
      updatedAt: 1,
      scene: layout,
    },
    'projects/d': { name: 'Gallery', createdAt: 1, updatedAt: 1 },
    'projects/d/components/all': { ...part, name: 'All', order: 1, cardCount: IMAGES },
    'projects/d/components/one': { ...part, name: 'One', order: 2, cardCount: 1 },
    'projects/d/components/one/cards/c': {
      order: 1,
      copies: 1,
      cells: { name: 'Flag', art: 'stripes.png', text: '' },
    },
    ...Object.fromEntries(
      all.map((i) => [
        `projects/d/components/all/cards/c${String(i).padStart(3, '0')}`,
        { order: i, copies: 1, cells: cells(i) },
      ]),
    ),
  });
}

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await seed(await RestUser.signIn(server.origin, PERSON));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const tile = (path: string) => page.getByRole('option', { name: path, exact: true });
const openFolder = (folder: string) =>
  page.goto(`${server.origin}/images/${folder.split('/').map(encodeURIComponent).join('/')}`);
const stored = () => storedImages(server, PERSON);

/** The colour of the middle of each painted card in view, by the card's name. */
const middles = (of = page) =>
  of.getByRole('list', { name: /^Cards/ }).evaluate((list) =>
    Object.fromEntries(
      [...list.querySelectorAll('li')].flatMap((item) => {
        const canvas = item.querySelector<HTMLCanvasElement>('[data-state="painted"] canvas');
        const context = canvas?.getContext('2d');
        if (!canvas || !context) return [];
        const { data } = context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1);
        return [[item.textContent?.replace(/^Edit /, '') ?? '', [...data.slice(0, 3)]]];
      }),
    ),
  );

/** Waits until every card in view shows the picture it is to show, and at least so many are in view. */
async function showTheirPictures(least: number): Promise<void> {
  await expect
    .poll(async () => {
      const shown = Object.entries(await middles());
      const wrong = shown.filter(
        ([name, color]) => String(color) !== String(colorOf(Number(name.replace('Card ', '')))),
      );
      return shown.length < least ? [['cards in view', shown.length]] : wrong;
    })
    .toEqual([]);
}

test('three hundred images get other folders and names; every card finds its own', async () => {
  // One folder with all that is below it, then what is in one of its folders, then a single one.
  await openFolder('Art');
  await page.getByRole('button', { name: 'Rename or move folder' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename or move folder' });
  await dialog.getByLabel('Folder').fill('Paintings/Old');
  await dialog.getByRole('button', { name: `Move ${IMAGES} images` }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^Set 0/ }).click();
  await tile('Paintings/Old/Set 0/picture 0.png').click();
  await page.keyboard.press('Control+a');
  await page.getByLabel('Move to folder').fill('Loose');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('This folder is empty').waitFor();
  await openFolder('Loose');
  for (const [before, after] of [
    ['picture 7.png', 'seven.png'],
    ['picture 14.png', 'fourteen.webp.png'],
    ['picture 21.png', 'twenty-one.png'],
    ['picture 28.png', 'twenty-eight.png'],
  ] as const) {
    await tile(`Loose/${before}`).click();
    await page.getByLabel('Name', { exact: true }).fill(after);
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await tile(`Loose/${after}`).waitFor();
  }

  const images = (await stored()).filter(({ path }) => path !== 'stripes.png');
  expect(images).toHaveLength(IMAGES);
  expect(images.filter(({ path }) => path.startsWith('Art/'))).toEqual([]);
  expect(images.find(({ id }) => id === 'i21')?.path).toBe('Loose/twenty-one.png');
  const library = new ImageLibrary(images.map((image) => ({ ...image, shelf: 'image' })));
  const found = Array.from({ length: IMAGES }, (_, i) => library.find(namedAs(i))?.id);
  expect(found).toEqual(Array.from({ length: IMAGES }, (_, i) => `i${i}`));

  // In the browser no card of the three hundred lacks an image, and those in view show theirs.
  await page.goto(`${server.origin}/decks/d?component=all`);
  await tableShown(page);
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /cards checked\.|to look at on 300 cards/ })
    .waitFor();
  expect(await page.getByRole('region', { name: 'Image is missing' }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Cards' }).click();
  await showTheirPictures(12);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await showTheirPictures(6);
  await expect.poll(() => page.getByText('Card 299', { exact: true }).isVisible()).toBe(true);
});

test('a picture of the clipboard becomes an image; the same one again is not stored twice', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openFolder('Loose');
  await tile('Loose/seven.png').waitFor();
  const count = (await stored()).length;
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    await navigator.clipboard.write([
      new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) }),
    ]);
  }, plain(RED).toString('base64'));
  await page.keyboard.press('Control+v');
  const pasted = page.getByRole('option', { name: /^Loose\/Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.png$/ });
  await pasted.waitFor();
  await page.keyboard.press('Control+v');
  await page.getByRole('region', { name: 'Uploads' }).getByText('Already in the library').waitFor();
  const images = await stored();
  expect(images).toHaveLength(count + 1);
  const url = images.find(({ path }) => path.startsWith('Loose/Pasted'))?.url ?? '';
  const { width, data } = PNG.sync.read(Buffer.from(await (await fetch(server.origin + url)).arrayBuffer()));
  expect([width, ...data.subarray(0, 3)]).toEqual([64, ...RED]);
  // Text is for fields, not for the library.
  await page.evaluate(() => navigator.clipboard.writeText('picture 5'));
  await page.getByLabel('Search').click();
  await page.keyboard.press('Control+v');
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('picture 5');
});

/** Place of an image on the page, once it is loaded and rests. */
async function placeOf(picture: Locator) {
  await expect
    .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  await settled(page);
  const box = await picture.boundingBox();
  if (!box) throw new Error('the picture is not there');
  return box;
}

test('the focus point and the crop of an image decide what every card shows of it', async () => {
  // Beside the library a page with the one card, which follows.
  const other = await page.context().newPage();
  const flagShows = (color: Color) => expect.poll(() => middles(other)).toEqual({ Flag: [...color] });
  await other.goto(`${server.origin}/decks/d?component=one`);
  await tableShown(other);
  await other.getByRole('tab', { name: 'Cards' }).click();
  await flagShows(GREEN);
  // The project's own. Its cards were written without the application, so the library is asked for them here.
  await page.goto(`${server.origin}/decks/images/d`);
  await page.getByRole('button', { name: /^Copy (it|them) into the project$/ }).click();
  await tile('stripes.png').click();
  const picker = page.getByRole('button', { name: /^Focus point: 50 % across, 50 % down/ });
  const box = await placeOf(picker.locator('img'));
  await page.mouse.click(box.x + box.width * 0.1, box.y + box.height * 0.5);
  await page.getByRole('button', { name: /^Focus point: (9|10|11) % across/ }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: /^Focus point: [456] % across/ }).waitFor();
  await flagShows(RED);

  await page.getByRole('button', { name: 'Crop', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Crop' });
  await dialog.getByLabel('From the left').fill('70');
  await dialog.getByRole('button', { name: 'Save crop' }).click();
  await page.getByRole('button', { name: 'Change crop' }).waitFor();
  await flagShows(BLUE);

  // Drawn with the pointer: the middle of the picture.
  await page.getByRole('button', { name: 'Change crop' }).click();
  const stage = await placeOf(dialog.getByRole('img', { name: 'stripes.png' }));
  await page.mouse.move(stage.x + stage.width * 0.38, stage.y + stage.height * 0.1);
  await page.mouse.down();
  await page.mouse.move(stage.x + stage.width * 0.62, stage.y + stage.height * 0.9, { steps: 4 });
  await page.mouse.up();
  await expect
    .poll(async () => Number.parseFloat(await dialog.getByLabel('From the left').inputValue()))
    .toBeCloseTo(38, 0);
  await dialog.getByRole('button', { name: 'Save crop' }).click();
  await dialog.waitFor({ state: 'detached' });
  await flagShows(GREEN);

  await page.getByRole('button', { name: 'Change crop' }).click();
  await dialog.getByRole('button', { name: 'Whole picture' }).click();
  await dialog.getByRole('button', { name: 'Save crop' }).click();
  await page.getByRole('button', { name: 'Back to the middle' }).click();
  await page.getByRole('button', { name: /^Focus point: 50 % across/ }).waitFor();
  await flagShows(GREEN);
  await other.close();
  expect(complaints).toEqual([]);
});
