/** Small things of daily work that must not go wrong: sums in fields, line breaks, samples, kept settings, lost connections. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Complaints } from '../../browser.ts';
import { box, newLayout, properties, saved } from '../../pages/editor-page.ts';
import { drawn } from '../../pages/hand.ts';
import { chooseFile, confirmImport, createProject } from '../../pages/project-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Dai Lee', email: 'dai@example.com', password: 'a long enough one' };

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

const field = (label: string) => properties(page).getByLabel(label, { exact: true });

test('a number field works a sum out, counts with the arrows, and keeps what stood for what is no number', async () => {
  await newLayout(page, server.origin);
  await page.getByRole('button', { name: 'Add shape' }).click();
  const width = field('Width');
  const type = async (text: string) => {
    await width.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  };
  await type('10+5.5');
  await page.keyboard.press('Enter');
  await expect.poll(() => width.inputValue()).toBe('15.5');
  await type('63/2');
  await page.keyboard.press('Tab');
  await expect.poll(() => width.inputValue()).toBe('31.5');
  await width.click();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => width.inputValue()).toBe('27');
  await type('wide');
  await page.keyboard.press('Enter');
  await page.getByText('Not a number, nor a sum').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => width.inputValue()).toBe('27');
  await saved(page);
});

test('Ctrl+Enter, a slash and Ctrl+Enter make a paragraph in the content field, as in cells', async () => {
  await page.getByRole('button', { name: 'Add text' }).click();
  const words = field('Own text');
  await words.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('One');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type('/');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.type('Two');
  await expect.poll(() => words.inputValue()).toBe('One\n/\nTwo');
  await saved(page);
});

test('marks of variables lie under their letters after the window gets narrower', async () => {
  const words = field('Own text');
  await words.fill('Pay {Cost} to whoever holds the {Name} of the house, then turn this card.');
  // Both are as wide as their letters may run.
  const widths = () =>
    words.evaluate((input: HTMLTextAreaElement) => {
      const marks = document.querySelector('mark')?.parentElement;
      return [input.scrollWidth, input.scrollHeight, marks?.scrollWidth, marks?.scrollHeight].join(' ');
    });
  await expect.poll(widths).toMatch(/^(\d+ \d+) \1$/);
  const wide = await widths();
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect.poll(widths).not.toBe(wide);
  await expect.poll(widths).toMatch(/^(\d+ \d+) \1$/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(widths).toBe(wide);
});

test('what is begun with a template shows the template’s card, in the editor and in the list', async () => {
  await page.goto(`${server.origin}/layouts`);
  await page.getByRole('button', { name: 'From a template' }).first().click();
  await page
    .getByRole('list', { name: 'Templates' })
    .getByRole('button', { name: /^Playing card/ })
    .click();
  await page.waitForURL(/\/layouts\/edit\//);
  await page.getByRole('group', { name: 'Card shown' }).getByText('Sample card').first().waitFor();
  await drawn(page);
  expect(await page.getByRole('list', { name: 'On this card' }).count()).toBe(0);
});

test('a lost connection says so without moving anything', async () => {
  const zoom = page.getByRole('group', { name: 'Zoom' });
  const before = await box(zoom);
  await server.end();
  await page.getByText('No connection to the server.').waitFor();
  expect(await box(zoom)).toEqual(before);
  await server.restart();
  await page.getByText('No connection to the server.').waitFor({ state: 'detached' });
});

test('the strip of cards is one stop of the Tab key, and the arrows go through it', async () => {
  await page.goto(`${server.origin}/decks`);
  await createProject(page, 'Many cards');
  const list = join(server.dataDir, 'cards.csv');
  const rows = Array.from({ length: 30 }, (_, i) => `Card ${i + 1}`);
  await writeFile(list, `Name\n${rows.join('\n')}\n`);
  await chooseFile(page, list);
  await confirmImport(page, 30);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  const strip = page.getByRole('region', { name: 'Cards', exact: true });
  await strip.getByRole('button', { name: 'Card 1', exact: true }).waitFor();
  expect(await strip.locator('[data-card][tabindex="0"]').count()).toBe(1);
  await strip.locator('[data-card][tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => strip.locator(':focus').getAttribute('aria-label')).toBe('Card 3');
  await page.keyboard.press('End');
  await expect.poll(() => strip.locator(':focus').getAttribute('aria-label')).toBe('Card 30');
  await page.keyboard.press('Home');
  await expect.poll(() => strip.locator(':focus').getAttribute('aria-label')).toBe('Card 1');
});

test('how a project was printed last is how it is printed after a reload', async () => {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const paper = page.getByRole('combobox', { name: 'Paper' });
  await paper.selectOption('letter');
  await page.reload();
  await expect.poll(() => paper.inputValue()).toBe('letter');
  expect(
    complaints.filter(
      (one) =>
        !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(
          one,
        ),
    ),
  ).toEqual([]);
});

test('a page that cannot be loaded because the server is away says that, and comes by itself', async () => {
  await page.goto(`${server.origin}/decks`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await server.end();
  await page.getByRole('link', { name: 'Pricing' }).click();
  await page.getByRole('heading', { name: 'No connection to the server' }).waitFor();
  await server.restart();
  await page.getByRole('heading', { name: 'Pricing' }).first().waitFor();
});
