/** The versions of a project: freezing, and what a comparison lists. */

import type { Locator, Page } from 'playwright-core';
import { shots } from '../screenshots.ts';
import { tableShown } from './table-page.ts';

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

/** Pictures of the page, once everything is painted. */
export const shotOf = (page: Page, name: string): Promise<void> =>
  shots(page, name, {
    ready: () => page.waitForFunction(() => !document.querySelector('[data-state="waiting"]')),
  });

/** Makes a project of a version's content. @returns its id */
export async function beginBranch(page: Page, name: string, title: string): Promise<string> {
  await version(page, name)
    .getByRole('link', { name: `Open ${name}` })
    .click();
  await page.getByRole('button', { name: 'Duplicate as a new project' }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  await tableShown(page);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Changes of a branch, each with whether it is chosen to come back. */
export const choices = (page: Page): Promise<(readonly [string | null | undefined, boolean])[]> =>
  page
    .getByRole('checkbox')
    .evaluateAll((all) =>
      all.map((one) => [
        document.querySelector(`label[for="${one.id}"]`)?.textContent,
        (one as HTMLInputElement).checked,
      ]),
    );
