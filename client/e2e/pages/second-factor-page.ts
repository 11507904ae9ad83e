/** The account page's part about signing in, and the sign-in page of an account with a second factor. */

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { faultsInBoth } from '../axe.ts';
import { Authenticator } from '../totp.ts';
import type { Person } from './account-page.ts';

export const signingIn = (page: Page): Locator => page.getByRole('region', { name: 'Signing in' });

/** Fills in the form of the page that asks who somebody is. */
export async function logIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Adds an app through the account page, by the button of that name, and answers it. */
export async function addApp(page: Page, button: string, name: string): Promise<Authenticator> {
  await signingIn(page).getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor();
  const app = new Authenticator((await dialog.locator('code').textContent()) ?? '');
  await dialog.getByLabel('Name of the app or device').fill(name);
  await dialog.getByLabel('Code', { exact: true }).fill(app.next());
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await dialog.waitFor({ state: 'detached' });
  await signingIn(page)
    .getByRole('button', { name: `Remove ${name}` })
    .waitFor();
  return app;
}

/** Makes recovery codes in the dialog that is open, and answers them. */
export async function makeCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  await dialog.getByRole('button', { name: 'Make codes' }).click();
  const list = dialog.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  expect(await faultsInBoth(page, 'recovery codes')).toEqual([]);
  const made = await list.locator('code').allTextContents();
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await dialog.waitFor({ state: 'detached' });
  return made;
}

/** Signs in with a recovery code in place of an app's code. */
export async function useRecoveryCode(page: Page, person: Person, code: string): Promise<void> {
  await logIn(page, person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Log in' }).click();
}
