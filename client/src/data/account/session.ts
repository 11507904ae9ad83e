import { getIdToken, getIdTokenResult, onIdTokenChanged, reload, signOut, type User } from '@sdk/auth';
import { finishBeforeEnd } from '@sdk/own-account';
import { useSyncExternalStore } from 'react';
import { getServices } from '../server/firebase.ts';
import { inTrial } from '../trial/place.ts';
import { finishWork } from './unsaved-work.ts';

/** The profile is fetched again at most this often, in milliseconds, unless forced. */
export const RELOAD_THROTTLE_MS = 3_000;

/** The signed-in user as screens need it: plain values that change together. */
export interface SessionUser {
  readonly uid: string;
  readonly email: string;
  readonly displayName: string;
  readonly emailVerified: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly providers: readonly string[];
  /** The claim `admin` of the ID token: what the server goes by. */
  readonly admin: boolean;
}

/** Whoever tries the application without an account. What they make is their own, in this browser. */
const VISITOR: SessionUser = {
  uid: 'visitor',
  email: '',
  displayName: 'You',
  emailVerified: true,
  createdAt: 0,
  providers: [],
  admin: false,
};

/** Claim of the accounts of people who came to a table by its code. */
const GUEST = 'guest';

let current: SessionUser | null = null;
let guest: SessionUser | null = null;
const observers = new Set<() => void>();
let lastReload = Number.NEGATIVE_INFINITY;
/** The claim of whose token was read last. */
let claim:
  | { readonly uid: string; readonly admin: boolean; readonly guest: boolean; readonly name: string }
  | undefined;

function describe(user: User): SessionUser {
  return {
    uid: user.uid,
    email: user.email ?? '',
    displayName: user.displayName ?? '',
    emailVerified: user.emailVerified,
    createdAt: Date.parse(user.metadata.creationTime ?? '') || 0,
    providers: user.providerData.map((provider) => provider.providerId),
    admin: claim?.uid === user.uid && claim.admin,
  };
}

/** Before the claims are read, an account without a way in of its own counts as a guest's: nothing is fetched for it. */
const isGuest = (user: SessionUser): boolean =>
  claim?.uid === user.uid ? claim.guest : user.providers.length === 0;

function publish(force = false): void {
  const user = getServices().auth.currentUser;
  const somebody = user ? describe(user) : null;
  const isOne = somebody !== null && isGuest(somebody);
  const [next, nextGuest] = isOne ? [null, somebody] : [somebody, null];
  const same = JSON.stringify([next, nextGuest]) === JSON.stringify([current, guest]);
  if (!force && same) return;
  [current, guest] = [next, nextGuest];
  for (const observer of observers) observer();
}

/** Reads the token's claims. They only show or hide links, so a failure to read them is no failure. */
async function readClaims(): Promise<void> {
  const user = getServices().auth.currentUser;
  if (!user) return;
  const read = await getIdTokenResult(user).catch(() => undefined);
  const claims: Record<string, unknown> = read?.claims ?? {};
  const name = [claims['name'], claims['email']].find((one) => typeof one === 'string' && one !== '');
  const asGuest = read ? claims[GUEST] === true : user.providerData.length === 0;
  claim = { uid: user.uid, admin: claims['admin'] === true, guest: asGuest, name: String(name ?? '') };
  publish();
}

let tellStarted: () => void = () => undefined;
const started = new Promise<void>((resolve) => {
  tellStarted = resolve;
});

/** Resolves once it is known whether somebody is signed in, which [`startSession`] finds out. */
export const sessionStarted = (): Promise<void> => started;

/** Follows sign-in; resolves once it is known whether somebody is signed in. */
export async function startSession(): Promise<void> {
  const { auth } = getServices();
  await auth.authStateReady();
  await readClaims();
  finishBeforeEnd(auth, finishWork);
  onIdTokenChanged(auth, () => {
    publish();
    void readClaims();
  });
  publish();
  tellStarted();
}

/**
 * The person whose things this page shows: the user signed in right now, in the trial its visitor. Guests of a table are
 * none: there is nothing to fetch or to save for them.
 */
export function sessionUser(): SessionUser | null {
  return inTrial() ? VISITOR : current;
}

const account = (): SessionUser | null => current;

/** The user's name in the token, which rules compare. */
export const nameInToken = (): string => (claim && claim.uid === current?.uid ? claim.name : '');

/** Calls back whenever who is signed in, or what is known of them, changes. */
export function observeSession(callback: () => void): () => void {
  observers.add(callback);
  return () => void observers.delete(callback);
}

/** The signed-in user, updated live. In the trial that may be somebody, whose things are elsewhere. */
export function useAccount(): SessionUser | null {
  return useSyncExternalStore(observeSession, account);
}

const accountOutsideTrial = (): SessionUser | null => (inTrial() ? null : current);

/** The signed-in user, updated live; in the trial nobody is. */
export function useSession(): SessionUser | null {
  return useSyncExternalStore(observeSession, accountOutsideTrial);
}

/** The guest of a table in this browser, who has no account of their own. */
export const guestOfTable = (): SessionUser | null => guest;

/** The same, updated live. */
export function useGuest(): SessionUser | null {
  return useSyncExternalStore(observeSession, guestOfTable);
}

/** The person at a table: the signed-in user or a guest. Only on screens that nobody else can reach. */
export function usePersonAtTable(): SessionUser {
  const [user, visitor] = [useSession(), useGuest()];
  const somebody = user ?? visitor;
  if (!somebody) throw new Error('This screen needs somebody at a table.');
  return somebody;
}

/** The signed-in user or the visitor of the trial, on screens that only they can reach. */
export function useUser(): SessionUser {
  const user = useSyncExternalStore(observeSession, sessionUser);
  if (!user) throw new Error('This screen needs a signed-in user.');
  return user;
}

/** The user's token, renewed when it is about to end; with `anew` in any case, so that it has the claims of now. */
export async function freshToken(anew = false): Promise<string> {
  const user = getServices().auth.currentUser;
  if (!user) throw new Error('Your session has ended. Log in again.');
  return getIdToken(user, anew);
}

/** Fetches the profile again, at most once per three seconds unless forced. */
export async function reloadProfile(force = false): Promise<void> {
  const user = getServices().auth.currentUser;
  if (!user || (!force && Date.now() - lastReload < RELOAD_THROTTLE_MS)) return;
  lastReload = Date.now();
  await reload(user);
  publish();
}

/** Signs out. */
export function endSession(): Promise<void> {
  return signOut(getServices().auth);
}

/** Takes over what may have changed without a new token; `force` tells observers in any case. */
export const refreshSession = publish;
