/** The card table of a component. */

import type { Locator, Page } from 'playwright-core';

export const sheet = (page: Page): Locator => page.locator('.sheet');

/** The table is there with its first rows. */
export async function tableShown(page: Page): Promise<void> {
  await page.locator('.sheet .dsg-row:not(.dsg-row-header) .dsg-cell').first().waitFor();
}

/** A cell by what it shows. */
export const cell = (page: Page, text: string): Locator =>
  page
    .locator('.sheet .dsg-row:not(.dsg-row-header) .dsg-cell')
    .filter({ has: page.getByText(text, { exact: true }) })
    .first();

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

/** Contents of the clipboard after Ctrl+C. */
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

/** The button of the table that opens what can be imported. */
export const importButton = (page: Page): Locator =>
  page.getByRole('toolbar', { name: 'Table' }).getByRole('button', { name: 'Import', exact: true });

/** Hands a file to the table's own import and goes on to the preview. */
export async function importFile(page: Page, file: string): Promise<void> {
  await importButton(page).click();
  await page.getByRole('menuitem', { name: /^File/ }).click();
  await page.getByLabel('File to import').setInputFiles(file);
  await page.getByRole('button', { name: 'Show what would change' }).click();
}

/** Counts that the preview announces, by its headings. */
export async function previewCounts(page: Page): Promise<Record<string, string>> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Unchanged').waitFor();
  return dialog
    .locator('dl > div')
    .evaluateAll((items) =>
      Object.fromEntries(
        items.map((item) => [
          item.querySelector('dt')?.textContent ?? '',
          item.querySelector('dd')?.textContent ?? '',
        ]),
      ),
    );
}

/** Every card's cells as the server has them, in the table's order: the file that “Download JSON” makes. */
export async function cellsNow(page: Page): Promise<Record<string, string>[]> {
  await page.getByRole('button', { name: 'Download' }).click();
  const making = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'JSON' }).click();
  const stream = await (await making).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { cards: Record<string, string>[] }).cards;
}
