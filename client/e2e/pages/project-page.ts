/** A project: making it, and bringing a card list into it. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export async function createProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Invites an address to the project that is shown. */
export async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Members' }).click();
  const members = page.getByRole('dialog', { name: 'Members' });
  await members.getByText('By e-mail address').click();
  await members.getByRole('textbox', { name: 'E-mail address' }).fill(email);
  await members.getByLabel('Role', { exact: true }).selectOption(role);
  await members.getByRole('button', { name: 'Invite', exact: true }).click();
  await members.getByRole('list', { name: 'Open invitations' }).getByText(email).waitFor();
  await page.keyboard.press('Escape');
  await members.waitFor({ state: 'detached' });
}

/** The link that `act` puts on the clipboard of a page that may read it. */
export async function copiedLink(page: Page, act: () => Promise<void>): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await act();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https?:/);
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Accepts an invitation on the page of projects. */
export async function acceptInvitation(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/decks`);
  await page.getByRole('region', { name: 'Invitations' }).getByRole('button', { name: 'Accept' }).click();
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

/** Makes a project with a component of these cards, which a layout shows. @param folder for the list that is imported */
export function createDrawnProject(
  page: Page,
  name: string,
  cards: readonly string[],
  folder: string,
): Promise<void> {
  return createListedProject(
    page,
    name,
    ['Name,Text', ...cards.map((card, at) => `${card},Costs ${at}`)],
    folder,
  );
}

/** The same with the lines of the list, the names of the columns first. */
export async function createListedProject(
  page: Page,
  name: string,
  lines: readonly string[],
  folder: string,
): Promise<void> {
  await createProject(page, name);
  const list = join(folder, 'list.csv');
  await writeFile(list, lines.join('\n'));
  await chooseFile(page, list);
  await confirmImport(page, lines.length - 1);
  await page.getByRole('button', { name: 'Start a layout from these columns' }).click();
  await page.getByRole('button', { name: 'Edit layout' }).waitFor();
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

/** Chooses a line of the menu beside the buttons of a project's page. */
export async function chooseMore(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More of this project' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
