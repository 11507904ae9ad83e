/** Targets of an export: a file of the designer's choice, the site's storage, and nothing when it fails. Presets. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newLayout } from '../../../src/core/scene/new-layout.ts';
import { newZone } from '../../../src/core/scene/zones.ts';
import { checkPdf, pdfInfo, pdfText } from '../../pdf.ts';
import { putCards } from '../../rest-cards.ts';
import { RestUser } from '../../rest-user.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Eve Long', email: 'eve@example.com', password: 'a long enough one' };
const CARDS = 60;

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let user: RestUser;

/** Files in the site's storage, with sizes. */
const stored = (folder?: string) =>
  page.evaluate(async (name) => {
    const root = await navigator.storage.getDirectory();
    const place = name ? await root.getDirectoryHandle(name, { create: true }) : root;
    const files: Record<string, number> = {};
    const entries = (place as unknown as { values(): AsyncIterable<FileSystemHandle> }).values();
    for await (const one of entries) {
      if (one.kind === 'file') files[one.name] = (await (one as FileSystemFileHandle).getFile()).size;
    }
    return files;
  }, folder);

/** The browser's own dialog cannot be driven: in its place a file of that name, which it says was chosen. */
async function chooseFiles(answer: 'file' | 'cancel' | 'none'): Promise<void> {
  await page.evaluate((how) => {
    const picker = async ({ suggestedName }: { suggestedName: string }) => {
      if (how === 'cancel') throw new DOMException('The user aborted a request.', 'AbortError');
      const root = await navigator.storage.getDirectory();
      return root.getFileHandle(suggestedName, { create: true });
    };
    Object.defineProperty(window, 'showSaveFilePicker', { value: picker, configurable: true });
    if (how === 'none') delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker;
  }, answer);
}

const toFile = () => page.getByRole('button', { name: 'Save to a file…' });

