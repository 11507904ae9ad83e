import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { faultsInBoth } from '../../axe.ts';
import { drawn } from '../../pages/hand.ts';
import { painted, plain } from '../../pages/images-page.ts';
import { storeImage } from '../../rest-images.ts';
import { DOCUMENTS, plainOf, RestUser } from '../../rest-user.ts';
import { shots } from '../../screenshots.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Mo Vance', email: 'mo@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let user: RestUser;
let complaints: readonly string[];

const layout = (name: string, source?: string) => {
  const scene = newLayout(name);
  if (source !== undefined) {
    const art = newZone('image', 'art', 'Art', { x: 0, y: 0, w: scene.size.w, h: scene.size.h });
    scene.zones.push({ ...art, source } as never);
  }
  return { name, version: 1, updatedAt: 1, scene };
};

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  await user.put({
    'projects/zoo': { name: 'Zoo', createdAt: 1, updatedAt: 3 },
    'projects/farm': { name: 'Farm', createdAt: 1, updatedAt: 2 },
    'projects/yard': {
      name: 'A very long name of a project, as people give them after years',
      createdAt: 1,
      updatedAt: 1,
    },
    'projects/zoo/components/c': {
      name: 'Beasts',
      kind: 'cards',
      layoutId: 'frame',
      columns: [{ key: 'name', name: 'Name', type: 'text' }],
      order: 1,
      cardCount: 0,
    },
    'projects/zoo/layouts/frame': layout('Frame', 'fox.png'),
    'projects/zoo/layouts/back': layout('Back'),
    'projects/zoo/layouts/seal': layout('Seal'),
  });
  const colours = { fox: [216, 36, 36], owl: [36, 180, 72], elk: [36, 72, 216] } as const;
  for (const [id, colour] of Object.entries(colours)) {
    const fields = await storeImage(user, `projects/zoo/images/${id}.png`, plain(colour));
    await user.put({ [`projects/zoo/images/${id}`]: { ...fields, path: `${id}.png` } });
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Names of what lies in a collection, asked for without the application. */
async function names(path: string, field: 'name' | 'path'): Promise<string[]> {
  const reply = await fetch(`${server.origin}/v1/${DOCUMENTS}/${path}`, {
    headers: { Authorization: `Bearer ${user.token}` },
  });
  const { documents = [] } = (await reply.json()) as { documents?: { fields: object }[] };
  const all = documents.map(({ fields }) => plainOf({ mapValue: { fields } }) as Record<string, unknown>);
  return all.map((one) => String(one[field])).sort();
}
const layoutsOf = (project: string) => names(`projects/${project}/layouts`, 'name');
const imagesOf = (project: string) => names(`projects/${project}/images`, 'path');
const libraryOf = (kind: 'layouts' | 'images') =>
  names(`users/${user.uid}/library/${kind}/items`, kind === 'layouts' ? 'name' : 'path');

const shot = (name: string) => shots(page, name, { ready: () => drawn(page) });

const tile = (name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByLabel(`Choose ${name}`, { exact: true }) });
const picture = (path: string): Locator => page.getByRole('option', { name: path, exact: true });
const panel = (): Locator => page.getByRole('region', { name: 'Places to drop on' });

