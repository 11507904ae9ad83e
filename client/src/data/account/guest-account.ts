import {
  EmailAuthProvider,
  getIdToken,
  getIdTokenResult,
  linkWithCredential,
  signInWithCustomToken,
  type User,
} from '@sdk/auth';
import { callFunction } from '../server/database.ts';
import { getServices } from '../server/firebase.ts';

/** Codes of an account or a session that is lost for good. Any other failure, as of the network, leaves the guest one. */
const LOST: ReadonlySet<unknown> = new Set([
  'auth/user-not-found',
  'auth/user-disabled',
  'auth/user-token-expired',
  'auth/invalid-user-token',
  'functions/unauthenticated',
]);

/** Logging in does what is left; signing up once more would be refused. */
const UNFINISHED = 'Your account was created, but one step is left. Log in to finish it.';

/**
 * Signs the guest in this browser in once more: only a fresh session adds a way in to an account. `undefined` if the
 * account is lost, and with it what it would keep.
 * @throws Error of the network or the server; the guest stays one then
 */
export async function freshGuest(): Promise<User | undefined> {
  const { auth } = getServices();
  if (!auth.currentUser) return undefined;
  try {
    // A call goes without a token that cannot be renewed and is refused as nobody's: the renewal itself says why.
    await getIdToken(auth.currentUser, true);
    const { token } = await callFunction<{ token: string }>('guestToken', {});
    return (await signInWithCustomToken(auth, token)).user;
  } catch (error) {
    if (LOST.has((error as { code?: unknown }).code)) return undefined;
    throw error;
  }
}

/**
 * Makes a guest's account one of their own, with an address and a password: it keeps its seats and games.
 * @throws Error of the server, for example that the address has an account already; the guest stays one then
 */
export async function signUpGuest(email: string, password: string): Promise<User | undefined> {
  const guest = await freshGuest();
  if (!guest) return undefined;
  const { user } = await linkWithCredential(guest, EmailAuthProvider.credential(email, password));
  try {
    await keepGuestGames();
  } catch (cause) {
    throw new Error(UNFINISHED, { cause });
  }
  return user;
}

/** Ends an account's being a guest's, if somebody can sign in to it by now. Does nothing for other accounts. */
export async function keepGuestGames(): Promise<void> {
  const user = getServices().auth.currentUser;
  if (!user || user.providerData.length === 0) return;
  const { claims } = await getIdTokenResult(user);
  if (claims['guest'] !== true) return;
  await callFunction('keepGuestGames', {});
  await getIdToken(user, true);
}
