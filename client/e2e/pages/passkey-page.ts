/** Passkeys on the account page, and an authenticator of the browser's own that makes them. */

import { join } from 'node:path';
import type { CDPSession, Locator, Page } from 'playwright-core';

/** An authenticator inside the browser, with somebody before it who always agrees. */
export class BrowserAuthenticator {
  private constructor(
    readonly session: CDPSession,
    readonly authenticatorId: string,
  ) {}

  static async plugInto(page: Page): Promise<BrowserAuthenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        // Suggestions of a page are taken only when a test says so.
        automaticPresenceSimulation: false,
      },
    });
    return new BrowserAuthenticator(session, authenticatorId);
  }

  /** Has the person before it agree to what is asked meanwhile. */
  async agree<T>(act: () => Promise<T>): Promise<T> {
    const { authenticatorId } = this;
    await this.session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    try {
      return await act();
    } finally {
      await this.session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    }
  }

  /** Lets it verify who is there, or not. */
  async verifies(isUserVerified: boolean): Promise<void> {
    const { authenticatorId } = this;
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  /** The number of passkeys that it holds. */
  async count(): Promise<number> {
    const { authenticatorId } = this;
    const { credentials } = await this.session.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.length;
  }
}

/**
 * Lets the browser suggest passkeys in pages opened from now on, or not: one that is taken at once leaves no time for a
 * click.
 */
export async function suggest(page: Page, suggests: boolean): Promise<void> {
  await page.evaluate((on) => localStorage.setItem('suggests passkeys', on ? 'yes' : 'no'), suggests);
}

/** Keeps the browser from suggesting passkeys until `suggest` says so. */
export async function suggestNone(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (localStorage.getItem('suggests passkeys') === 'yes') return;
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

export const passkeyList = (page: Page): Locator => page.getByRole('list', { name: 'Passkeys' });

/** Writes what a page looks like, light and dark, at two widths, where `TUCKBOX_SHOTS` names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['TUCKBOX_SHOTS'];
  if (!folder) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1440, height: 900 });
}
