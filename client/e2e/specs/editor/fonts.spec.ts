/** Fonts: one of the library, and one's own, whose files lie with the layout. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faults } from '../../axe.ts';
import { launch, openPage, uploadsOf } from '../../browser.ts';
import { signUp, verify } from '../../pages/account-page.ts';
import { bringFont, fontField, newLayout, properties, saved } from '../../pages/editor-page.ts';
import { fontFoldersIn, storedLayouts } from '../../pages/images-page.ts';
import { createProject } from '../../pages/project-page.ts';
import { Server } from '../../server.ts';

const PERSON = { name: 'Noa Berg', email: 'noa@example.com', password: 'a long enough one' };
const FONTS = ['tuckbox-test.otf', 'tuckbox-test-bold-italic.woff2'];

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** The card as it is painted, once it has not changed for a good while. */
async function painted(page: Page): Promise<string> {
  return page.evaluate(async () => {
    let [last, same] = ['', 0];
    while (same < 40) {
      await new Promise(requestAnimationFrame);
      const now =
        document.querySelector<HTMLCanvasElement>('[aria-label="Canvas"] canvas')?.toDataURL() ?? '';
      same = now !== '' && now === last ? same + 1 : 0;
      last = now;
    }
    return last;
  });
}

test.each(['light', 'dark'] as const)('chosen by its look, brought along and removed (%s)', async (theme) => {
  const { context, page, complaints } = await openPage(browser);
  await page.emulateMedia({ colorScheme: theme });
  const person = { ...PERSON, email: `${theme}@example.com` };
  await signUp(page, server.origin, person);
  await verify(page, server, person);
  await newLayout(page, server.origin);
  await page.getByRole('button', { name: 'Add text' }).click();

  // One of the library, by keyboard.
  await fontField(page).focus();
  await page.keyboard.press('Enter');
  const search = page.getByRole('textbox', { name: 'Search fonts' });
  await page.getByRole('option', { name: 'Rye' }).waitFor();
  expect(await faults(page)).toEqual([]);
  await search.fill('rye');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => fontField(page).textContent()).toContain('Rye');
  const rye = await painted(page);

  // A file that is no font is refused with a reason.
  await fontField(page).click();
  await bringFont(page, {
    name: 'notes.ttf',
    mimeType: 'font/ttf',
    buffer: Buffer.from('not a font at all'),
  });
  await page.getByText('notes.ttf: not a font. Fonts are WOFF 2, TTF and OTF files.').waitFor();

  // One's own, in two cuts.
  await bringFont(page, FONTS);
  await expect.poll(() => fontField(page).textContent()).toContain('Tuckbox Test');
  await saved(page);
  await expect.poll(() => painted(page)).not.toBe(rye);
  const own = await painted(page);
  await page.reload();
  await expect.poll(async () => (await painted(page)) === own).toBe(true);

  // Taken off the list, it stays in the layout.
  await page.getByRole('complementary', { name: 'Layers' }).getByText('Text').click();
  await fontField(page).click();
  await page.getByRole('button', { name: 'Your fonts' }).click();
  await page.getByText('in a layout, which keeps it').first().waitFor();
  expect(await faults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove Tuckbox Test 700 italic' }).click();
  await page.getByRole('button', { name: 'Remove Tuckbox Test 700 italic' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove Tuckbox Test 400' }).click();
  await page.getByText('You have brought no fonts.').waitFor();
  await page.reload();
  await expect.poll(async () => (await painted(page)) === own).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a variable font is set by its axes, and a reload leaves it so', async () => {
  const { context, page, complaints } = await openPage(browser);
  const person = { ...PERSON, email: 'axes@example.com' };
  await signUp(page, server.origin, person);
  await verify(page, server, person);
  await newLayout(page, server.origin);
  await page.getByRole('button', { name: 'Add text' }).click();
  await expect.poll(() => fontField(page).textContent()).not.toBe('');
  // A font of two weights needs no more than its button.
  expect(await properties(page).getByLabel('Weight', { exact: true }).count()).toBe(0);
  await fontField(page).click();
  await bringFont(page, ['tuckbox-test-variable.ttf']);
  await expect.poll(() => fontField(page).textContent()).toContain('Tuckbox Test Variable');
  const regular = await painted(page);
  await properties(page).getByLabel('Weight', { exact: true }).fill('850');
  await expect.poll(() => painted(page)).not.toBe(regular);
  const heavy = await painted(page);
  await properties(page).getByLabel('Letter width').fill('80');
  await saved(page);
  await expect.poll(() => painted(page)).not.toBe(heavy);
  const narrow = await painted(page);
  expect(narrow).not.toBe(regular);
  await expect
    .poll(() => properties(page).getByRole('button', { name: 'Bold' }).getAttribute('aria-pressed'))
    .toBe('true');
  await page.reload();
  await expect.poll(async () => (await painted(page)) === narrow).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a layout takes its font along into a project without an upload, and drops one that it is not set in any more', async () => {
  const { context, page, complaints } = await openPage(browser);
  const person = { ...PERSON, email: 'along@example.com' };
  await signUp(page, server.origin, person);
  await verify(page, server, person);
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Runes');
  const project = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await newLayout(page, server.origin);
  await page.getByRole('button', { name: 'Add text' }).click();
  await fontField(page).click();
  await bringFont(page, ['tuckbox-test.otf']);
  await expect.poll(() => fontField(page).textContent()).toContain('Tuckbox Test');
  await saved(page);
  const edited = page.url();

  const uploads = uploadsOf(page);
  await page.goto(`${server.origin}/layouts`);
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Use in a project…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText(/was copied to Runes\.$/).waitFor();
  // Also in the state that it follows.
  expect(fontFoldersIn(await storedLayouts(server, person, project))).toContain(`projects%2F${project}`);

  await page.goto(`${server.origin}/decks`);
  await page.getByRole('button', { name: 'More for Runes', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click();
  await page.getByRole('link', { name: 'Open Runes copy' }).click();
  await page.getByRole('heading', { name: 'Runes copy', level: 1 }).waitFor();
  const copy = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(fontFoldersIn(await storedLayouts(server, person, copy))).toContain(`projects%2F${copy}`);
  expect(uploads).toEqual([]);

  // Its texts change to another family: the list of its fonts follows, and an undo brings the font back with the family.
  const listed = async () => fontFoldersIn(await storedLayouts(server, person)).length;
  await page.goto(edited);
  await page.getByRole('complementary', { name: 'Layers' }).getByText('Text').click();
  await fontField(page).click();
  await page.getByRole('textbox', { name: 'Search fonts' }).fill('rye');
  await page.getByRole('option', { name: 'Rye' }).click();
  await expect.poll(() => fontField(page).textContent()).toContain('Rye');
  await expect.poll(listed).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => fontField(page).textContent()).toContain('Tuckbox Test');
  await expect.poll(listed).toBe(1);
  await saved(page);
  expect(complaints).toEqual([]);
  await context.close();
});
