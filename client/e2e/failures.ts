/** State of the pages when a test failed: screenshots in `test-results`, texts in its report. */

import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach } from 'vitest';
import { openPages } from './browser.ts';

const FOLDER = resolve(import.meta.dirname, '../test-results');
/** As much of a page's words is reported, in characters. */
const MOST_WORDS = 1_500;

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  await mkdir(FOLDER, { recursive: true });
  const name = task.name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60);
  for (const [index, page] of openPages().entries()) {
    const words = await page
      .locator('body')
      .ariaSnapshot()
      .catch((error) => String(error));
    console.log(`page ${index + 1} of “${task.name}”, ${page.url()}:\n${words.slice(0, MOST_WORDS)}`);
    await page.screenshot({ path: `${FOLDER}/${name}-${index + 1}.png` }).catch(console.error);
  }
});
