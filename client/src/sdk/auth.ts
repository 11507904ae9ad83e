import { type AccountReply, accounts, lookup, type PendingReply, type TokenReply } from './auth/api.ts';
import { type Auth, AuthImpl } from './auth/auth-impl.ts';
import { type AuthCredential, EmailAuthCredential } from './auth/credential.ts';
import { AuthError } from './auth/errors.ts';
import {
  completed,
  type MultiFactorError,
  type MultiFactorResolver as ResolverOf,
  resolverOf,
} from './auth/multi-factor.ts';
import { comeBack, leaveFor, type OAuthProvider } from './auth/redirect.ts';
import { DEFAULT_TOKEN_SECONDS, type IdTokenResult, type User, UserImpl } from './auth/user.ts';
import { coreOf, type FirebaseApp, service } from './internal/app-core.ts';

export type { Auth } from './auth/auth-impl.ts';
export { type AuthCredential, EmailAuthCredential, EmailAuthProvider } from './auth/credential.ts';
export { AuthError } from './auth/errors.ts';
export {
  type MultiFactorAssertion,
  MultiFactorError,
  type MultiFactorInfo,
  type MultiFactorSession,
  type MultiFactorUser,
  multiFactor,
  TotpMultiFactorGenerator,
  TotpSecret,
} from './auth/multi-factor.ts';
export { GoogleAuthProvider, OAuthProvider } from './auth/redirect.ts';
export type { IdTokenResult, User, UserInfo, UserMetadata } from './auth/user.ts';

/** What a sign-in answers. */
export interface UserCredential {
  readonly user: User;
  readonly providerId: string | null;
  readonly operationType: 'signIn' | 'link' | 'reauthenticate';
}

/** A sign-in that waits for its second factor. */
export type MultiFactorResolver = ResolverOf<UserCredential>;

/** What a mail link carries along. */
export interface ActionCodeSettings {
  /** Where the page behind the link sends the user afterwards. */
  url: string;
  handleCodeInApp?: boolean;
}

/** What a mail link is for. */
export interface ActionCodeInfo {
  readonly operation: string;
  readonly data: { readonly email?: string | null; readonly previousEmail?: string | null };
}

type NextOrObserver<T> = ((value: T) => void) | { next?: (value: T) => void };
/** Ends a subscription. */
export type Unsubscribe = () => void;

const impl = (auth: Auth) => auth as AuthImpl;

function implOf(user: User): UserImpl {
  if (!(user instanceof UserImpl)) throw new AuthError('argument-error', 'Not a user of this SDK.');
  return user;
}

/** Authentication of an app; the default app when none is given. */
export function getAuth(app?: FirebaseApp): Auth {
  const core = coreOf(app);
  return service(core, 'auth', () => new AuthImpl(core));
}

/** Sends every call to an emulator at `url` (scheme, host, port). */
export function connectAuthEmulator(auth: Auth, url: string, _options?: { disableWarnings?: boolean }): void {
  impl(auth).endpoint.origin = url.replace(/\/+$/, '');
}

function nextOf<T>(observer: NextOrObserver<T>): (value: T) => void {
  if (typeof observer === 'function') return observer;
  return (value) => observer.next?.(value);
}

/** Calls back with the user, `null` when signed out: once as soon as it is known, then at every change. */
export function onAuthStateChanged(auth: Auth, nextOrObserver: NextOrObserver<User | null>): Unsubscribe {
  return impl(auth).observeState(nextOf(nextOrObserver));
}

/** Like `onAuthStateChanged`, and also whenever the ID token is renewed. */
export function onIdTokenChanged(auth: Auth, nextOrObserver: NextOrObserver<User | null>): Unsubscribe {
  return impl(auth).observeToken(nextOf(nextOrObserver));
}

