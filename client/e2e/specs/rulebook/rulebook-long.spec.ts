/** A book of more than 24 pages about the sample game: made through the interface, printed, and read on a phone. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { driftglass } from '../../../src/app/pages/projects/sample/driftglass.ts';
import type { Block, Rulebook } from '../../../src/core/book/document/schema.ts';
import { writeMarkdown } from '../../../src/core/book/markdown/write.ts';
import { sampleRulebook } from '../../../src/core/testing/sample-rulebook.ts';
import { besidesRetries, type Complaints, openPage } from '../../browser.ts';
import { insert, makeFile, pagesOf, saved, text } from '../../pages/rulebook-page.ts';
import { checkPdf, pdfInfo } from '../../pdf.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Mary Read', email: 'read@example.com', password: 'a long enough one' };
const TITLE = 'The beachcomber’s almanac';
const run = promisify(execFile);

let server: Server;
let browser: Browser;
let page: Page;
let complaints: Complaints;

/** The rules, and a passage about every card: with its picture, its text and advice. */
function almanac(): Rulebook {
  const rules = sampleRulebook();
  let made = 0;
  const id = () => `almanac-${++made}`;
  const words = (said: string) => [{ type: 'text' as const, text: said }];
  const paragraph = (said: string): Block => ({ type: 'paragraph', id: id(), content: words(said) });
  const cards = driftglass().components[0]?.cards ?? [];
  const entries = cards.flatMap(({ cells }, at): Block[] => {
    const { name = '', kind = '', value = '', text: rule = '' } = cells as Record<string, string>;
    const worth =
      value === '' ? 'It is worth nothing and goes to nobody.' : `It is worth ${value} by itself.`;
    return [
      { type: 'heading', id: id(), level: 2, content: words(name) },
      // A picture at two of three cards: each is painted once more for readers on the web.
      ...(at % 3 < 2
        ? [
            {
              type: 'cards' as const,
              id: id(),
              names: [name],
              caption: words(`${name}, one of the ${kind.toLowerCase()} cards`),
            },
          ]
        : []),
      paragraph(`${worth} On the card stands: “${rule.replaceAll('*', '')}”`),
      paragraph(
        `Whoever sees ${name} on the beach looks at the row of each neighbour first. It may be better to leave it there than to give the next player a whole row.`,
      ),
    ];
  });
  return {
    ...rules,
    title: TITLE,
    blocks: [
      ...rules.blocks,
      { type: 'heading', id: id(), level: 1, content: words('Card by card') },
      ...entries,
      paragraph('Take a treasure home, and come back tomorrow.'),
    ],
  };
}

