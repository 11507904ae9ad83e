import { type AccountReply, accounts, lookup, type PendingReply, type TokenReply } from './api.ts';
import type { Auth, AuthImpl } from './auth-impl.ts';
import { type AuthCredential, EmailAuthCredential } from './credential.ts';
import { AuthError } from './errors.ts';
import { impl, implOf } from './handle.ts';
import { type MultiFactorResolver as ResolverOf, resolverOf } from './multi-factor.ts';
import { completed, type MultiFactorError } from './pending.ts';
import { comeBack, leaveFor, type OAuthProvider } from './redirect.ts';
import { DEFAULT_TOKEN_SECONDS, type User, UserImpl } from './user.ts';

/** Result of a sign-in. */
export interface UserCredential {
  readonly user: User;
  readonly providerId: string | null;
  readonly operationType: 'signIn' | 'link' | 'reauthenticate';
}

/** A sign-in that waits for its second factor. */
export type MultiFactorResolver = ResolverOf<UserCredential>;

/** Begins a session with the tokens of a reply. */
export async function signInWith(auth: AuthImpl, reply: TokenReply): Promise<UserCredential> {
  const account: AccountReply = await lookup(auth.endpoint, reply.idToken);
  await auth.authStateReady();
  const user = new UserImpl(auth, {
    account,
    idToken: reply.idToken,
    refreshToken: reply.refreshToken,
    // The reply that completes a second factor does not contain its token's lifetime.
    expiresAt: auth.endpoint.core.platform.now() + Number(reply.expiresIn ?? DEFAULT_TOKEN_SECONDS) * 1000,
  });
  auth.setUser(user);
  return { user, providerId: null, operationType: 'signIn' };
}

/** Creates an account and signs it in. */
export async function createUserWithEmailAndPassword(
  auth: Auth,
  email: string,
  password: string,
): Promise<UserCredential> {
  const body = { email, password, returnSecureToken: true, clientType: 'CLIENT_TYPE_WEB' };
  return signInWith(impl(auth), await accounts<TokenReply>(impl(auth).endpoint, 'signUp', body));
}

/** Signs an account in. */
export async function signInWithEmailAndPassword(
  auth: Auth,
  email: string,
  password: string,
): Promise<UserCredential> {
  const body = { email, password, returnSecureToken: true, clientType: 'CLIENT_TYPE_WEB' };
  const reply = await accounts<TokenReply & PendingReply>(impl(auth).endpoint, 'signInWithPassword', body);
  return signInWith(impl(auth), completed(reply));
}

/** Signs in with a token that the project's server made. */
export async function signInWithCustomToken(auth: Auth, customToken: string): Promise<UserCredential> {
  const body = { token: customToken, returnSecureToken: true };
  return signInWith(
    impl(auth),
    await accounts<TokenReply>(impl(auth).endpoint, 'signInWithCustomToken', body),
  );
}

/** Takes over the tokens of who has shown again who they are. */
export async function reauthenticated(user: UserImpl, reply: TokenReply): Promise<UserCredential> {
  const { localId } = await lookup(user.owner.endpoint, reply.idToken);
  if (localId !== user.uid)
    throw new AuthError('user-mismatch', 'The credential is that of another account.');
  user.takeTokens(reply);
  await user.reload();
  return { user, providerId: null, operationType: 'reauthenticate' };
}

/** Shows again who is there, for what takes a recent sign-in. */
export async function reauthenticateWithCredential(
  user: User,
  credential: AuthCredential,
): Promise<UserCredential> {
  const target = implOf(user);
  if (!(credential instanceof EmailAuthCredential))
    throw new AuthError('argument-error', 'Not a credential of this SDK.');
  const { email, password } = credential;
  const body = { email, password, returnSecureToken: true, clientType: 'CLIENT_TYPE_WEB' };
  const reply = await accounts<TokenReply & PendingReply>(target.owner.endpoint, 'signInWithPassword', body);
  return reauthenticated(target, completed(reply, 'reauthenticate', target));
}

/** Goes to a provider to show again who is there; `getRedirectResult` ends it. */
export function reauthenticateWithRedirect(user: User, provider: OAuthProvider): Promise<void> {
  return leaveFor(implOf(user).owner as AuthImpl, provider, 'reauthenticate');
}

/** Resolver of a sign-in that `auth/multi-factor-auth-required` interrupted. */
export function getMultiFactorResolver(auth: Auth, error: MultiFactorError): MultiFactorResolver {
  return resolverOf(auth, error, async (reply, { operation, user }) => {
    if (user && operation === 'reauthenticate') return reauthenticated(user, reply);
    const credential = await signInWith(impl(auth), reply);
    return { ...credential, operationType: operation };
  });
}

/** Goes to a provider to sign in; the page is left, and `getRedirectResult` ends it on the page it comes back to. */
export function signInWithRedirect(auth: Auth, provider: OAuthProvider): Promise<void> {
  return leaveFor(impl(auth), provider, 'signIn');
}

/** Adds an address with its password to an account that has none yet. */
export async function linkWithCredential(user: User, credential: AuthCredential): Promise<UserCredential> {
  const own = implOf(user);
  if (!(credential instanceof EmailAuthCredential)) {
    throw new AuthError('argument-error', 'Only an e-mail address with its password is linked here.');
  }
  const { email, password } = credential;
  const body = { idToken: await own.getIdToken(), email, password, returnSecureToken: true };
  own.takeTokens(await accounts<TokenReply>(own.owner.endpoint, 'signUp', body));
  await own.reload();
  return { user: own, providerId: credential.providerId, operationType: 'link' };
}

/** Goes to a provider to make it one more way into the user's account. */
export function linkWithRedirect(user: User, provider: OAuthProvider): Promise<void> {
  return leaveFor(implOf(user).owner as AuthImpl, provider, 'link');
}

/** Result of a visit to a provider; `null` if there was none. */
export async function getRedirectResult(auth: Auth): Promise<UserCredential | null> {
  await auth.authStateReady();
  const target = impl(auth);
  const result = await comeBack(target, target.currentUser);
  if (!result) return null;
  if (result.operation === 'reauthenticate' && target.currentUser) {
    const again = await reauthenticated(target.currentUser, result.reply);
    return { ...again, providerId: result.providerId };
  }
  const credential = await signInWith(target, result.reply);
  return { ...credential, providerId: result.providerId, operationType: result.operation };
}