async function signInWith(auth: AuthImpl, reply: TokenReply): Promise<UserCredential> {
  const account: AccountReply = await lookup(auth.endpoint, reply.idToken);
  await auth.authStateReady();
  const user = new UserImpl(auth, {
    account,
    idToken: reply.idToken,
    refreshToken: reply.refreshToken,
    // What completes a second factor does not say how long its token holds.
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

/** Takes over the tokens of who has shown again who they are. */
async function reauthenticated(user: UserImpl, reply: TokenReply): Promise<UserCredential> {
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

/** What completes a sign-in that `auth/multi-factor-auth-required` interrupted. */
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

/** Goes to a provider to make it one more way into the user's account. */
export function linkWithRedirect(user: User, provider: OAuthProvider): Promise<void> {
  return leaveFor(implOf(user).owner as AuthImpl, provider, 'link');
}

/** What came of a visit to a provider; `null` when there was none. */
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

/** Signs out, in this tab and the others. */
export function signOut(auth: Auth): Promise<void> {
  return auth.signOut();
}

/** The user's ID token, renewed when it is about to end or when forced. */
export function getIdToken(user: User, forceRefresh = false): Promise<string> {
  return user.getIdToken(forceRefresh);
}

/** The user's ID token with its claims. */
export function getIdTokenResult(user: User, forceRefresh = false): Promise<IdTokenResult> {
  return user.getIdTokenResult(forceRefresh);
}

/** Fetches the account again. */
export function reload(user: User): Promise<void> {
  return user.reload();
}

/** Changes name and picture; `null` removes one. */
export async function updateProfile(
  user: User,
  profile: { displayName?: string | null; photoURL?: string | null },
): Promise<void> {
  const target = implOf(user);
  const removed: string[] = [];
  if (profile.displayName === null) removed.push('DISPLAY_NAME');
  if (profile.photoURL === null) removed.push('PHOTO_URL');
  const reply = await accounts<Partial<TokenReply>>(target.owner.endpoint, 'update', {
    idToken: await target.getIdToken(),
    ...(profile.displayName != null && { displayName: profile.displayName }),
    ...(profile.photoURL != null && { photoUrl: profile.photoURL }),
    ...(removed.length > 0 && { deleteAttribute: removed }),
    returnSecureToken: true,
  });
  target.takeTokens(reply);
  await target.reload();
}

/** Changes the password. */
export async function updatePassword(user: User, newPassword: string): Promise<void> {
  const target = implOf(user);
  const reply = await accounts<Partial<TokenReply>>(target.owner.endpoint, 'update', {
    idToken: await target.getIdToken(),
    password: newPassword,
    returnSecureToken: true,
  });
  target.takeTokens(reply);
}

/** Deletes the account and signs out. */
export async function deleteUser(user: User): Promise<void> {
  const target = implOf(user);
  await accounts(target.owner.endpoint, 'delete', { idToken: await target.getIdToken() });
  target.owner.sessionEnded(target);
}

/** Mails the user a link that verifies the address. */
export async function sendEmailVerification(user: User, settings?: ActionCodeSettings | null): Promise<void> {
  const target = implOf(user);
  await accounts(target.owner.endpoint, 'sendOobCode', {
    requestType: 'VERIFY_EMAIL',
    idToken: await target.getIdToken(),
    ...(settings && { continueUrl: settings.url, canHandleCodeInApp: settings.handleCodeInApp ?? false }),
  });
}

/** Mails a link to a new address; the account has it once the link is opened. */
export async function verifyBeforeUpdateEmail(
  user: User,
  newEmail: string,
  settings?: ActionCodeSettings | null,
): Promise<void> {
  const target = implOf(user);
  await accounts(target.owner.endpoint, 'sendOobCode', {
    requestType: 'VERIFY_AND_CHANGE_EMAIL',
    idToken: await target.getIdToken(),
    newEmail,
    ...(settings && { continueUrl: settings.url, canHandleCodeInApp: settings.handleCodeInApp ?? false }),
  });
}

/** Mails a link that sets a new password. */
export async function sendPasswordResetEmail(
  auth: Auth,
  email: string,
  settings?: ActionCodeSettings | null,
): Promise<void> {
  await accounts(impl(auth).endpoint, 'sendOobCode', {
    requestType: 'PASSWORD_RESET',
    email,
    ...(settings && { continueUrl: settings.url, canHandleCodeInApp: settings.handleCodeInApp ?? false }),
  });
}

/** Applies the code of a verification link. */
export async function applyActionCode(auth: Auth, oobCode: string): Promise<void> {
  await accounts(impl(auth).endpoint, 'update', { oobCode });
}

/** What a code is for, without using it up. */
export async function checkActionCode(auth: Auth, oobCode: string): Promise<ActionCodeInfo> {
  const reply = await accounts<{ requestType?: string; email?: string; newEmail?: string }>(
    impl(auth).endpoint,
    'resetPassword',
    { oobCode },
  );
  const email = (reply.requestType === 'VERIFY_AND_CHANGE_EMAIL' ? reply.newEmail : reply.email) ?? null;
  return { operation: reply.requestType ?? '', data: { email } };
}

/** The address a password-reset code belongs to; rejects when the code is spent. */
export async function verifyPasswordResetCode(auth: Auth, code: string): Promise<string> {
  return (await checkActionCode(auth, code)).data.email ?? '';
}

/** Sets a new password with the code of a reset link. */
export async function confirmPasswordReset(auth: Auth, oobCode: string, newPassword: string): Promise<void> {
  await accounts(impl(auth).endpoint, 'resetPassword', { oobCode, newPassword });
}