beforeAll(async () => {
  ({ server, browser, page, complaints } = await startSignedIn(PERSON));
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('button', { name: 'Open the sample game' }).click();
  await page.getByText('27 cards, 30 with copies').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Chooses a kind of file in the window of exports, and stores it. */
async function exported(label: string, name: string): Promise<string> {
  const file = join(server.dataDir, name);
  await makeFile(page, label, file);
  return file;
}

test('it is made from Markdown, with a list of the box and its pages beside it', async () => {
  await page.getByRole('button', { name: 'Rulebooks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rulebooks' });
  await dialog.getByRole('button', { name: 'New rulebook' }).click();
  await dialog.getByLabel('Begin with').selectOption({ label: 'A file of Markdown' });
  await dialog.getByLabel('Markdown file').setInputFiles({
    name: 'almanac.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(writeMarkdown(almanac())),
  });
  await dialog.getByText('almanac.md: ').waitFor();
  expect(await dialog.getByLabel('Title').inputValue()).toBe(TITLE);
  await dialog.getByRole('button', { name: 'Make rulebook' }).click();
  await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  await text(page).getByRole('heading', { name: 'Card by card' }).waitFor();
  await text(page).focus();
  await page.keyboard.press('Control+End');
  await insert(page, 'index');
  await saved(page);
  // The pages follow the cursor, which is at the end.
  await page.locator('[data-page][data-state="painted"]').first().waitFor();
  await expect.poll(() => pagesOf(page).count()).toBeGreaterThanOrEqual(24);
});

test('a word that stands for a term is replaced from the checks', async () => {
  await page.getByRole('tab', { name: /Checks/ }).click();
  const checks = page.getByRole('region', { name: 'Checks' });
  const inText = checks.getByRole('listitem').filter({ hasText: 'This text says treasure' });
  await inText.getByRole('button', { name: 'Replace' }).click();
  await inText.waitFor({ state: 'detached' });
  await text(page)
    .getByText(/^Take a find home/)
    .waitFor();
  await saved(page);
  await page.getByRole('tab', { name: /Pages/ }).click();
});

test('its PDF is sound, read in order, tagged, and has a bookmark for every heading', async () => {
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await exported('PDF to read', 'almanac.pdf');
  expect(await checkPdf(file)).toContain('No syntax or stream encoding errors');
  const { Pages: pages = '0', Tagged: tagged } = await pdfInfo(file);
  expect(Number(pages)).toBeGreaterThanOrEqual(24);
  expect(tagged).toBe('yes');
  const maxBuffer = 64 << 20;
  const { stdout: words } = await run('pdftotext', ['-raw', file, '-'], { maxBuffer });
  const read = words.replace(/-\n/g, '').replace(/\s+/g, ' ');
  const order = [
    'The storm has passed',
    'Shuffle all thirty',
    'Card by card',
    'Whoever sees Whelk',
    'Take a find',
  ];
  const places = order.map((one) => read.lastIndexOf(one));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  const { stdout: structure } = await run('pdfinfo', ['-struct-text', file], { maxBuffer });
  for (const tag of ['H1', 'H2', 'Figure', 'Table', 'TOC', 'Link']) expect(structure).toContain(tag);
  expect(structure.replace(/\s+/g, ' ')).toContain('30 × Finds');
  const { stdout: objects } = await run('qpdf', ['--json=2', file], { maxBuffer });
  const bookmarks =
    objects.match(/"\/Dest": \[[^\]]*\],\s+(?:"\/Next"|"\/Parent"|"\/First"|"\/Last"|"\/Prev")/g) ?? [];
  const headings = almanac().blocks.filter(({ type }) => type === 'heading').length;
  expect(bookmarks).toHaveLength(headings);
  const booklet = await exported('Booklet to print', 'almanac booklet.pdf');
  expect(await checkPdf(booklet)).toContain('No syntax or stream encoding errors');
  expect(Number((await pdfInfo(booklet))['Pages'])).toBe(Math.ceil(Number(pages) / 4) * 2);
  const plain = await readFile(await exported('Plain text', 'almanac.txt'), 'utf8');
  expect(plain).toContain('Card by card\n============');
  expect(plain).toContain('30 × Finds');
  await page
    .getByRole('dialog', { name: 'Export' })
    .locator('footer')
    .getByRole('button', { name: 'Close' })
    .click();
});

test('a phone shows it without scrolling sideways, with the pictures of the box', async () => {
  await page.getByRole('button', { name: 'On the web' }).click();
  const web = page.getByRole('dialog', { name: 'On the web' });
  await web.getByRole('button', { name: 'Publish' }).click();
  await web.getByText('Edition 1').waitFor({ timeout: 120_000 });
  const link = (await web.locator('code').textContent()) ?? '';
  const visitor = await openPage(browser);
  await visitor.page.setViewportSize({ width: 390, height: 844 });
  await visitor.page.goto(link);
  await visitor.page.getByRole('heading', { name: TITLE, level: 1 }).waitFor();
  const row = visitor.page.getByRole('article').getByRole('row').filter({ hasText: 'Finds' }).first();
  await row.scrollIntoViewIfNeeded();
  const picture = row.locator('img');
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100);
  expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(besidesRetries(visitor.complaints)).toEqual([]);
  await visitor.context.close();
  await web.locator('footer').getByRole('button', { name: 'Close' }).click();
});

test('it is a page of the notebook in a save of Tabletop Simulator', async () => {
  await page.getByRole('link', { name: 'Back to the project' }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('radiogroup', { name: 'Export to' }).getByText('Virtual tables').click();
  await page.getByLabel('Rulebook in the notebook').selectOption({ label: TITLE });
  await page.getByText(`Reading ${TITLE}…`).waitFor({ state: 'detached' });
  const making = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export a ZIP' }).click();
  await page.getByRole('link', { name: /^Download / }).waitFor();
  await page.getByRole('link', { name: /^Download / }).click();
  const file = join(server.dataDir, 'save.zip');
  await (await making).saveAs(file);
  const entries = Object.entries(unzipSync(await readFile(file)));
  const save = entries.find(([name]) => name.endsWith('.json'))?.[1];
  const { TabStates } = JSON.parse(Buffer.from(save ?? []).toString('utf8')) as {
    TabStates: Record<string, { title: string; body: string }>;
  };
  const tab = Object.values(TabStates).find(({ title }) => title === TITLE);
  expect(tab?.body).toContain('30 × Finds');
  expect(tab?.body).toContain('Whoever sees Nautilus on the beach');
  expect(besidesRetries(complaints)).toEqual([]);
});
