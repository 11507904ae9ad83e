/** A project: making it, and bringing a card list into it. */

import type { Page } from 'playwright-core';

export async function createProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Opens the import dialog and hands it a file. */
export async function chooseFile(page: Page, file: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add component' });
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Add component' }).first().click();
  await dialog.getByLabel('CSV file').setInputFiles(file);
}

/** Imports the file that was chosen. */
export async function confirmImport(page: Page, cards: number): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add component' });
  await dialog.getByRole('button', { name: `Import ${cards} ${cards === 1 ? 'card' : 'cards'}` }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Closes the import dialog without importing. */
export async function cancelImport(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add component' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** The import dialog's message about the chosen file. */
export async function importProblem(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Add component' });
  const problem = dialog.getByRole('alert');
  await problem.waitFor();
  return (await problem.textContent()) ?? '';
}
