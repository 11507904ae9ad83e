/** Signing up and in, and the mail that verifies an address, as a person does it. */

import type { Page } from 'playwright-core';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export async function signUp(page: Page, origin: string, person: Person): Promise<void> {
  await page.goto(`${origin}/signup`);
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: /create account|sign up/i }).click();
  await page.waitForURL(/\/decks$/);
}

export async function logIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: /log in/i }).click();
}

/** Follows the newest verification link of the local outbox in a page of its own. */
export async function followVerificationLink(page: Page, origin: string, person: Person): Promise<void> {
  const outbox = await page.context().newPage();
  await outbox.goto(`${origin}/outbox`);
  const mail = outbox.getByRole('listitem').filter({ hasText: person.email }).first();
  await mail.getByRole('link').click();
  await outbox
    .getByText(/is verified|verified/i)
    .first()
    .waitFor();
  await outbox.close();
}
