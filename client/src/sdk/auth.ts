import { type Auth, AuthImpl } from './auth/auth-impl.ts';
import { impl } from './auth/handle.ts';
import type { IdTokenResult, User } from './auth/user.ts';
import { coreOf, type FirebaseApp, service } from './internal/app-core.ts';

export type { Auth } from './auth/auth-impl.ts';
export { type AuthCredential, EmailAuthCredential, EmailAuthProvider } from './auth/credential.ts';
export { AuthError } from './auth/errors.ts';
export {
  type ActionCodeInfo,
  type ActionCodeSettings,
  applyActionCode,
  checkActionCode,
  confirmPasswordReset,
  deleteUser,
  sendEmailVerification,
  sendPasswordResetEmail,
  updatePassword,
  updateProfile,
  verifyBeforeUpdateEmail,
  verifyPasswordResetCode,
} from './auth/manage.ts';
export {
  type MultiFactorAssertion,
  type MultiFactorInfo,
  type MultiFactorSession,
  type MultiFactorUser,
  multiFactor,
  TotpMultiFactorGenerator,
  TotpSecret,
} from './auth/multi-factor.ts';
export { MultiFactorError } from './auth/pending.ts';
export { GoogleAuthProvider, OAuthProvider } from './auth/redirect.ts';
export {
  createUserWithEmailAndPassword,
  getMultiFactorResolver,
  getRedirectResult,
  linkWithCredential,
  linkWithRedirect,
  type MultiFactorResolver,
  reauthenticateWithCredential,
  reauthenticateWithRedirect,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signInWithRedirect,
  type UserCredential,
} from './auth/sign-in.ts';
export type { IdTokenResult, User, UserInfo, UserMetadata } from './auth/user.ts';

type NextOrObserver<T> = ((value: T) => void) | { next?: (value: T) => void };
/** Ends a subscription. */
export type Unsubscribe = () => void;

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
