import type { Database, Firestore } from './database.ts';
import { FirestoreError } from './error.ts';
import { splitPath } from './path.ts';
import { Query } from './query-core.ts';

/** A document's data. */
export type DocumentData = Record<string, unknown>;

/** Location of a document, existing or not. */
export class DocumentReference<T = DocumentData> {
  readonly type = 'document';
  readonly firestore: Firestore;
  readonly segments: readonly string[];
  /** The document's type; never set. */
  declare readonly phantom?: T;

  constructor(firestore: Firestore, segments: readonly string[]) {
    this.firestore = firestore;
    this.segments = segments;
  }

  get id(): string {
    return this.segments[this.segments.length - 1] ?? '';
  }

  /** Path from the database's root, without a leading slash. */
  get path(): string {
    return this.segments.join('/');
  }

  get parent(): CollectionReference<T> {
    return new CollectionReference<T>(this.firestore, this.segments.slice(0, -1));
  }

  /** The name on the wire. */
  get wireName(): string {
    return `${(this.firestore as Database).root}/${this.path}`;
  }
}

/** Location of a collection; also the query for all of it. */
export class CollectionReference<T = DocumentData> extends Query<T> {
  override readonly type = 'collection';
  readonly segments: readonly string[];

  constructor(firestore: Firestore, segments: readonly string[]) {
    super(firestore, {
      parent: segments.slice(0, -1),
      collectionId: segments[segments.length - 1] ?? '',
      allDescendants: false,
      filters: [],
      orders: [],
      limit: undefined,
      startAt: undefined,
      endAt: undefined,
    });
    this.segments = segments;
  }

  get id(): string {
    return this.segments[this.segments.length - 1] ?? '';
  }

  get path(): string {
    return this.segments.join('/');
  }

  get parent(): DocumentReference | null {
    return this.segments.length > 1
      ? new DocumentReference(this.firestore, this.segments.slice(0, -1))
      : null;
  }
}

function baseSegments(parent: Firestore | { segments: readonly string[] }): readonly string[] {
  return 'segments' in parent ? parent.segments : [];
}

function databaseOf(parent: Firestore | { firestore: Firestore }): Firestore {
  return 'firestore' in parent ? parent.firestore : parent;
}

/** A collection by its path below the database or a document. */
export function collection(
  parent: Firestore | DocumentReference | CollectionReference,
  path: string,
  ...more: string[]
): CollectionReference {
  const segments = [...baseSegments(parent), ...splitPath(path, ...more)];
  if (segments.length % 2 === 0) {
    throw new FirestoreError(
      'invalid-argument',
      `"${segments.join('/')}" names a document, not a collection.`,
    );
  }
  return new CollectionReference(databaseOf(parent), segments);
}

/** A document by its path below the database, a collection or a document; without one, with a new id. */
export function doc(
  parent: Firestore | CollectionReference | DocumentReference,
  path?: string,
  ...more: string[]
): DocumentReference {
  const database = databaseOf(parent);
  const own = path === undefined ? [newId(database as Database)] : splitPath(path, ...more);
  const segments = [...baseSegments(parent), ...own];
  if (segments.length % 2 === 1) {
    throw new FirestoreError(
      'invalid-argument',
      `"${segments.join('/')}" names a collection, not a document.`,
    );
  }
  return new DocumentReference(database, segments);
}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 20;

/** An id nobody else will draw: 20 letters and digits. */
export function newId(database: Database): string {
  // Bytes past the last whole multiple of the alphabet are dropped, so that every letter is as likely.
  const limit = 256 - (256 % ID_ALPHABET.length);
  let id = '';
  while (id.length < ID_LENGTH) {
    for (const byte of database.core.platform.randomBytes(ID_LENGTH * 2)) {
      if (byte < limit && id.length < ID_LENGTH) id += ID_ALPHABET[byte % ID_ALPHABET.length];
    }
  }
  return id;
}

/** The reference of a document named on the wire. */
export function referenceFromName(database: Database, name: string): DocumentReference {
  const prefix = `${database.root}/`;
  if (!name.startsWith(prefix)) {
    // A document of another database: kept whole, so that it can be written back.
    const at = name.indexOf('/documents/');
    return new DocumentReference(database, name.slice(at + '/documents/'.length).split('/'));
  }
  return new DocumentReference(database, name.slice(prefix.length).split('/'));
}

/** True if two references name the same document or collection. */
export function refEqual(
  left: DocumentReference | CollectionReference,
  right: DocumentReference | CollectionReference,
): boolean {
  return left.firestore === right.firestore && left.type === right.type && left.path === right.path;
}
