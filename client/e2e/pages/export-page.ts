/** The export page, as a person uses it. */

import type { Page } from 'playwright-core';
import { shots } from '../screenshots.ts';

/** Presses a button that ends in a download, and saves what comes as `file`. */
export async function download(page: Page, button: string, file: string): Promise<string> {
  // Made first: on a busy machine a minute's work.
  const making = page.waitForEvent('download', { timeout: 120_000 });
  await page.getByRole('button', { name: button, exact: true }).click();
  await (await making).saveAs(file);
  return file;
}

/** Pictures of the whole page once it is `ready`. */
export const shot = (page: Page, name: string, ready: () => Promise<unknown>): Promise<void> =>
  shots(page, name, { ready, fullPage: true });
