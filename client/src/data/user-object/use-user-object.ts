import { doc, onSnapshot, runTransaction } from '@sdk/firestore';
import { useSyncExternalStore } from 'react';
import { observeSession, sessionUser } from '../account/session.ts';
import { getDb } from '../server/database.ts';
import { isFull } from '../server/messages.ts';
import { defaultUserObject, type UserObject } from './schema.ts';
import { type Change, type UserObjectBackend, type UserObjectError, UserObjectStore } from './store.ts';

export type { UserObject } from './schema.ts';

/** Codes of failures that pass. */
const TRANSIENT = new Set(['unavailable', 'deadline-exceeded', 'aborted', 'resource-exhausted']);

function backendOf(uid: string): UserObjectBackend {
  const ref = doc(getDb(), 'users', uid, 'userData', 'userObject');
  return {
    watch: (next, failed) =>
      onSnapshot(ref, (snapshot) => next(snapshot.exists() ? (snapshot.data() ?? null) : null), failed),
    transact: (change) =>
      runTransaction(getDb(), async (transaction) => {
        const snapshot = await transaction.get(ref);
        const object = change(snapshot.exists() ? (snapshot.data() ?? null) : null);
        if (object !== null) transaction.set(ref, object);
      }),
    isTransient: (error) =>
      !isFull(error) && TRANSIENT.has(String((error as { code?: unknown } | null)?.code)),
  };
}

let current: { readonly uid: string; readonly store: UserObjectStore } | undefined;

/** The settings of who is signed in; `undefined` when nobody is. */
export function userObjectStore(): UserObjectStore | undefined {
  const uid = sessionUser()?.uid;
  if (current && current.uid !== uid) {
    current.store.stop();
    current = undefined;
  }
  if (uid === undefined) return undefined;
  if (!current) {
    current = { uid, store: new UserObjectStore(backendOf(uid)) };
    current.store.start();
  }
  return current.store;
}

const NOBODY = { object: defaultUserObject(), ready: false, error: null } as const;

function subscribe(callback: () => void): () => void {
  let stop = userObjectStore()?.subscribe(callback) ?? (() => {});
  const stopSession = observeSession(() => {
    stop();
    stop = userObjectStore()?.subscribe(callback) ?? (() => {});
    callback();
  });
  return () => {
    stop();
    stopSession();
  };
}

const snapshot = () => userObjectStore()?.snapshot() ?? NOBODY;

/** Changes settings of who is signed in; answers whether they are stored. Never rejects. */
export function saveUserObject(change: Change): Promise<boolean> {
  return userObjectStore()?.save(change) ?? Promise.resolve(false);
}

/** The signed-in user's settings, kept up to date. */
export interface UserObjectHandle {
  /** Always usable: the defaults until `ready`, and for visitors. */
  readonly userObject: UserObject;
  readonly ready: boolean;
  readonly error: UserObjectError | null;
  /**
   * Changes settings, at once on the screen. Give a function where the new value depends on the old
   * one, such as a list that grows: it runs on what is stored when it is written.
   */
  readonly save: (change: Change) => Promise<boolean>;
}

/** The signed-in user's settings (`users/{uid}/userData/userObject`). */
export function useUserObject(): UserObjectHandle {
  const { object, ready, error } = useSyncExternalStore(subscribe, snapshot);
  return { userObject: object, ready, error, save: saveUserObject };
}
