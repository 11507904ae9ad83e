import { Database, type Firestore, type FirestoreSettings } from './firestore/database.ts';
import { FirestoreError } from './firestore/error.ts';
import { WriteBatch } from './firestore/write.ts';
import { coreOf, type FirebaseApp, service } from './internal/app-core.ts';

export type { Firestore, FirestoreSettings } from './firestore/database.ts';
export { FirestoreError, type FirestoreErrorCode } from './firestore/error.ts';
export {
  arrayRemove,
  arrayUnion,
  deleteField,
  FieldValue,
  increment,
  serverTimestamp,
} from './firestore/field-value.ts';
export { onSnapshot, type SnapshotObserver, type Unsubscribe } from './firestore/listen/on-snapshot.ts';
export { documentId, FieldPath } from './firestore/path.ts';
export {
  collectionGroup,
  endAt,
  endBefore,
  limit,
  orderBy,
  type QueryConstraint,
  query,
  startAfter,
  startAt,
  type WhereFilterOp,
  where,
} from './firestore/query.ts';
export { Query } from './firestore/query-core.ts';
export { getDoc, getDocs } from './firestore/read.ts';
export {
  CollectionReference,
  collection,
  type DocumentData,
  DocumentReference,
  doc,
  refEqual,
} from './firestore/reference.ts';
export {
  type DocumentChange,
  DocumentSnapshot,
  QueryDocumentSnapshot,
  QuerySnapshot,
  type SnapshotMetadata,
} from './firestore/snapshot.ts';
export { Timestamp } from './firestore/timestamp.ts';
export { runTransaction, Transaction, type TransactionOptions } from './firestore/transaction.ts';
export { Bytes, GeoPoint } from './firestore/values.ts';
export { addDoc, deleteDoc, type SetOptions, setDoc, updateDoc, WriteBatch } from './firestore/write.ts';

const DEFAULT_DATABASE = '(default)';

/** A database with settings of its own; must come before the first `getFirestore`. */
export function initializeFirestore(
  app: FirebaseApp,
  settings: FirestoreSettings,
  databaseId: string = DEFAULT_DATABASE,
): Firestore {
  const core = coreOf(app);
  const key = `firestore:${databaseId}`;
  if (core.services.has(key)) {
    throw new FirestoreError(
      'failed-precondition',
      'The database is in use: set it up before the first getFirestore().',
    );
  }
  return service(core, key, () => new Database(core, settings, databaseId));
}

/** An app's database; the default app's when none is given. */
export function getFirestore(app?: FirebaseApp, databaseId: string = DEFAULT_DATABASE): Firestore {
  const core = coreOf(app);
  return service(core, `firestore:${databaseId}`, () => new Database(core, {}, databaseId));
}

/** Sends every call to `http://host:port`. */
export function connectFirestoreEmulator(firestore: Firestore, host: string, port: number): void {
  (firestore as Database).origin = `http://${host}:${port}`;
}

/** Several writes to be committed as one. */
export function writeBatch(firestore: Firestore): WriteBatch {
  return new WriteBatch(firestore as Database);
}
