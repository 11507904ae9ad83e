import type { Database } from '../database.ts';
import type { FirestoreError } from '../error.ts';
import type { Query } from '../query-core.ts';
import { type DocumentData, DocumentReference } from '../reference.ts';
import {
  type DocumentChange,
  type DocumentSnapshot,
  maybeSnapshot,
  type QueryDocumentSnapshot,
  QuerySnapshot,
  type SnapshotMetadata,
  snapshotOf,
} from '../snapshot.ts';
import type { WireDocument } from '../types.ts';
import { documentOrder } from './order.ts';

/** Ends a subscription. */
export type Unsubscribe = () => void;

/** Callbacks of a subscription, as an object. */
export interface SnapshotObserver<Snapshot> {
  next?: (snapshot: Snapshot) => void;
  error?: (error: FirestoreError) => void;
  complete?: () => void;
}

type NextOrObserver<Snapshot> = ((snapshot: Snapshot) => void) | SnapshotObserver<Snapshot>;

/** Calls back with a document now and after each of its changes. */
export function onSnapshot<T = DocumentData>(
  ref: DocumentReference<T>,
  observer: NextOrObserver<DocumentSnapshot<T>>,
  onError?: (error: FirestoreError) => void,
): Unsubscribe;
/** Calls back with a query's result now and after each of its changes. */
export function onSnapshot<T = DocumentData>(
  query: Query<T>,
  observer: NextOrObserver<QuerySnapshot<T>>,
  onError?: (error: FirestoreError) => void,
): Unsubscribe;
export function onSnapshot<T>(
  source: DocumentReference<T> | Query<T>,
  observer: NextOrObserver<DocumentSnapshot<T>> | NextOrObserver<QuerySnapshot<T>>,
  onError?: (error: FirestoreError) => void,
): Unsubscribe {
  const next = (typeof observer === 'function' ? observer : (observer.next ?? (() => {}))) as (
    snapshot: DocumentSnapshot<T> | QuerySnapshot<T>,
  ) => void;
  const failed = onError ?? (typeof observer === 'function' ? undefined : observer.error) ?? (() => {});
  return source instanceof DocumentReference
    ? listenToDocument(source, next, failed)
    : listenToQuery(source, next, failed);
}

function listenToDocument<T>(
  ref: DocumentReference<T>,
  next: (snapshot: DocumentSnapshot<T>) => void,
  failed: (error: FirestoreError) => void,
): Unsubscribe {
  const database = ref.firestore as Database;
  const name = ref.wireName;
  return database.connection.listen(
    `document ${name}`,
    { documents: { documents: [name] } },
    {
      changed: (documents, fromCache) =>
        next(maybeSnapshot(database, ref, documents.get(name), metadataOf(fromCache))),
      failed,
    },
  );
}

function listenToQuery<T>(
  query: Query<T>,
  next: (snapshot: QuerySnapshot<T>) => void,
  failed: (error: FirestoreError) => void,
): Unsubscribe {
  const database = query.firestore as Database;
  const structuredQuery = query.toWire();
  const parent = query.wireParent;
  const order = documentOrder(query.effectiveOrders);
  const key = `query ${parent} ${JSON.stringify(structuredQuery)}`;
  let before: readonly QueryDocumentSnapshot<T>[] = [];
  return database.connection.listen(
    key,
    { query: { parent, structuredQuery } },
    {
      changed(documents, fromCache) {
        const metadata = metadataOf(fromCache);
        const docs = orderedSnapshots<T>(database, documents, order, before, metadata);
        const changes = changesBetween(before, docs);
        before = docs;
        next(new QuerySnapshot(query, docs, changes, metadata));
      },
      failed,
    },
  );
}

const metadataOf = (fromCache: boolean): SnapshotMetadata => ({ fromCache, hasPendingWrites: false });

/** The documents in order; unchanged ones keep the snapshot they had. */
function orderedSnapshots<T>(
  database: Database,
  documents: ReadonlyMap<string, WireDocument>,
  order: (a: WireDocument, b: WireDocument) => number,
  before: readonly QueryDocumentSnapshot<T>[],
  metadata: SnapshotMetadata,
): QueryDocumentSnapshot<T>[] {
  const known = new Map(before.map((doc) => [doc.ref.wireName, doc]));
  return [...documents.values()].sort(order).map((document) => {
    const old = known.get(document.name);
    return old &&
      old.version !== undefined &&
      old.version === document.updateTime &&
      old.metadata.fromCache === metadata.fromCache
      ? old
      : snapshotOf<T>(database, document, metadata);
  });
}

/** True if both are the same version of a document, whatever their source. */
const isSame = <T>(a: QueryDocumentSnapshot<T>, b: QueryDocumentSnapshot<T>) =>
  a === b || (a.version !== undefined && a.version === b.version);

/** Changes from one result to the next: removals, then additions and modifications in order. */
export function changesBetween<T>(
  before: readonly QueryDocumentSnapshot<T>[],
  after: readonly QueryDocumentSnapshot<T>[],
): DocumentChange<T>[] {
  const oldIndex = new Map(before.map((doc, i) => [doc.ref.path, i]));
  const kept = new Set(after.map((doc) => doc.ref.path));
  const changes: DocumentChange<T>[] = [];
  before.forEach((doc, i) => {
    if (!kept.has(doc.ref.path)) changes.push({ type: 'removed', doc, oldIndex: i, newIndex: -1 });
  });
  after.forEach((doc, newIndex) => {
    const i = oldIndex.get(doc.ref.path);
    const old = i === undefined ? undefined : before[i];
    if (i === undefined || !old) changes.push({ type: 'added', doc, oldIndex: -1, newIndex });
    else if (!isSame(old, doc)) changes.push({ type: 'modified', doc, oldIndex: i, newIndex });
  });
  return changes;
}
