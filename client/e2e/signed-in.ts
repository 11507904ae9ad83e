/** The start of most browser tests: a server, and a browser in which somebody with a verified address is signed in. */

import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from './browser.ts';
import { endIntroduction, type Person } from './pages/account-page.ts';
import { logIn } from './pages/second-factor-page.ts';
import { askAccounts, RestUser } from './rest-user.ts';
import { Server } from './server.ts';

export interface SignedIn extends OpenedPage {
  readonly server: Server;
  readonly browser: Browser;
}

/** Starts both and signs the person up. Whoever calls it closes the browser and stops the server. */
export async function startSignedIn(person: Person): Promise<SignedIn> {
  const [server, browser] = await Promise.all([Server.start(), launch()]);
  return { server, browser, ...(await signInBeside(browser, server, person)) };
}

/**
 * Signs another person up, in a profile of their own. The account is made without the application, which would load three
 * times for it; the tests of accounts sign up as a person does.
 */
export async function signInBeside(browser: Browser, server: Server, person: Person): Promise<OpenedPage> {
  const [opened] = await Promise.all([openPage(browser), makeAccount(server, person)]);
  const { page } = opened;
  await page.goto(`${server.origin}/login`);
  await logIn(page, person);
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await endIntroduction(page);
  return opened;
}

/** An account with a name and a verified address. */
async function makeAccount(server: Server, person: Person): Promise<void> {
  const { origin } = server;
  const { token: idToken } = await RestUser.signUp(origin, person);
  await askAccounts(origin, 'update', { idToken, displayName: person.name });
  await askAccounts(origin, 'sendOobCode', { idToken, requestType: 'VERIFY_EMAIL' });
  const oobCode = new URL(await server.linkTo(person.email)).searchParams.get('oobCode');
  await askAccounts(origin, 'update', { oobCode });
}
