/** Passkeys on the account page, and an authenticator of the browser's own that makes them. */

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
