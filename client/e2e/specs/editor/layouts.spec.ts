/** Layouts among themselves: tags, variants that follow, kept versions, and who changes with a layout. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { openPage } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { layers, newLayout, properties, saved, setNumber, zone } from '../../pages/editor-page.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Grace O’Malley', email: 'grace@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function shot(name: string, of: Page = page): Promise<void> {
  const folder = process.env['TUCKBOX_SHOTS'];
  if (!folder) return;
  await of.waitForFunction(() => !document.querySelector('[data-state="waiting"]'));
  for (const width of [1440, 1024]) {
    await of.setViewportSize({ width, height: 900 });
    await of.screenshot({ path: join(folder, `${name}-${width}.png`) });
  }
  await of.setViewportSize({ width: 1440, height: 900 });
}

const menu = async (label: string, item: string | RegExp): Promise<void> => {
  await page.getByRole('button', { name: label, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const tile = (name: string) =>
  page.getByRole('list', { name: 'Layouts' }).getByRole('link', { name, exact: true });
const field = (label: string) => properties(page).getByLabel(label, { exact: true });
const name = (value: string) => page.getByLabel('Layout name').fill(value);

test('a component takes a layout, and a second one the same', async () => {
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Tides');
  const list = join(server.dataDir, 'tides.csv');
  await writeFile(list, 'Name,Cost\r\nEbb,1\r\nFlood,3\r\n');
  await chooseFile(page, list);
  await confirmImport(page, 2);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await page.waitForURL(/\/layouts\/edit\//);
  await name('Tide card');
  await saved(page);
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Add component' }).first().click();
  const other = join(server.dataDir, 'winds.csv');
  await writeFile(other, 'Name,Cost\r\nGale,2\r\n');
  await chooseFile(page, other);
  await confirmImport(page, 1);
  await page.getByRole('button', { name: /^Choose layout/ }).click();
  await page.getByRole('menuitem', { name: 'Tide card' }).click();
  await page.getByRole('button', { name: /^Layout: Tide card/ }).waitFor();
});

test('tags find a layout', async () => {
  await newLayout(page, server.origin);
  await name('Plain back');
  await saved(page);
  await page.goto(`${server.origin}/layouts`);
  await menu('More for Tide card', 'Tags');
  await page.getByRole('textbox', { name: 'Tags' }).fill('poker, fronts');
  const setting = (name: string) =>
    page.waitForResponse(
      (answer) =>
        answer.url().includes('documents:commit') &&
        new RegExp(`userData/userObject[^]*"${name}":\\s*\\{"arrayValue":\\s*\\{"values"`).test(
          answer.request().postData() ?? '',
        ),
    );
  const known = setting('tags');
  await page.getByRole('button', { name: 'Save tags' }).click();
  await known;
  const kept = setting('activeTags');
  await page.getByRole('button', { name: 'fronts', exact: true }).click();
  await tile('Plain back').waitFor({ state: 'detached' });
  await tile('Tide card').waitFor();
  await kept;
  await page.reload();
  await page.getByRole('button', { name: 'fronts', exact: true, pressed: true }).waitFor();
  await tile('Plain back').waitFor({ state: 'detached' });
  await shot('layouts-tags');
  await page.getByRole('button', { name: 'fronts', exact: true }).click();
  await menu('More for Plain back', 'Tags');
  await page.getByRole('button', { name: 'Add poker' }).click();
  await expect.poll(() => page.getByRole('textbox', { name: 'Tags' }).inputValue()).toBe('poker');
  await page.getByRole('button', { name: 'Add fronts' }).waitFor();
  await shot('layouts-tags-dialog');
  await page.getByRole('button', { name: 'Cancel' }).click();
  // While a dialog closes, nothing behind it takes keys.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Search layouts' }).fill('plain');
  await tile('Tide card').waitFor({ state: 'detached' });
  await tile('Plain back').waitFor();
});

test('a layout of another program comes in as a file, with its tags, and says what it left', async () => {
  const zone = {
    id: 'a',
    type: 'text',
    name: 'Harbour name',
    textDataKey: 'Name',
    useCustomCSS: true,
    style: { left: 24, top: 24, width: 192, height: 48, background: 'linear-gradient(red, blue)' },
  };
  const file = join(server.dataDir, 'harbour.json');
  const layoutData = { style: { width: 240, height: 336 }, childZones: [zone] };
  await page.goto(`${server.origin}/layouts`);
  await page.getByRole('button', { name: 'From a template' }).first().click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import a Dextrous layout' }).click();
  await writeFile(file, '{"cards": []}');
  await (await chooser).setFiles(file);
  await page.getByText(/This is no layout: it has no layoutData/).waitFor();
  const again = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import a Dextrous layout' }).click();
  await writeFile(file, JSON.stringify({ name: 'Harbour', cardSize: 'Poker', tags: ['sea'], layoutData }));
  await (await again).setFiles(file);
  await page.waitForURL(/\/layouts\/edit\//);
  await page.getByText('The CSS written for «Harbour name» was left out.').waitFor();
  await layers(page).getByText('Harbour name').click();
  await expect.poll(() => field('Own fill').inputValue()).toBe('linear');
  await page.goto(`${server.origin}/layouts`);
  await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'sea' }).waitFor();
});

test('a variant follows: what it changed stays, the rest comes over', async () => {
  await page.getByRole('textbox', { name: 'Search layouts' }).fill('');
  await menu('More for Tide card', 'Variant that follows it');
  await tile('Tide card, a variant').click();
  const title = layers(page).getByRole('button', { name: 'Name', exact: true });
  await title.click();
  await setNumber(page, 'X', 9);
  await saved(page);
  await page.goto(`${server.origin}/layouts`);
  await tile('Tide card').click();
  await title.click();
  await setNumber(page, 'X', 2);
  await setNumber(page, 'Height', 12);
  await page.getByRole('button', { name: 'Add shape' }).click();
  await saved(page);
  await page.goto(`${server.origin}/layouts`);
  await tile('Tide card, a variant').click();
  await page.getByRole('button', { name: '2 changes to take over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Follows Tide card' });
  await dialog.getByRole('list', { name: 'Differences' }).getByText('Shape').waitFor();
  await shot('layout-follows');
  await dialog.getByRole('button', { name: 'Take the changes over' }).click();
  await dialog.waitFor({ state: 'detached' });
  await zone(page, 'Shape').waitFor();
  await title.click();
  await expect.poll(() => field('X').inputValue()).toBe('9');
  await expect.poll(() => field('Height').inputValue()).toBe('12');
  await expect.poll(() => page.getByLabel('Layout name').inputValue()).toBe('Tide card, a variant');
  await saved(page);
});

test('a version is kept, compared and restored; undo brings back what was there', async () => {
  await menu('More for this layout', 'Versions');
  const dialog = page.getByRole('dialog', { name: 'Versions' });
  await dialog.getByLabel('Keep it as it is now').fill('First playtest');
  await dialog.getByRole('button', { name: 'Keep version' }).click();
  await dialog.getByRole('button', { name: /First playtest/ }).waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await layers(page).getByRole('button', { name: 'Shape', exact: true }).click();
  await page.keyboard.press('Delete');
  await zone(page, 'Shape').waitFor({ state: 'detached' });
  await menu('More for this layout', 'Versions');
  await dialog.getByRole('list', { name: 'Differences' }).getByText('Gone').waitFor();
  await shot('layout-versions');
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await zone(page, 'Shape').waitFor();
  await page.keyboard.press('Control+z');
  await zone(page, 'Shape').waitFor({ state: 'detached' });
  await saved(page);
});

test('before a shared layout changes for all, one sees for whom, and can change a copy instead', async () => {
  await page.goto(`${server.origin}/layouts`);
  await tile('Tide card').click();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await setNumber(page, 'Y', 30);
  await page.getByRole('button', { name: 'Changes 2 components' }).click();
  const dialog = page.getByRole('dialog', { name: 'Where it is used' });
  const users = dialog.getByRole('list', { name: 'Components that use it' }).getByRole('heading');
  await expect.poll(() => users.count()).toBe(2);
  await shot('layout-users');
  const before = page.url();
  await dialog.getByRole('button', { name: 'Put my changes into a copy instead' }).click();
  await page.waitForURL((url) => url.href !== before);
  await expect.poll(() => page.getByLabel('Layout name').inputValue()).toBe('Tide card copy');
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(() => field('Y').inputValue()).toBe('30');
  await page.goto(before);
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(() => field('Y').inputValue()).not.toBe('30');
});

test('changes to a shared layout are held back, through a reload too, until they are saved for all', async () => {
  const status = () => page.getByRole('status').filter({ hasText: /Saved|Held back/ });
  await page.getByRole('button', { name: 'More for this layout' }).click();
  await page.getByRole('menuitem', { name: 'Hold my changes back' }).click();
  const before = await field('Y').inputValue();
  await setNumber(page, 'Y', 34);
  await status().getByText('Held back').waitFor();
  const other = await page.context().newPage();
  try {
    await other.goto(page.url());
    // The same browser has them held back as well; what others see is what is stored.
    await other.getByRole('status').filter({ hasText: 'Held back' }).waitFor();
  } finally {
    await other.close();
  }
  await page.reload();
  await status().getByText('Held back').waitFor();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(() => field('Y').inputValue()).toBe('34');
  await page.getByRole('button', { name: 'Save for 2 components…' }).click();
  await shot('layout-held');
  const dialog = page.getByRole('dialog', { name: 'Where it is used' });
  await dialog.getByRole('button', { name: 'Drop them' }).click();
  await status().getByText('Saved').waitFor();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(() => field('Y').inputValue()).toBe(before);
  await page.getByRole('button', { name: 'More for this layout' }).click();
  await page.getByRole('menuitem', { name: 'Hold my changes back' }).click();
  await setNumber(page, 'Y', 33);
  await page.getByRole('button', { name: 'Save for 2 components…' }).click();
  await dialog.getByRole('button', { name: 'Save for all' }).click();
  await status().getByText('Saved').waitFor();
  await page.reload();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(() => field('Y').inputValue()).toBe('33');
  await status().getByText('Saved').waitFor();
});

test('front and back are drawn beside each other; palette and shapes are kept for every layout', async () => {
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('link', { name: /Tides/ }).first().click();
  await page.waitForURL(/\/decks\/[^/]+/);
  const deck = /\/decks\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  await page.goto(`${server.origin}/layouts/${deck}`);
  await page.getByRole('link', { name: 'Back of tides' }).click();
  await page.getByRole('button', { name: 'Connect a copy of Plain back' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await page.getByRole('link', { name: 'Draw the back' }).click();
  await expect.poll(() => page.getByLabel('Layout name').inputValue()).toBe('Plain back');
  await page.getByRole('link', { name: 'Draw the front' }).waitFor();
  await properties(page).getByRole('button', { name: 'Palette' }).click();
  await field('Palette name').fill('Sea');
  await field('Another colour').fill('#0a7e8c');
  await page.getByRole('button', { name: 'Add the colour' }).click();
  await properties(page).getByRole('list', { name: 'Colours of Sea' }).getByText('#0a7e8c').waitFor();
  await page.getByRole('button', { name: 'New palette' }).click();
  await properties(page).getByRole('checkbox', { name: 'Offer the colours of all palettes' }).check();
  await page.getByRole('button', { name: 'Choose the palette Sea' }).waitFor();
  await shot('editor-palettes');
  await page.getByRole('button', { name: 'Choose the palette Sea' }).click();
  await expect.poll(() => field('Palette name').inputValue()).toBe('Sea');
  await page.getByRole('button', { name: 'Add shape' }).click();
  await field('Cut to').selectOption('Shield');
  await field('Shape (SVG path in 100 × 100, or polygon())').fill('polygon(0% 0%, 100% 0%, 50% 100%)');
  await field('Keep this shape as').fill('Pennant');
  await page.getByRole('button', { name: 'Keep shape' }).click();
  await page.getByRole('button', { name: 'Forget the shape Pennant' }).waitFor();
  await shot('editor-back');
  await saved(page);
  await page.getByRole('link', { name: 'Draw the front' }).click();
  await expect.poll(() => page.getByLabel('Layout name').inputValue()).toBe('Tide card');
  await page.getByRole('button', { name: 'Add shape' }).click();
  await field('Cut to').selectOption('Pennant');
  await saved(page);
  expect(complaints).toEqual([]);
});

test('variables stand out behind the very letters that are typed, until the account wants them plain', async () => {
  await page.getByRole('button', { name: 'Add text' }).click();
  const own = field('Own text');
  const long =
    'Pay {Name} once, then {nobody} pays {b: {Name} and all} that he has, word after word. '.repeat(6);
  await own.fill(long);
  const marks = properties(page).locator('mark');
  await expect.poll(() => marks.count()).toBe(6 * 5);
  const height = (element: Element) => element.scrollHeight;
  const backdrop = properties(page).locator('div[aria-hidden]', { has: page.locator('mark') });
  expect(await backdrop.evaluate(height)).toBe(await own.evaluate(height));
  // The last line of the field is the last line behind it, when it is scrolled too.
  await own.evaluate((element) => element.scrollTo(0, 10_000));
  await expect
    .poll(() => backdrop.evaluate((element) => element.scrollTop))
    .toBe(await own.evaluate((element) => element.scrollTop));
  await shot('editor-variables');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Variables in texts');
  await page.keyboard.press('Enter');
  await marks.first().waitFor({ state: 'detached' });
  expect(await own.inputValue()).toBe(long);
  await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
  await saved(page);
});

test('a layout of the library is used in a project, which is shown what changes in the library later', async () => {
  await newLayout(page, server.origin);
  await name('Seal');
  await page.getByRole('button', { name: 'Add shape' }).click();
  await saved(page);
  await page.goto(`${server.origin}/layouts`);
  await menu('More for Seal', 'Use in a project…');
  const dialog = page.getByRole('dialog', { name: 'Copy “Seal” to' });
  await dialog.getByRole('radio', { name: /^Tides/ }).check();
  await shot('layouts-use');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('“Seal” was copied to Tides.').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.waitForURL(/\/layouts\/[^/]+$/);
  // The page before, whose heading is the same, stays until this one is loaded.
  await page.getByRole('link', { name: 'Front of tides' }).waitFor();
  await page.getByRole('heading', { name: 'Layouts', level: 1 }).waitFor();
  await tile('Seal').waitFor();
  await shot('layouts-project');
  const project = page.url();

  await page.goto(`${server.origin}/layouts`);
  const library = page.getByRole('list', { name: 'Layouts', exact: true });
  await library.getByRole('link', { name: 'Seal', exact: true }).click();
  await page.getByRole('button', { name: 'Add text' }).click();
  await saved(page);
  await page.goto(project);
  await tile('Seal').click();
  await page.getByRole('button', { name: '1 change to take over' }).click();
  const follows = page.getByRole('dialog', { name: 'Follows Seal' });
  await follows.getByRole('button', { name: 'Take the changes over' }).click();
  await follows.waitFor({ state: 'detached' });
  await zone(page, 'Text').waitFor();
  await saved(page);

  // Or in the library, for all projects with a copy, each shown with what changes.
  await page.goto(`${server.origin}/layouts`);
  await library.getByRole('link', { name: 'Seal', exact: true }).click();
  await page.getByRole('button', { name: 'Add image' }).click();
  await saved(page);
  await page.goto(`${server.origin}/layouts`);
  await library.getByText('newer than in 1 project').waitFor();
  await library.getByRole('button', { name: 'More for Seal', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Update in 1 project…' }).click();
  const update = page.getByRole('dialog', { name: 'Update copies of Seal' });
  await update.getByRole('checkbox', { name: 'Seal of Tides' }).waitFor();
  await update.getByRole('list', { name: 'Differences' }).getByText('New').waitFor();
  await shot('layouts-update');
  expect(await faultsInBoth(page)).toEqual([]);
  await update.getByRole('button', { name: 'Update in 1 project' }).click();
  await page.getByText('Updated in 1 project.').waitFor();
  await library.getByText('newer than in 1 project').waitFor({ state: 'detached' });
  await page.goto(project);
  await tile('Seal').click();
  await zone(page, 'Image').waitFor();
  await page.getByRole('button', { name: 'More for this layout' }).click();
  await page.getByRole('menuitem', { name: 'Versions' }).click();
  await page.getByRole('button', { name: /^Before changes of the library/ }).waitFor();
  await page.keyboard.press('Escape');

  // From a project to the library: a copy on its own.
  await page.goto(project);
  await menu('More for Tide card', 'Copy to…');
  const copying = page.getByRole('dialog', { name: 'Copy “Tide card” to' });
  await copying.getByRole('radio', { name: /^Your library/ }).check();
  await copying.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('“Tide card” was copied to your library.').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await library.getByRole('link', { name: 'Tide card', exact: true }).waitFor();
  await shot('layouts-shelves');
  await page.keyboard.press('Control+z');
  await library.getByRole('link', { name: 'Tide card', exact: true }).waitFor({ state: 'detached' });
});

test('a layout is shared by its link: somebody else sees it, changes a copy alone, and no more when it is taken back', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${server.origin}/layouts`);
  await menu('More for Tide card', 'Share by link');
  await page.getByText('Shared. The link is on the clipboard.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/layouts\/shared\/[^/]+\/[^/]+$/);

  const other = await openPage(browser);
  const guest = other.page;
  const person = { name: 'Anne Bonny', email: 'anne@example.com', password: 'a long enough one' };
  await signUp(guest, server.origin, person);
  await verify(guest, server, person);
  await guest.goto(link);
  await guest.getByRole('heading', { name: 'Tide card', level: 1 }).waitFor();
  const preview = guest.getByRole('region', { name: 'Preview' });
  await preview.getByText(/^63\.5 × 88\.9 mm/).waitFor();
  await shot('layout-shared', guest);
  // To look at, not to change: neither here nor by the editor's own address.
  expect(await guest.getByRole('button', { name: /^(Edit|Save)/ }).count()).toBe(0);
  await guest.goto(`${server.origin}/layouts/edit/${link.split('/').at(-1)}`);
  await guest.getByRole('heading', { name: 'No such project', level: 1 }).waitFor();
  await guest.goto(link);
  await guest.getByRole('button', { name: 'Copy to my layouts' }).click();
  await guest.waitForURL(/\/layouts\/edit\//);
  await layers(guest).getByRole('button', { name: 'Name', exact: true }).click();
  await setNumber(guest, 'Y', 50);
  await saved(guest);
  await guest.goto(`${server.origin}/layouts`);
  await guest
    .getByRole('list', { name: 'Layouts' })
    .getByRole('link', { name: 'Tide card copy', exact: true })
    .waitFor();

  await tile('Tide card').click();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).click();
  await expect.poll(() => field('Y').inputValue()).not.toBe('50');
  await page.goto(`${server.origin}/layouts`);
  await menu('More for Tide card', 'Stop sharing');
  await page.getByText('No longer shared: the link leads nowhere.').waitFor();
  await guest.goto(link);
  await guest.getByRole('heading', { name: 'This layout is not shared' }).waitFor();
  await shot('layout-not-shared', guest);
  // The server says that there is nothing at the address of the editor, and the browser repeats it.
  expect(other.complaints.filter((complaint) => !complaint.endsWith('/whereIs'))).toEqual([]);
  await other.context.close();
});
