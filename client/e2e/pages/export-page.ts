/** The export page, as a person uses it. */

import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Presses a button that ends in a download, and saves what comes as `file`. */
export async function download(page: Page, button: string, file: string): Promise<string> {
  // Made first: on a busy machine a minute's work.
  const making = page.waitForEvent('download', { timeout: 120_000 });
  await page.getByRole('button', { name: button, exact: true }).click();
  await (await making).saveAs(file);
  return file;
}

/** Pictures of the page as it stands once it is `ready`, to be looked at: `TUCKBOX_SHOTS=DIR`. */
export async function shot(page: Page, name: string, ready: () => Promise<unknown>): Promise<void> {
  const folder = process.env['TUCKBOX_SHOTS'];
  if (!folder) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 1024]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await ready();
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
