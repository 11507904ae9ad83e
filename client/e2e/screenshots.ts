/** Pictures of pages to look at. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = process.env['TUCKBOX_SHOTS'];
const WIDTHS = [1440, 1024] as const;

/** Pictures of a page as it stands, in both colour schemes, where `TUCKBOX_SHOTS` names a folder. */
export async function shots(
  page: Page,
  name: string,
  {
    widths = WIDTHS,
    ready,
    fullPage = false,
  }: {
    /** In pixels. */
    readonly widths?: readonly number[];
    /** Waits until the page is drawn in another size or colour scheme. */
    readonly ready?: () => Promise<unknown>;
    readonly fullPage?: boolean;
  } = {},
): Promise<void> {
  if (!FOLDER) return;
  await mkdir(FOLDER, { recursive: true });
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await ready?.();
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${width}.png`), fullPage });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}
