import {
  EmailAuthProvider,
  getMultiFactorResolver,
  type MultiFactorError,
  type MultiFactorResolver,
  reauthenticateWithCredential,
  reauthenticateWithRedirect,
  TotpMultiFactorGenerator,
  type User,
} from '@sdk/auth';
import { recoveryCodeAssertion } from '@sdk/own-account';
import { getServices } from '../server/firebase.ts';
import { leaveTo, oauthProvider, type SignInProvider } from './provider-sign-in.ts';

/** A dialog that asks who is there: for the password first, or only for the second factor. */
export interface SignInQuestion {
  /** Interrupted sign-in that needs the second factor; without it the first factor is asked for. */
  readonly waiting: MultiFactorResolver | undefined;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** Whoever was asked to sign in again did not. */
export class SignInCancelled extends Error {
  override readonly name = 'SignInCancelled';

  constructor() {
    super('You did not sign in again, so nothing was changed.');
  }
}

let question: SignInQuestion | null = null;
const observers = new Set<() => void>();

function put(next: SignInQuestion | null): void {
  question = next;
  for (const observer of observers) observer();
}

/** The current question. */
export const signInQuestion = (): SignInQuestion | null => question;

/** Calls back whenever something else is asked. */
export function observeSignInQuestion(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}

function ask(waiting?: MultiFactorResolver): Promise<void> {
  question?.cancel();
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      if (question === asked) put(null);
      settle();
    };
    const asked = { waiting, done: end(resolve), cancel: end(() => reject(new SignInCancelled())) };
    put(asked);
  });
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error ? (error as { code?: unknown }).code : '';

/** Resolver of a sign-in that needs a second factor; `undefined` for any other error. */
export function secondFactorFor(error: unknown): MultiFactorResolver | undefined {
  if (codeOf(error) !== 'auth/multi-factor-auth-required') return undefined;
  return getMultiFactorResolver(getServices().auth, error as MultiFactorError);
}

/** Completes a sign-in with the code that an authenticator app shows. */
export async function showCode(waiting: MultiFactorResolver, factor: string, code: string): Promise<void> {
  await waiting.resolveSignIn(TotpMultiFactorGenerator.assertionForSignIn(factor, code));
}

/** Completes a sign-in with a recovery code, which is used up. */
export async function showRecoveryCode(waiting: MultiFactorResolver, code: string): Promise<void> {
  await waiting.resolveSignIn(recoveryCodeAssertion(code));
}

function user(): User {
  const { currentUser } = getServices().auth;
  if (!currentUser) throw new Error('Your session has ended. Log in again.');
  return currentUser;
}

/** Shows by the password who is there. The error of a missing second factor goes to `secondFactorFor`. */
export async function showPassword(password: string): Promise<void> {
  const who = user();
  await reauthenticateWithCredential(who, EmailAuthProvider.credential(who.email ?? '', password));
}

/** Goes to a provider to show who is there; the page is left and opened again at `/account`. */
export async function showAtProvider(provider: SignInProvider): Promise<void> {
  leaveTo('/account');
  await reauthenticateWithRedirect(user(), oauthProvider(provider));
}

/** Proves who is there by the password; a dialog asks for the second factor where there is one. */
export async function signInAgain(password: string): Promise<User> {
  try {
    await showPassword(password);
  } catch (error) {
    const waiting = secondFactorFor(error);
    if (!waiting) throw error;
    await ask(waiting);
  }
  return user();
}

/** Does what takes a recent sign-in; where the server says that it was too long ago, a dialog asks and the work goes on. */
export async function withRecentSignIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) !== 'auth/requires-recent-login') throw error;
    await ask();
    return work();
  }
}

/** A sign-in counts as recent for this long on the server, in seconds; what is left of it must do for a visit elsewhere. */
const RECENT_SECONDS = 240;

/** Asks who is there unless they have just signed in: before what the server can only refuse later. */
export async function haveRecentSignIn(): Promise<void> {
  const { claims } = await user().getIdTokenResult();
  const since = typeof claims['auth_time'] === 'number' ? claims['auth_time'] : 0;
  if (Date.now() / 1000 - since > RECENT_SECONDS) await ask();
}
