/** The versions of a project: freezing, and what a comparison lists. */

import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

export const timeline = (page: Page): Locator => page.getByRole('list', { name: 'Versions' });

/** A version of the timeline by its name. */
export const version = (page: Page, name: string): Locator =>
  timeline(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

/** Freezes the project under the suggested name, or another. Answers the name. */
export async function freeze(page: Page, name?: string, note = ''): Promise<string> {
  await page.getByRole('button', { name: 'Freeze version' }).click();
  const dialog = page.getByRole('dialog', { name: 'Freeze version' });
  const field = dialog.getByLabel('Name');
  if (name !== undefined) await field.fill(name);
  const given = await field.inputValue();
  await dialog.getByLabel('Note').fill(note);
  await dialog.getByRole('button', { name: 'Freeze', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await version(page, given).waitFor();
  return given;
}

export const changes = (page: Page): Locator => page.getByRole('navigation', { name: 'Changes' });

/** The lines of a comparison's list, each with what became of it. */
export async function changed(page: Page): Promise<string[]> {
  await changes(page).waitFor();
  return changes(page)
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => [...one.children].map((part) => part.textContent).join(' ')));
}

/** Shows the differences of one thing that differs. */
export async function showChange(page: Page, name: string): Promise<Locator> {
  await changes(page)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  const detail = page.getByRole('region', { name, exact: true });
  await detail.waitFor();
  return detail;
}

/** Pictures of the page in both themes and at two widths, when they are asked for. */
export async function shotOf(page: Page, name: string): Promise<void> {
  const folder = process.env['TUCKBOX_SHOTS'];
  if (!folder) return;
  await page.waitForFunction(() => !document.querySelector('[data-state="waiting"]'));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
