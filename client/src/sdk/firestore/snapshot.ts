import { decodeFields } from './codec.ts';
import type { Database } from './database.ts';
import { FirestoreError } from './error.ts';
import { type FieldPath, toFieldPath } from './path.ts';
import type { Query } from './query-core.ts';
import { type DocumentData, DocumentReference, referenceFromName } from './reference.ts';
import type { WireDocument } from './types.ts';

/** Origin of a snapshot. */
export interface SnapshotMetadata {
  /** The stream to the server is down: what is shown may be old. */
  readonly fromCache: boolean;
  /** Always false: writes show when the server has taken them. */
  readonly hasPendingWrites: boolean;
}

/** A document as it was at one time, or its absence. */
export class DocumentSnapshot<T = DocumentData> {
  readonly ref: DocumentReference<T>;
  readonly metadata: SnapshotMetadata;
  readonly #database: Database;
  readonly #document: WireDocument | undefined;
  #data: DocumentData | undefined;

  constructor(
    database: Database,
    ref: DocumentReference<T>,
    document: WireDocument | undefined,
    metadata: SnapshotMetadata,
  ) {
    this.#database = database;
    this.ref = ref;
    this.#document = document;
    this.metadata = metadata;
  }

  get id(): string {
    return this.ref.id;
  }

  exists(): this is QueryDocumentSnapshot<T> {
    return this.#document !== undefined;
  }

  /** The fields; `undefined` when the document does not exist. A new copy at each call. */
  data(): T | undefined {
    if (!this.#document) return undefined;
    return decodeFields(this.#database, this.#document.fields) as T;
  }

  /** One field. */
  get(path: string | FieldPath): unknown {
    this.#data ??= this.data() as DocumentData | undefined;
    let value: unknown = this.#data;
    for (const segment of toFieldPath(path).segments) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
      value = (value as DocumentData)[segment];
    }
    return value;
  }

  /** The version on the wire: equal versions are equal documents. */
  get version(): string | undefined {
    return this.#document?.updateTime;
  }
}

/** A document that exists. */
export class QueryDocumentSnapshot<T = DocumentData> extends DocumentSnapshot<T> {
  override data(): T {
    const data = super.data();
    if (data === undefined)
      throw new FirestoreError('internal', 'A query returned a document that does not exist.');
    return data;
  }
}

/** Difference between a result and the one before. */
export interface DocumentChange<T = DocumentData> {
  readonly type: 'added' | 'modified' | 'removed';
  readonly doc: QueryDocumentSnapshot<T>;
  /** Place before the change, -1 when added. */
  readonly oldIndex: number;
  /** Place after the change, -1 when removed. */
  readonly newIndex: number;
}

/** A query's documents as they were at one time, in order. */
export class QuerySnapshot<T = DocumentData> {
  readonly query: Query<T>;
  readonly docs: readonly QueryDocumentSnapshot<T>[];
  readonly metadata: SnapshotMetadata;
  readonly #changes: readonly DocumentChange<T>[];

  constructor(
    query: Query<T>,
    docs: readonly QueryDocumentSnapshot<T>[],
    changes: readonly DocumentChange<T>[],
    metadata: SnapshotMetadata,
  ) {
    this.query = query;
    this.docs = docs;
    this.#changes = changes;
    this.metadata = metadata;
  }

  get size(): number {
    return this.docs.length;
  }

  get empty(): boolean {
    return this.docs.length === 0;
  }

  forEach(callback: (doc: QueryDocumentSnapshot<T>) => void): void {
    this.docs.forEach((doc) => {
      callback(doc);
    });
  }

  docChanges(): DocumentChange<T>[] {
    return [...this.#changes];
  }
}

const SERVER: SnapshotMetadata = { fromCache: false, hasPendingWrites: false };

/** A snapshot of a document known to exist. */
export function snapshotOf<T>(
  database: Database,
  document: WireDocument,
  metadata: SnapshotMetadata = SERVER,
): QueryDocumentSnapshot<T> {
  const ref = referenceFromName(database, document.name) as DocumentReference<T>;
  return new QueryDocumentSnapshot<T>(database, ref, document, metadata);
}

/** A snapshot of a document that may not exist. */
export function maybeSnapshot<T>(
  database: Database,
  ref: DocumentReference<T>,
  document: WireDocument | undefined,
  metadata: SnapshotMetadata = SERVER,
): DocumentSnapshot<T> {
  return document
    ? new QueryDocumentSnapshot<T>(
        database,
        new DocumentReference<T>(ref.firestore, ref.segments),
        document,
        metadata,
      )
    : new DocumentSnapshot<T>(database, ref, undefined, metadata);
}