/** Walks to something by Tab alone. */
async function tabTo(what: Locator): Promise<void> {
  await what.waitFor();
  while (!(await what.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('Tab');
}

/** Drags something onto a place that appears meanwhile, as a slow hand does. */
async function dragOnto(
  what: Locator,
  place: string,
  { holding, over }: { holding?: 'Shift'; over?: () => Promise<void> } = {},
): Promise<void> {
  const box = await what.boundingBox();
  if (!box) throw new Error('nothing to drag');
  const { mouse, keyboard } = page;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  await mouse.move(x, y);
  await mouse.down();
  await drawn(page);
  await mouse.move(x + 8, y + 8, { steps: 4 });
  await panel().waitFor();
  const target = await panel().getByRole('listitem').filter({ hasText: place }).boundingBox();
  if (!target) throw new Error(`no ${place}`);
  if (holding) await keyboard.down(holding);
  await mouse.move(target.x + 30, target.y - 20, { steps: 8 });
  await mouse.move(target.x + 40, target.y + target.height / 2, { steps: 4 });
  await drawn(page);
  await over?.();
  await mouse.up();
  if (holding) await keyboard.up(holding);
  await panel().waitFor({ state: 'detached' });
}

test('several layouts move by the keyboard alone, what is in use stays, and Ctrl+Z takes it back', async () => {
  await page.goto(`${server.origin}/layouts/zoo`);
  await page.getByText('Only you see these: Zoo has no other members who see it.').waitFor();
  for (const name of ['Frame', 'Back', 'Seal']) {
    await tabTo(page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }));
    await page.keyboard.press('Space');
  }
  await page.getByText('3 layouts of Zoo').waitFor();
  await shot('layouts-chosen');
  expect(await faultsInBoth(page, 'chosen')).toEqual([]);
  await tabTo(page.getByRole('region', { name: 'Chosen layouts' }).getByRole('button', { name: 'Move to…' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Move 3 layouts to' });
  await dialog
    .getByRole('region', { name: 'What stays' })
    .getByText('“Frame” is used by component “Beasts”.')
    .waitFor();
  const library = dialog.getByRole('radio', { name: /^Your library/ });
  await expect.poll(() => library.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await dialog.getByRole('radio', { name: /^Farm/ }).isChecked()).toBe(true);
  await shot('move-dialog');
  expect(await faultsInBoth(page, 'move')).toEqual([]);
  await tabTo(dialog.getByRole('button', { name: 'Move the other 2' }));
  await page.keyboard.press('Enter');
  await page
    .getByText('2 layouts were moved to Farm. “Frame” is used by component “Beasts”. It stays.')
    .waitFor();
  expect([await layoutsOf('zoo'), await layoutsOf('farm')]).toEqual([['Frame'], ['Back', 'Seal']]);
  await tile('Seal').waitFor({ state: 'detached' });
  await shot('moved');
  await page.keyboard.press('Control+z');
  await page.getByText('2 layouts were moved back.').waitFor();
  expect([await layoutsOf('zoo'), await layoutsOf('farm')]).toEqual([['Back', 'Frame', 'Seal'], []]);
  await tile('Seal').waitFor();
});

test('a layout in use is copied instead, with its image, and its copy is taken back', async () => {
  await page.getByRole('button', { name: 'More for Frame', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Move to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move “Frame” to' });
  await dialog.getByText('It stays where it is').waitFor();
  await dialog.getByRole('radio', { name: /^Farm/ }).check();
  expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Copy instead' }).click();
  await page.getByText('“Frame” was copied to Farm.').waitFor();
  expect([await layoutsOf('farm'), await imagesOf('farm')]).toEqual([['Frame'], ['fox.png']]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The copy was taken back.').waitFor();
  expect([await layoutsOf('farm'), await imagesOf('farm')]).toEqual([[], []]);
  expect(await layoutsOf('zoo')).toEqual(['Back', 'Frame', 'Seal']);
});

test('tiles are dragged onto a project: copied, or moved with Shift, several at once', async () => {
  await page.goto(`${server.origin}/layouts`);
  await tile('Back').waitFor();
  await dragOnto(tile('Back'), 'Farm', { over: () => shot('dragging') });
  await page.getByText('“Back” was copied to Farm.').waitFor();
  expect([await layoutsOf('zoo'), await layoutsOf('farm')]).toEqual([['Back', 'Frame', 'Seal'], ['Back']]);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('The copy was taken back.').first().waitFor();

  await page.goto(`${server.origin}/layouts/zoo`);
  for (const name of ['Back', 'Seal']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
  await dragOnto(tile('Seal'), 'Your library', {
    holding: 'Shift',
    over: () => panel().getByText('Move 2 layouts').waitFor(),
  });
  await page.getByText('2 layouts were moved to your library.').waitFor();
  expect([await layoutsOf('zoo'), await libraryOf('layouts')]).toEqual([['Frame'], ['Back', 'Seal']]);
  // Into a project that is dropped on by mistake: what is in use is not torn out.
  await dragOnto(tile('Frame'), 'Farm', { holding: 'Shift' });
  await page.getByText('“Frame” stays: it is used by component “Beasts”.').waitFor();
  expect(await layoutsOf('farm')).toEqual([]);
  await page.keyboard.press('Control+z');
  await page.getByText('2 layouts were moved back.').waitFor();
  expect([await layoutsOf('zoo'), await libraryOf('layouts')]).toEqual([['Back', 'Frame', 'Seal'], []]);
});

test('images are dragged and moved as layouts are', async () => {
  await page.goto(`${server.origin}/decks/images/zoo`);
  await picture('owl.png').click();
  await picture('elk.png').click({ modifiers: ['Control'] });
  await picture('fox.png').click({ modifiers: ['Control'] });
  await dragOnto(picture('owl.png'), 'Farm', { holding: 'Shift', over: () => shot('dragging-images') });
  await page
    .getByText('2 images were moved to Farm. “fox.png” is used by layout “Frame”. It stays.')
    .waitFor();
  expect([await imagesOf('zoo'), await imagesOf('farm')]).toEqual([['fox.png'], ['elk.png', 'owl.png']]);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('2 images were moved back.').waitFor();
  expect([await imagesOf('zoo'), await imagesOf('farm')]).toEqual([['elk.png', 'fox.png', 'owl.png'], []]);

  await picture('elk.png').click();
  await page.getByRole('complementary').getByRole('button', { name: 'Copy to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy “elk.png” to' });
  await dialog.getByRole('radio', { name: /^Your library/ }).check();
  await shot('copy-image');
  expect(await faultsInBoth(page, 'copy')).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('“elk.png” was copied to your library.').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).last().click();
  await page.waitForURL(`${server.origin}/images`);
  await page.getByText('Only you see these: they lie in your library.').waitFor();
  await picture('elk.png').waitFor();
  expect(await libraryOf('images')).toEqual(['elk.png']);
  await page.keyboard.press('Control+z');
  await picture('elk.png').waitFor({ state: 'detached' });
  expect(await libraryOf('images')).toEqual([]);
});

test('the list of all layouts shows each with the images of its own project', async () => {
  await page.goto(`${server.origin}/layouts`);
  await tile('Frame').waitFor();
  await painted(page, [216, 36, 36]);
});

test('a limit of the plan is told in the dialog, and a project without components leads to its layouts and images', async () => {
  await page.goto(`${server.origin}/decks/farm`);
  await page.getByRole('main').getByRole('link', { name: 'Layouts', exact: true }).waitFor();
  await shot('empty-project');
  expect(await faultsInBoth(page, 'empty')).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'Images', exact: true }).click();
  await page.waitForURL(`${server.origin}/decks/images/farm`);
  await page.route('**/copyAssets', async (route) => {
    const { data } = route.request().postDataJSON() as { data: { check?: boolean } };
    const error = { status: 'FAILED_PRECONDITION', message: 'The plan “Free” holds 3 layouts.' };
    if (data.check) await route.continue();
    else await route.fulfill({ status: 400, json: { error } });
  });
  await page.goto(`${server.origin}/layouts/zoo`);
  await page.getByRole('button', { name: 'More for Seal', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Move to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Move “Seal” to' });
  await dialog.getByRole('button', { name: 'Move', exact: true }).click();
  await dialog.getByText('The plan “Free” holds 3 layouts.').waitFor();
  await shot('limit');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(complaints.filter((one) => !one.includes('copyAssets'))).toEqual([]);
});
