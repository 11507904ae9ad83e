/** Stands in for `local-database.ts` when the official package takes the shim's place: it has nothing of the kind. */

import type { Firestore } from '@sdk/firestore';

export interface LocalDatabase {
  readonly firestore: Firestore;
  version(): Promise<number>;
  changedSince(version: number, below: string): Promise<boolean>;
  observe(callback: () => void): () => void;
  erase(): Promise<void>;
}

export function openLocalDatabase(): Promise<LocalDatabase> {
  return Promise.reject(new Error('With the official SDK nothing can be kept in the browser.'));
}
