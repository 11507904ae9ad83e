/** The start of most browser tests: a server, and a browser in which somebody with a verified address is signed in. */

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Complaints, launch, openPage } from './browser.ts';
import { type Person, signUp, verify } from './pages/account-page.ts';
import { Server } from './server.ts';

export interface SignedIn {
  readonly server: Server;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: Complaints;
}

/** Starts both and signs the person up. Whoever calls it closes the browser and stops the server. */
export async function startSignedIn(person: Person): Promise<SignedIn> {
  const [server, browser] = await Promise.all([Server.start(), launch()]);
  const { context, page, complaints } = await openPage(browser);
  await signUp(page, server.origin, person);
  await verify(page, server, person);
  return { server, browser, context, page, complaints };
}
