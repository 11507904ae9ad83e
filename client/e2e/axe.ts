/** What axe holds against a page. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it stands, one line a fault. */
export async function faults(page: Page): Promise<string[]> {
  // Fading things have the wrong contrast for a moment.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY,
      ),
  );
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  const path = new URL(page.url()).pathname;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${path}: ${id}: ${html.slice(0, 160)}`),
  );
}
