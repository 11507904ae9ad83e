/** The rulebook maker: making a rulebook, writing in it, and waiting until it is stored. */

import type { Locator, Page } from 'playwright-core';

/** The text that is written in. */
export const text = (on: Page): Locator => on.getByRole('textbox', { name: 'Text of the rulebook' });

/** The words of each element that is found, without anybody's cursor. */
export const wordsOf = (found: Locator): Promise<string[]> =>
  found.evaluateAll((all) =>
    all.map((one) => {
      const copy = one.cloneNode(true) as HTMLElement;
      for (const shown of copy.querySelectorAll('[aria-hidden]')) shown.remove();
      return copy.textContent ?? '';
    }),
  );

/** Waits until everything is stored. */
export const saved = (on: Page): Promise<void> =>
  on
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor();

/** The pages beside the text. */
export const pagesOf = (on: Page): Locator => on.locator('[data-page]');

export const painted = (on: Page): Promise<void> =>
  on.locator('[data-page="1"][data-state="painted"]').waitFor();

/** Inserts a block or an inline by its name. */
export async function insert(on: Page, words: string): Promise<void> {
  await on.keyboard.press('Control+Enter');
  const dialog = on.getByRole('dialog', { name: 'Insert' });
  await dialog.getByLabel('Block or inline').fill(words);
  await on.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Makes a rulebook of the project that is shown, from a skeleton or from nothing. */
export async function createRulebook(on: Page, title: string, skeleton: string): Promise<void> {
  await on.getByRole('button', { name: 'Rulebooks' }).click();
  const dialog = on.getByRole('dialog', { name: 'Rulebooks' });
  await dialog.getByRole('button', { name: 'New rulebook' }).click();
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Begin with').selectOption({ label: skeleton });
  await dialog.getByRole('button', { name: 'Make rulebook' }).click();
  await on.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/** Chooses a kind of file in the open window of exports, and stores it. Answers the window, which stays. */
export async function makeFile(on: Page, kind: string, file: string): Promise<Locator> {
  const dialog = on.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('radio', { name: kind }).check();
  const download = on.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Make the file' }).click();
  await (await download).saveAs(file);
  return dialog;
}
