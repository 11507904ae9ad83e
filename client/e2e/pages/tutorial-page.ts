/** A click-through tutorial: starting it, waiting for its steps, and seeing it done. */

import type { Locator, Page } from 'playwright-core';

/** The bubble of the tutorial of that name. */
export const bubble = (on: Page, name: string): Locator =>
  on.getByRole('dialog', { name: `Tutorial: ${name}` });

export async function startTutorial(on: Page, name: string): Promise<void> {
  await on.getByRole('button', { name: 'Help', exact: true }).click();
  await on.getByRole('button', { name: `Start: ${name}` }).click();
}

/** Waits until the bubble shows step `number`. */
export const step = (on: Page, name: string, number: number): Promise<void> =>
  bubble(on, name)
    .getByText(new RegExp(`, ${number} of \\d`))
    .waitFor();

/** It is over and counts as done. */
export async function completed(on: Page, name: string): Promise<void> {
  await bubble(on, name).waitFor({ state: 'detached' });
  await on.getByRole('button', { name: 'Help', exact: true }).click();
  await on.getByRole('listitem').filter({ hasText: name }).getByLabel('Completed').waitFor();
  await on.keyboard.press('Escape');
}
