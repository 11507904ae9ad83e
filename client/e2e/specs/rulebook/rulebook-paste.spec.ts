/** An empty rulebook, and text and pictures that are pasted into it from other programs. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Complaints } from '../../browser.ts';
import { plain } from '../../pages/images-page.ts';
import { createProject } from '../../pages/project-page.ts';
import { createRulebook, painted, saved, text } from '../../pages/rulebook-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Anne Bonny', email: 'anne@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Salt and Sail');
  await createRulebook(page, 'Rules', 'Nothing');
  await painted(page);
  await text(page).click();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Pastes as the browser does when the system's clipboard holds this. */
const paste = (texts: Readonly<Record<string, string>>, png?: string): Promise<void> =>
  text(page).evaluate(
    (element, { texts, png }) => {
      const clipboardData = new DataTransfer();
      for (const [type, words] of Object.entries(texts)) clipboardData.setData(type, words);
      if (png !== undefined) {
        const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
        clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      }
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { texts, png },
  );

test('an empty text says how to begin, until something is in it', async () => {
  const hint = () =>
    text(page)
      .locator('p')
      .first()
      .evaluate((first) => getComputedStyle(first, '::before').content);
  expect(await hint()).toContain('Write here');
  await page.keyboard.type('Load');
  await expect.poll(hint).toBe('none');
  // Letters that came slowly are several acts.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+Z');
      return hint();
    })
    .toContain('Write here');
});

test('a table of Google Docs stays one, and only its bold words are strong', async () => {
  const cell = (words: string, weight = 400) =>
    `<td><p><span style="font-weight:${weight}">${words}</span></p></td>`;
  await paste({
    'text/html':
      '<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:400">Load </span>' +
      '<span style="font-weight:700">one</span><span> crate.</span></p><table><colgroup><col></colgroup><tbody>' +
      `<tr>${cell('Players', 700)}${cell('Crates', 700)}</tr><tr>${cell('2')}${cell('12')}</tr></tbody></table></b>`,
    'text/plain': 'Load one crate.',
  });
  await text(page).getByRole('table').waitFor();
  expect(await text(page).locator('tr').allInnerTexts()).toEqual(['Players\tCrates', '2\t12']);
  expect(await text(page).locator('strong').allInnerTexts()).toEqual(['one']);
  await saved(page);
});

test('a pasted picture is among the images of the project, and in the text after a reload', async () => {
  await page.keyboard.press('Control+End');
  await paste({}, plain([200, 40, 40]).toString('base64'));
  const figure = text(page).getByRole('figure').filter({ hasText: 'Picture: image.png' });
  await figure.waitFor();
  await saved(page);
  await page.reload();
  await figure.waitFor();
  await page.getByRole('link', { name: 'Back to the project' }).click();
  await page.waitForURL(/\/decks\/\w+$/);
  await page.goto(page.url().replace('/decks/', '/decks/images/'));
  await page.getByRole('main').getByText('Rulebook', { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
});
