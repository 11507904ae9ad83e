/** The layout editor. */

import type { Locator, Page } from 'playwright-core';

/** Where a zone lies in the card, in millimetres. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const properties = (page: Page): Locator => page.getByRole('complementary', { name: 'Properties' });

async function setNumber(page: Page, label: string, value: number): Promise<void> {
  const field = properties(page).getByLabel(label, { exact: true });
  await field.fill(String(value));
  await field.press('Enter');
}

/** Adds a text zone that is named for a column and shows it, and puts it in its place. */
export async function addColumnText(page: Page, column: string, place: Place): Promise<void> {
  await page.getByRole('button', { name: 'Add text' }).click();
  const panel = properties(page);
  await panel.getByLabel('Name', { exact: true }).fill(column);
  await panel.getByLabel('Content', { exact: true }).selectOption({ label: `Column: ${column}` });
  await setNumber(page, 'X', place.x);
  await setNumber(page, 'Y', place.y);
  await setNumber(page, 'Width', place.w);
  await setNumber(page, 'Height', place.h);
  await panel.getByLabel('Too much text', { exact: true }).selectOption({ label: 'Shrink to fit' });
}

/** Waits until the server has acknowledged every change. */
export async function saved(page: Page): Promise<void> {
  await page.getByText('Saved', { exact: true }).waitFor();
}
