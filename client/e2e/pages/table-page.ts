/** The card table of a component. */

import type { Locator, Page } from 'playwright-core';

export const sheet = (page: Page): Locator => page.locator('.sheet');

/** The table is there with its first rows. */
export async function tableShown(page: Page): Promise<void> {
  await page.locator('.sheet .dsg-row:not(.dsg-row-header) .dsg-cell').first().waitFor();
}

/** A cell by what it shows. */
export const cell = (page: Page, text: string): Locator =>
  page.locator('.sheet .dsg-row:not(.dsg-row-header) .dsg-cell', { hasText: text }).first();

/** The status note says that everything is written. */
export async function allSaved(page: Page): Promise<void> {
  await page.getByRole('toolbar', { name: 'Table' }).getByText('Saved', { exact: true }).waitFor();
}

/** Puts text on the clipboard of the page and pastes it where the cursor is, as Ctrl+V does. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((plain) => {
    const data = new DataTransfer();
    data.setData('text/plain', plain);
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** What Ctrl+C puts on the clipboard. */
export async function copied(page: Page): Promise<{ text: string; html: string }> {
  return page.evaluate(() => {
    const data = new DataTransfer();
    document.body.dispatchEvent(
      new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }),
    );
    return { text: data.getData('text/plain'), html: data.getData('text/html') };
  });
}

/** Types into the cell under the cursor in place of what is there. */
export async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}
