import { useSyncExternalStore } from 'react';
import { type SessionUser, useSession } from '../account/session.ts';
import { getServices } from '../server/firebase.ts';

/** Most entries of the host's list that are looked at. */
export const MAX_LISTED_ADMINS = 5;
/** Local storage's key of the switch that hides an admin's links. */
const HIDDEN_KEY = 'tuckbox-admin-hidden';

/**
 * True if the user is shown admin links: by the claim, or by the host's list of ids and addresses. Rights come from the
 * claim alone, which the server checks at every call.
 */
export function isAdmin(
  user: Pick<SessionUser, 'uid' | 'email' | 'admin'> | null,
  listed: readonly string[] = [],
): boolean {
  if (!user) return false;
  const email = user.email.toLowerCase();
  const names = (entry: string) => entry === user.uid || (email !== '' && entry.toLowerCase() === email);
  return user.admin || listed.slice(0, MAX_LISTED_ADMINS).some(names);
}

const observers = new Set<() => void>();

function hidden(): boolean {
  try {
    return localStorage.getItem(HIDDEN_KEY) === 'true';
  } catch {
    return false;
  }
}

/** Shows or hides an admin's links on this browser. */
export function toggleAdminLinks(): void {
  try {
    localStorage.setItem(HIDDEN_KEY, String(!hidden()));
  } catch {
    // Without storage there is nothing to remember, and the links stay.
  }
  for (const observer of observers) observer();
}

const subscribe = (observer: () => void) => {
  observers.add(observer);
  return () => void observers.delete(observer);
};

/** The signed-in user's admin role, and whether admin links are shown. */
export function useAdminLinks(): { readonly admin: boolean; readonly shown: boolean } {
  const admin = isAdmin(useSession(), getServices().host.admins);
  const off = useSyncExternalStore(subscribe, hidden);
  return { admin, shown: admin && !off };
}
