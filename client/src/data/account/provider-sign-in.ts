import { getAuth, linkWithRedirect, OAuthProvider, signInWithRedirect } from '@sdk/auth';
import { getServices } from '../server/firebase.ts';
import { freshGuest } from './guest-account.ts';

/** Key of this tab's destination after the provider's page. */
const RETURN_KEY = 'tuckbox:signInReturn';
const DEFAULT_RETURN = '/decks';

/** A way to sign in that the operator offers beside e-mail and password. */
export interface SignInProvider {
  readonly id: string;
  /** Display name, such as “Google”. */
  readonly name: string;
}

/** The ways the operator offers. */
export function signInProviders(): readonly SignInProvider[] {
  // The official package's redirect goes through a page of Google's own.
  return __OFFICIAL_SDK__ ? [] : (getServices().host.signIn ?? []);
}

/** Remembers where to go on to after a provider. */
export const leaveTo = (to: string): void => sessionStorage.setItem(RETURN_KEY, to);

/** The provider as the SDK knows it. */
export const oauthProvider = ({ id }: SignInProvider) => new OAuthProvider(id);

/** Goes to a provider to sign in, and on to `to` afterwards. */
export async function signInAt(provider: SignInProvider, to: string): Promise<void> {
  leaveTo(to);
  await signInWithRedirect(getServices().auth, oauthProvider(provider));
}

/** Goes to a provider to make it the way into the account of the guest in this browser, and on to `to` afterwards. */
export async function signUpGuestAt(provider: SignInProvider, to: string): Promise<void> {
  const guest = await freshGuest();
  if (!guest) return signInAt(provider, to);
  leaveTo(to);
  await linkWithRedirect(guest, oauthProvider(provider));
}

/** Makes a provider one more way into this account. */
export async function linkAt(provider: SignInProvider): Promise<void> {
  const user = getAuth(getServices().app).currentUser;
  if (!user) throw new Error('Log in first.');
  leaveTo('/account');
  await linkWithRedirect(user, oauthProvider(provider));
}

/** Destination after signing in; returned once. */
export function takeReturn(): string {
  const to = sessionStorage.getItem(RETURN_KEY) ?? DEFAULT_RETURN;
  sessionStorage.removeItem(RETURN_KEY);
  return to;
}