beforeAll(async () => {
  ({ server, browser, context, page } = await startSignedIn(PERSON));
  user = await RestUser.signIn(server.origin, PERSON);
  const front = newLayout('Front');
  const title = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  title.bindings = { text: { mode: 'column', column: 'name' } };
  front.zones = [title];
  await putCards(user, {
    project: 'Game',
    component: 'Cards',
    columns: { name: ['Name', 'text'] },
    cards: Object.fromEntries(
      Array.from({ length: CARDS }, (_, order) => [
        `card${order}`,
        { order, copies: 1, cells: { name: `Card ${order}` } },
      ]),
    ),
    layout: front,
  });
  await page.goto(`${server.origin}/decks/print/d/c`);
  await page.getByText(`${CARDS} cards on 7 sheets of A4`).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

test('presets are kept in the project, changed and deleted', async () => {
  await page.getByRole('button', { name: 'Presets' }).click();
  await page.getByRole('menuitem', { name: 'Save as a preset…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('As it was');
  await page.getByRole('button', { name: 'Save preset' }).click();
  await page.getByText('Preset saved.').waitFor();
  await page.getByText('Landscape', { exact: true }).click();
  await page.getByRole('button', { name: 'As it was, changed' }).waitFor();
  // Choices are kept in this browser: the page begins with them.
  await page.reload();
  await page.getByText(`${CARDS} cards on 8 sheets of A4`).waitFor();
  await page.getByRole('button', { name: 'Presets' }).click();
  await page.getByRole('menuitem', { name: 'As it was' }).click();
  await page.getByText(`${CARDS} cards on 7 sheets of A4`).waitFor();
  await page.getByText('Landscape', { exact: true }).click();
  await page.getByRole('button', { name: 'As it was, changed' }).click();
  await page.getByRole('menuitem', { name: 'Save changes to As it was' }).click();
  await page.getByRole('button', { name: 'As it was', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete As it was' }).click();
  await page.getByText('Preset deleted.').waitFor();
  await page.getByRole('button', { name: 'Presets' }).waitFor();
});

test('saved to a file of one’s choice, the PDF is whole there, and lies nowhere else', async () => {
  await chooseFiles('file');
  await toFile().click();
  await page.getByText(/^Saved as Game, Cards\.pdf/).waitFor();
  const bytes = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getFileHandle('Game, Cards.pdf')).getFile();
    return [...new Uint8Array(await file.arrayBuffer())];
  });
  await writeFile(join(server.dataDir, 'chosen.pdf'), Uint8Array.from(bytes));
  await checkPdf(join(server.dataDir, 'chosen.pdf'));
  expect(await stored('exports')).toEqual({});
  // Thinking better of it is no failure.
  await chooseFiles('cancel');
  await toFile().click();
  await expect.poll(() => page.getByRole('progressbar').count()).toBe(0);
  expect(await page.getByText('The export failed.').count()).toBe(0);
});

test('only what changed since a print: named, counted, and printed alone', async () => {
  await user.put({
    'projects/d/components/c/cards/card7': { order: 7, copies: 1, cells: { name: 'Another name' } },
  });
  await page.locator('summary', { hasText: 'Cards' }).first().click();
  await page.getByLabel('Only what changed').selectOption('1');
  await page.getByText('1 card changed').click();
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Another name$/ })
    .waitFor();
  await page.getByText('1 card on 1 sheet of A4').waitFor();
  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export PDF' }).click();
  const file = join(server.dataDir, 'changed.pdf');
  await (await making).saveAs(file);
  expect((await pdfInfo(file))['Pages']).toBe('1');
  expect((await pdfText(file)).trim()).toBe('Another name');
  // That print is noted too: since it nothing has changed, since the first one still the one card has.
  await page.getByLabel('Only what changed').selectOption('2');
  await page.getByText('No card looks different from print 2.').waitFor();
  await page.getByLabel('Only what changed').selectOption('1');
  await page.getByText('1 card changed').waitFor();
  await page.getByLabel('Only what changed').selectOption('0');
});

test('cancelled on the way to a chosen file, what was there before stays and no half file is left', async () => {
  await page.getByRole('radiogroup', { name: 'Export to' }).getByText('Pictures').click();
  await page.getByText(`${CARDS} pictures in one ZIP`).waitFor();
  await page.getByLabel('Size').selectOption('600');
  await chooseFiles('file');
  const cancel = async () => {
    await toFile().click();
    await page.getByText(/^[1-9]\d* of \d+$/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Nothing was saved.').waitFor();
  };
  await cancel();
  await expect.poll(async () => Object.keys(await stored())).toEqual(['Game, Cards.pdf']);
  // A file that was chosen to be replaced.
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const handle = await root.getFileHandle('Game, Cards.zip', { create: true });
    const stream = await handle.createWritable();
    await stream.write('the one before');
    await stream.close();
  });
  await cancel();
  await expect.poll(stored).toMatchObject({ 'Game, Cards.zip': 'the one before'.length });
});

test('without room the export says how much there was, and leaves nothing', async () => {
  const before = await stored('exports');
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.origin, quotaSize: 60_000 });
  await page.getByRole('button', { name: 'Export pictures' }).click();
  try {
    await page
      .getByText(
        /The browser (gives this site no more room: it took \d+ kB of the file\.|took \d+ kB of the file and then no more)/,
      )
      .waitFor();
  } finally {
    await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.origin });
  }
  await expect.poll(() => stored('exports')).toEqual(before);
});

test('a browser that cannot write files is offered the download alone', async () => {
  await chooseFiles('none');
  await page.getByRole('radiogroup', { name: 'Export to' }).getByText('Paper').click();
  await page.getByText(`${CARDS} cards on`).waitFor();
  expect(await toFile().count()).toBe(0);
  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export PDF' }).click();
  const file = join(server.dataDir, 'download.pdf');
  await (await making).saveAs(file);
  expect((await readFile(file)).length).toBeGreaterThan(1_000);
  await checkPdf(file);
});
