/** The translation of a rulebook: choosing a language, and the texts with their translations. */

import type { Locator, Page } from 'playwright-core';

const chooser = (on: Page): Locator => on.getByRole('button', { name: /^Language: / });

/** Shows the rulebook in a language, or its text where it is “the text itself”. */
export async function chooseLanguage(on: Page, name: string | RegExp): Promise<void> {
  await chooser(on).click();
  await on.getByRole('menuitem', { name }).click();
}

/** Begins a translation, and waits until it is shown. */
export async function addLanguage(on: Page, name: string): Promise<Locator> {
  await chooseLanguage(on, 'Add a language…');
  const dialog = on.getByRole('dialog', { name: 'Add a language' });
  await dialog.getByLabel('Language').fill(name);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.waitFor({ state: 'detached' });
  const pane = paneOf(on, name);
  await pane.waitFor();
  return pane;
}

export const paneOf = (on: Page, language: string): Locator =>
  on.getByRole('region', { name: `Translation into ${language}` });

/** The row of a text, by words of its source. */
export const rowOf = (pane: Locator, source: string | RegExp): Locator =>
  pane.getByRole('listitem').filter({ has: pane.page().locator('p', { hasText: source }) });

export const fieldOf = (pane: Locator, source: string | RegExp): Locator =>
  rowOf(pane, source).getByRole('textbox');

/** Waits until a text is stored in a state. */
export const inState = (pane: Locator, source: string | RegExp, state: string): Promise<void> =>
  rowOf(pane, source).getByText(state, { exact: true }).waitFor();

/** Translates a text and waits until it is stored. */
export async function translate(pane: Locator, source: string | RegExp, words: string): Promise<void> {
  await fieldOf(pane, source).fill(words);
  await fieldOf(pane, source).press('Control+Enter');
  await inState(pane, source, 'Done');
}
