/** A deck in Japanese and Arabic: its fonts, a layout that differs by language, and both on paper. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsInBoth } from '../../axe.ts';
import { besidesRetries, type Complaints } from '../../browser.ts';
import { exportProject } from '../../headless.ts';
import { layers, properties, saved, setNumber } from '../../pages/editor-page.ts';
import * as exportPage from '../../pages/export-page.ts';
import { chooseFile, chooseMore, confirmImport, createProject } from '../../pages/project-page.ts';
import { paneOf } from '../../pages/translation-page.ts';
import { checkPdf, pdfText } from '../../pdf.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Rania Sato', email: 'rania@example.com', password: 'a long enough one' };
const CARDS = [
  ['Volcano', 'Draw two cards, then put one of them on the discard pile.'],
  ['Old map', 'Choose an island that nobody has visited, and put your flag on it.'],
] as const;
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ja: {
    [CARDS[0][0]]: '火山',
    [CARDS[0][1]]: '山札から「炎」のカードを2枚引き、そのうち1枚を捨て札に置く。',
    [CARDS[1][0]]: '古い地図',
    [CARDS[1][1]]: 'まだ誰も訪れていない島を一つ選び、その上に旗を立てる。',
  },
  ar: {
    [CARDS[0][0]]: 'البركان',
    [CARDS[0][1]]: 'اسحب بطاقتين ثم تخلص من واحدة.',
    [CARDS[1][0]]: 'خريطة قديمة',
    [CARDS[1][1]]: 'اختر جزيرة لم يزرها أحد ثم ضع علمك عليها.',
  },
};

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;
let project = '';
/** Files of the pack that the browser asked for. */
const asked: string[] = [];

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/fonts/cjk/')) asked.push(pathname);
  });
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Lanterns');
  project = /decks\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  const rows = CARDS.map((card) => card.map((cell) => `"${cell}"`).join(','));
  await writeFile(at('cards.csv'), ['Name,Text', ...rows].join('\n'));
  await chooseFile(page, at('cards.csv'));
  await confirmImport(page, CARDS.length);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const at = (name: string) => join(server.dataDir, name);
const shot = (name: string) => exportPage.shot(page, name, () => page.waitForTimeout(600));

async function translate(tag: string, name: string): Promise<void> {
  await page.goto(`${server.origin}/decks/${project}`);
  await chooseMore(page, 'Languages');
  await page.getByRole('button', { name: 'Add a language' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a language' });
  await dialog.getByLabel('Language').fill(tag);
  await dialog.getByRole('button', { name: 'Add' }).click();
  const pane = paneOf(page, name);
  await pane.waitFor();
  const offered = page.waitForEvent('download');
  await pane.getByRole('button', { name: 'XLIFF' }).click();
  await (await offered).saveAs(at(`${tag}.xlf`));
  const words = WORDS[tag] ?? {};
  const filled = (await readFile(at(`${tag}.xlf`), 'utf8')).replace(
    /<source>([\s\S]*?)<\/source>/g,
    (unit, text) =>
      words[text as string] === undefined ? unit : `${unit}<target>${words[text as string]}</target>`,
  );
  await writeFile(at(`${tag}.xlf`), filled.replaceAll('state="initial"', 'state="translated"'));
  await pane.getByRole('button', { name: 'Import', exact: true }).click();
  const window = page.getByRole('dialog', { name: `Import ${name}` });
  await window.getByLabel('XLIFF, Excel or CSV file').setInputFiles(at(`${tag}.xlf`));
  await window.getByRole('button', { name: /^Import \d+ texts$/ }).click();
  await window.waitFor({ state: 'detached' });
}

const languageSwitch = () => page.getByLabel('Language of the layout');

test('the pack of fonts is asked for when a card first needs it, in parts', async () => {
  await translate('ar', 'Arabic');
  expect(asked).toEqual([]);
  await translate('ja', 'Japanese');
  await page.goto(`${server.origin}/decks/${project}`);
  await page.getByRole('button', { name: 'Edit layout' }).click();
  await languageSwitch().selectOption({ label: 'Japanese' });
  await expect.poll(() => asked.filter((path) => path.endsWith('.woff2')).length).toBeGreaterThan(5);
  await shot('scripts-japanese');
  const parts = new Set(asked.filter((path) => path.endsWith('.woff2')));
  expect(parts.size).toBeLessThan(40);
  expect([...parts].every((path) => path.includes('noto-sans-jp'))).toBe(true);
  await expect.poll(() => page.getByText(/No loaded font has/).count()).toBe(0);
});

test('a zone has a size and a place of its own in a language, which the editor says and resets', async () => {
  await languageSwitch().selectOption({ label: 'Arabic' });
  const panel = properties(page);
  await panel.getByText('Place, size and type that you change now are those of Arabic alone.').waitFor();
  await panel.getByRole('button', { name: 'Mirror the zones' }).click();
  await layers(page).getByRole('button', { name: 'Name', exact: true }).first().click();
  await setNumber(page, 'Size', 17);
  const own = panel.getByRole('list', { name: 'Properties of Arabic alone' });
  await own.getByText('Size', { exact: true }).waitFor();
  await saved(page);
  await shot('scripts-arabic');
  expect(await faultsInBoth(page, 'a layout in one language')).toEqual([]);

  await panel.getByRole('button', { name: 'Back to all languages' }).click();
  expect(await panel.getByLabel('Size', { exact: true }).inputValue()).not.toBe('17');
  await panel.getByText('Differs in languages').waitFor();
  await shot('scripts-differs');
  expect(await faultsInBoth(page, 'a zone that differs in languages')).toEqual([]);

  await languageSwitch().selectOption({ label: 'Arabic' });
  expect(await panel.getByLabel('Size', { exact: true }).inputValue()).toBe('17');
  await own.getByRole('button', { name: 'Reset Size in Arabic' }).click();
  await own.getByText('Size', { exact: true }).waitFor({ state: 'detached' });
  expect(await panel.getByLabel('Size', { exact: true }).inputValue()).not.toBe('17');
  // By keyboard, and back by undo.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await own.getByText('Size', { exact: true }).waitFor();
  await saved(page);
});

test('both languages are printed with their glyphs and in their order, in the browser and by the command line', async () => {
  await page.goto(`${server.origin}/decks/print/${project}`);
  const bare = (text: string) => text.replace(/[\s\u202a-\u202e]/g, '');
  for (const [tag, name] of [
    ['ja', 'Japanese'],
    ['ar', 'Arabic'],
  ] as const) {
    await page.getByLabel('Language', { exact: true }).selectOption({ label: name });
    await exportPage.download(page, 'Export PDF', at(`${tag}.pdf`));
    await exportProject(server, PERSON, 'Lanterns', at(`${tag}-cli.pdf`), ['--language', tag]);
    for (const file of [`${tag}.pdf`, `${tag}-cli.pdf`]) {
      await checkPdf(at(file));
      const text = await pdfText(at(file));
      for (const [title] of CARDS) expect(bare(text)).toContain(bare(WORDS[tag]?.[title] ?? ''));
    }
  }
  expect(bare(await pdfText(at('ja.pdf')))).toContain('そのうち1枚を捨て札に置く。');
  expect(besidesRetries(complaints)).toEqual([]);
});
