/** The start of most browser tests: a server, and a browser in which somebody with a verified address is signed in. */

import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from './browser.ts';
import { type Person, signUp, verify } from './pages/account-page.ts';
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

/** Signs another person up, in a profile of their own. */
export async function signInBeside(browser: Browser, server: Server, person: Person): Promise<OpenedPage> {
  const opened = await openPage(browser);
  await signUp(opened.page, server.origin, person);
  await verify(opened.page, server, person);
  return opened;
}
