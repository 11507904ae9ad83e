/** State of the pages when a test failed: screenshots in `test-results`, texts in its report. */

import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';
import { openPages } from './browser.ts';

const FOLDER = resolve(import.meta.dirname, '../test-results');
/** As much of a page's words is reported, in characters. */
const MOST_WORDS = 2_400;
/** Characters of a line of them: reports are cut after some lines. */
const LINE = 300;

/** A page's words in few lines. Choices that are not chosen say nothing of what went wrong. */
function inFewLines(words: string): string {
  const parts = words
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .filter((line) => line !== 'img' && (!line.startsWith('option ') || line.endsWith('[selected]')));
  const text = parts.join(' · ').slice(0, MOST_WORDS);
  return text.match(new RegExp(`.{1,${LINE}}`, 'gs'))?.join('\n') ?? '';
}

/** The words of a page: of its main part, dialogs and messages if it has any, since all pages have the rest. */
async function wordsOf(page: Page): Promise<string> {
  const parts = page.locator('main, [role="dialog"], [role="alert"]');
  const shown = (await parts.count().catch(() => 0)) > 0 ? await parts.all() : [page.locator('body')];
  const words = shown.map((part) => part.ariaSnapshot({ timeout: 5_000 }).catch((error) => String(error)));
  return (await Promise.all(words)).join('\n');
}

/** Takes a screenshot of every open page, and prints its words, under the name of what failed. */
async function report(failed: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const name = failed.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
  for (const [index, page] of openPages().entries()) {
    const words = await wordsOf(page);
    console.log(`page ${index + 1} of “${failed}”, ${page.url()}:\n${inFewLines(words)}`);
    await page.screenshot({ path: `${FOLDER}/${name}-${index + 1}.png` }).catch(console.error);
  }
}

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await report(task.name);
});
// The preparation of a file fails without any test of it.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that a hook wants from this pattern.
afterAll(async ({}, file) => {
  const tests = 'tasks' in file ? file.tasks : [];
  if (file.result?.state === 'fail' && !tests.some((test) => test.result?.state === 'fail'))
    await report(file.name);
});
