import { accounts, type PendingReply, type TokenReply } from './api.ts';
import type { AuthImpl } from './auth-impl.ts';
import { AuthError } from './errors.ts';
import { completed } from './pending.ts';
import type { UserImpl } from './user.ts';

/** Key under which the tab remembers that it went to a provider. */
const STORAGE_KEY = 'tuckbox:signInRedirect';
/** The page that providers send people back to. */
const HANDLER_PATH = '/__/auth/handler';

/** Somebody else who vouches for people, by id: `google.com`, or `oidc.` and a name. */
export class OAuthProvider {
  readonly providerId: string;

  constructor(providerId: string) {
    this.providerId = providerId;
  }
}

/** Google. */
export class GoogleAuthProvider extends OAuthProvider {
  static readonly PROVIDER_ID = 'google.com';

  constructor() {
    super(GoogleAuthProvider.PROVIDER_ID);
  }
}

/** Purpose of a sign-in with a provider: a session, another provider for the account, or reauthentication. */
export type RedirectOperation = 'signIn' | 'link' | 'reauthenticate';

interface Departure {
  readonly sessionId: string;
  readonly operation: RedirectOperation;
}

/** Result of a visit to a provider. */
export interface Return {
  readonly reply: TokenReply;
  readonly providerId: string;
  readonly operation: RedirectOperation;
}

/** Goes to a provider; the page is left. */
export async function leaveFor(
  auth: AuthImpl,
  provider: OAuthProvider,
  operation: RedirectOperation,
): Promise<void> {
  const { platform } = auth.endpoint.core;
  const { authUri, sessionId } = await accounts<{ authUri?: string; sessionId?: string }>(
    auth.endpoint,
    'createAuthUri',
    { providerId: provider.providerId, continueUri: platform.origin + HANDLER_PATH },
  );
  if (!authUri || !sessionId)
    throw new AuthError('internal-error', 'The server did not say where the provider is.');
  const departure: Departure = { sessionId, operation };
  platform.tab.storage.set(STORAGE_KEY, JSON.stringify(departure));
  platform.tab.leave(authUri);
}

function departureOf(text: string | null): Departure | null {
  if (!text) return null;
  try {
    const { sessionId, operation } = JSON.parse(text) as Partial<Departure>;
    if (typeof sessionId !== 'string') return null;
    const known = operation === 'link' || operation === 'reauthenticate' ? operation : 'signIn';
    return { sessionId, operation: known };
  } catch {
    return null;
  }
}

/** Finishes what `leaveFor` began, on the page that the provider sent the person back to; `null` elsewhere. */
export async function comeBack(auth: AuthImpl, signedIn: UserImpl | null): Promise<Return | null> {
  const { tab } = auth.endpoint.core.platform;
  const departure = departureOf(tab.storage.get(STORAGE_KEY));
  const address = new URL(tab.address());
  if (!departure || address.pathname !== HANDLER_PATH) return null;
  // Whatever comes of it, it is not tried twice.
  tab.storage.remove(STORAGE_KEY);
  if (departure.operation !== 'signIn' && !signedIn)
    throw new AuthError('user-token-expired', 'Nobody is signed in that this could be for.');
  const reply = await accounts<
    TokenReply & PendingReply & { needConfirmation?: boolean; providerId?: string }
  >(auth.endpoint, 'signInWithIdp', {
    requestUri: address.href,
    sessionId: departure.sessionId,
    returnSecureToken: true,
    ...(departure.operation === 'link' && signedIn && { idToken: await signedIn.getIdToken() }),
  });
  if (reply.needConfirmation) {
    throw new AuthError(
      'account-exists-with-different-credential',
      'There is already an account with this e-mail address, which the provider has not verified.',
    );
  }
  completed(reply, departure.operation, departure.operation === 'signIn' ? null : signedIn);
  return { reply, providerId: reply.providerId ?? '', operation: departure.operation };
}
