/** The layout editor. */

import { resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type DragManner, drag } from './hand.ts';

/** Place of a zone in the card, in millimetres. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export const properties = (page: Page): Locator => page.getByRole('complementary', { name: 'Properties' });

export async function setNumber(page: Page, label: string, value: number): Promise<void> {
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

/** The font of the chosen text. */
export const fontField = (page: Page): Locator =>
  properties(page).getByRole('button', { name: 'Font', exact: true });

const FONTS = resolve(import.meta.dirname, '../../src/core/testing/fonts');

/** Brings font files of the tests, or one made up, while the fonts to choose from are shown. */
export async function bringFont(
  page: Page,
  files: readonly string[] | { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Bring a font' }).click();
  const chosen = 'buffer' in files ? files : files.map((file) => resolve(FONTS, file));
  await (await chooser).setFiles(chosen);
}

/** Waits until the server has acknowledged every change. */
export async function saved(page: Page): Promise<void> {
  await page.getByText('Saved', { exact: true }).waitFor();
}

export const layers = (page: Page): Locator => page.getByRole('complementary', { name: 'Layers' });

/** The box of a zone on the canvas, by its name. */
export const zone = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Canvas' }).getByRole('button', { name, exact: true }).first();

/** Opens a new, blank layout in the editor. */
export async function newLayout(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/layouts`);
  await page.getByRole('button', { name: 'New layout' }).first().click();
  await page.waitForURL(/\/layouts\/edit\//);
  await page.getByRole('button', { name: 'Add text' }).waitFor();
}

export async function box(
  locator: Locator,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await locator.boundingBox();
  if (!found) throw new Error('nothing to be seen');
  return found;
}

/** Drags a zone by so many pixels. */
export async function dragOnCard(
  page: Page,
  locator: Locator,
  dx: number,
  dy: number,
  manner?: DragManner,
): Promise<void> {
  const { x, y, width, height } = await box(locator);
  const from = { x: x + width / 2, y: y + height / 2 };
  await drag(page, from, { x: from.x + dx, y: from.y + dy }, manner);
}
