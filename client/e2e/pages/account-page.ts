/** Signing up and verifying the address, as a person does it. */

import type { Page } from 'playwright-core';
import type { Server } from '../server.ts';

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export async function signUp(page: Page, origin: string, person: Person): Promise<void> {
  await page.goto(`${origin}/signup`);
  await page.getByLabel('Name').fill(person.name);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('dialog', { name: 'Verify your e-mail address' }).waitFor();
}

/** Follows the link in the mail in a page of its own, then refreshes the first page as the gate says. */
export async function verify(page: Page, server: Server, person: Person): Promise<void> {
  const mail = await page.context().newPage();
  await mail.goto(await server.linkTo(person.email));
  await mail.getByRole('heading', { name: 'Your address is verified' }).waitFor();
  await mail.close();
  await page.reload();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await page.getByRole('dialog', { name: 'Verify your e-mail address' }).waitFor({ state: 'detached' });
  await endIntroduction(page);
}

/** Logs out on the account page. The page of signing in shows twice: what is typed before it is loaded anew is lost. */
export async function logOut(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Log out' }).click();
  await loaded;
  await page.getByRole('button', { name: 'Log in' }).waitFor();
}

/** Waits until the server has stored settings of the account, which `act` changes. @param written in them */
export async function settingsStored(
  page: Page,
  act: () => Promise<void>,
  written = /\/userData\/userObject/,
): Promise<void> {
  const stored = page.waitForResponse(
    (answer) => answer.url().includes('documents:commit') && written.test(answer.request().postData() ?? ''),
  );
  await act();
  await stored;
}

/** Reads the welcome that everybody gets once. */
export async function endIntroduction(page: Page): Promise<void> {
  const welcome = page.getByRole('dialog', { name: 'Welcome to Tuckbox' });
  // The next step may reload the page: by then it must be stored that the welcome was read.
  await settingsStored(
    page,
    () => welcome.getByRole('button', { name: 'Let’s go' }).click(),
    /"shownNewUserIntro":\s*\{\s*"booleanValue":\s*true/,
  );
  await welcome.waitFor({ state: 'detached' });
}
