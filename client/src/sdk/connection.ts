import type { Database, Firestore } from './firestore/database.ts';
import type { ConnectionState } from './firestore/listen/connection.ts';

export type { ConnectionState } from './firestore/listen/connection.ts';

/** State of the stream behind the live subscriptions. The official SDK has no such call. */
export function connectionState(firestore: Firestore): ConnectionState {
  return (firestore as Database).connection.state;
}

/** Calls back at each change of `connectionState`. */
export function onConnectionState(
  firestore: Firestore,
  callback: (state: ConnectionState) => void,
): () => void {
  return (firestore as Database).connection.observe(callback);
}

/** Has every commit wait for `ready`, whose error it fails with. */
export function holdCommits(firestore: Firestore, ready: () => Promise<void>): void {
  (firestore as Database).ready = ready;
}
