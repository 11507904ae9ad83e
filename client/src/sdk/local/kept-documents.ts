import { promisifyRequest } from 'idb-keyval';
import { FirestoreError } from '../firestore/error.ts';
import type { WireDocument, WireWrite } from '../firestore/types.ts';
import { applyWrites, nameOf } from './apply-writes.ts';

/**
 * Documents in IndexedDB. Each commit is one transaction of the browser and has a number, one more than the last; windows
 * learn what is new from the documents that have a higher number than they know.
 */

/** Most documents of one database. */
export const MAX_DOCUMENTS = 20_000;
/** Most characters of all its documents together: browsers give a site at least some hundred megabytes. */
export const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Most characters of one document: about as many as the server takes. */
export const MAX_DOCUMENT_CHARACTERS = 1024 * 1024;
/** Most writes of one commit. */
export const MAX_WRITES = 10_000;
/** Commits of which deletions are remembered; a window that has slept for more reads everything anew. */
const DELETIONS_KEPT = 10_000;

const DOCUMENTS = 'documents';
const STATE = 'state';
const HEAD = 'head';
const BY_VERSION = 'version';

/** A document as it is kept; without fields it has been deleted. */
export interface KeptDocument {
  /** Path below the root of the database. */
  readonly path: string;
  /** Number of the commit that wrote it. */
  readonly version: number;
  readonly characters: number;
  readonly document: Omit<WireDocument, 'name'> | null;
}

/** State after the last commit. */
interface Head {
  readonly version: number;
  /** Time of the last commit, in microseconds since 1970. */
  readonly time: number;
  readonly documents: number;
  readonly characters: number;
}

const NOTHING: Head = { version: 0, time: 0, documents: 0, characters: 0 };

/** Changes since a version. */
export interface News {
  readonly version: number;
  /** True if `changed` is all that there is, and what is not among it is gone. */
  readonly whole: boolean;
  readonly changed: readonly KeptDocument[];
}

export class KeptDocuments {
  readonly #db: IDBDatabase;
  readonly #root: string;

  /** @param root wire name of the database's root, which stored paths lack */
  constructor(db: IDBDatabase, root: string) {
    this.#db = db;
    this.#root = root;
  }

  /** Opens a database of this browser. @throws Error in words when the browser keeps nothing */
  static async open(name: string, root: string): Promise<KeptDocuments> {
    return inWords(async () => {
      if (!globalThis.indexedDB) throw new DOMException('There is no IndexedDB.', 'SecurityError');
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => {
        const documents = request.result.createObjectStore(DOCUMENTS, { keyPath: 'path' });
        documents.createIndex(BY_VERSION, BY_VERSION);
        request.result.createObjectStore(STATE);
      };
      const db = await promisifyRequest(request);
      // Another window may delete the database.
      db.onversionchange = () => db.close();
      return new KeptDocuments(db, root);
    });
  }

  close(): void {
    this.#db.close();
  }

  /** Everything that was committed after a version. */
  async since(version: number): Promise<News> {
    return inWords(async () => {
      const transaction = this.#db.transaction([DOCUMENTS, STATE]);
      const head = await readHead(transaction);
      if (head.version === version) return { version, whole: false, changed: [] };
      const whole = version === 0 || version > head.version || head.version - version > DELETIONS_KEPT;
      const newer = transaction
        .objectStore(DOCUMENTS)
        .index(BY_VERSION)
        .getAll(whole ? null : IDBKeyRange.lowerBound(version, true));
      return { version: head.version, whole, changed: (await promisifyRequest(newer)) as KeptDocument[] };
    });
  }

  /** True if a document below a path was written or deleted after a commit. */
  async changedSince(version: number, below: string): Promise<boolean> {
    return inWords(async () => {
      const index = this.#db.transaction(DOCUMENTS).objectStore(DOCUMENTS).index(BY_VERSION);
      // The newest first: most often it is one of them.
      const cursors = index.openKeyCursor(IDBKeyRange.lowerBound(version, true), 'prev');
      for (;;) {
        const cursor = await promisifyRequest<IDBCursor | null>(cursors);
        if (!cursor) return false;
        if (String(cursor.primaryKey).startsWith(`${below}/`)) return true;
        cursor.continue();
      }
    });
  }

  /**
   * Commits writes, all or none, and answers the commit's number.
   * @throws FirestoreError when a condition does not hold, or there is no room
   */
  async commit(writes: readonly WireWrite[], now: number): Promise<number> {
    if (writes.length > MAX_WRITES) {
      throw new FirestoreError('invalid-argument', `One commit holds at most ${MAX_WRITES} writes.`);
    }
    return inWords(async () => {
      const transaction = this.#db.transaction([DOCUMENTS, STATE], 'readwrite');
      const done = promisifyRequest(transaction);
      try {
        const version = await this.#write(transaction, writes, now);
        await done;
        return version;
      } catch (error) {
        done.catch(() => undefined);
        abort(transaction);
        throw error;
      }
    });
  }

  async #write(transaction: IDBTransaction, writes: readonly WireWrite[], now: number): Promise<number> {
    const documents = transaction.objectStore(DOCUMENTS);
    const paths = [...new Set(writes.map((write) => this.#pathOf(nameOf(write))))];
    const [head, ...found] = await Promise.all([
      readHead(transaction),
      ...paths.map((path) => promisifyRequest<KeptDocument | undefined>(documents.get(path))),
    ]);
    const before = new Map(found.flatMap((one) => (one ? [[one.path, one] as const] : [])));
    const time = Math.max(now * 1000, head.time + 1);
    const version = head.version + 1;
    const read = (name: string) => this.named(before.get(this.#pathOf(name)));
    const changes = applyWrites(read, writes, wireTime(time));
    let { documents: count, characters: total } = head;
    for (const [name, changed] of changes) {
      const path = this.#pathOf(name);
      const old = before.get(path);
      const characters = changed ? charactersOf(path, changed) : 0;
      count += Number(changed !== null) - Number(Boolean(old?.document));
      total += characters - (old?.characters ?? 0);
      if (!changed && !old?.document) continue;
      const { name: _, ...document } = changed ?? { name };
      documents.put({ path, version, characters, document: changed && document } satisfies KeptDocument);
    }
    if (count > MAX_DOCUMENTS || total > MAX_CHARACTERS) {
      const why = `it holds at most ${MAX_DOCUMENTS.toLocaleString('en')} cards and other parts, ${MAX_CHARACTERS / 1024 / 1024} MB in all`;
      throw noRoom(why);
    }
    transaction.objectStore(STATE).put({ version, time, documents: count, characters: total }, HEAD);
    return version;
  }

  /** Deletes all documents, in one commit. */
  async erase(): Promise<void> {
    await inWords(async () => {
      const transaction = this.#db.transaction([DOCUMENTS, STATE], 'readwrite');
      const head = await readHead(transaction);
      const version = head.version + 1;
      const documents = transaction.objectStore(DOCUMENTS);
      for (const { path } of await promisifyRequest<KeptDocument[]>(documents.getAll())) {
        documents.put({ path, version, characters: 0, document: null } satisfies KeptDocument);
      }
      transaction
        .objectStore(STATE)
        .put({ version, time: head.time + 1, documents: 0, characters: 0 } satisfies Head, HEAD);
      await promisifyRequest(transaction);
    });
  }

  /** Forgets deletions that all windows know, or will never ask for. */
  async forgetOldDeletions(): Promise<void> {
    await inWords(async () => {
      const transaction = this.#db.transaction([DOCUMENTS, STATE], 'readwrite');
      const { version } = await readHead(transaction);
      const last = version - DELETIONS_KEPT;
      if (last > 0) {
        const old = transaction
          .objectStore(DOCUMENTS)
          .index(BY_VERSION)
          .openCursor(IDBKeyRange.upperBound(last));
        old.onsuccess = () => {
          const cursor = old.result;
          if (!cursor) return;
          if ((cursor.value as KeptDocument).document === null) cursor.delete();
          cursor.continue();
        };
      }
      await promisifyRequest(transaction);
    });
  }

  /** A kept document under its wire name; undefined if it was deleted. */
  named(kept: KeptDocument | undefined): WireDocument | undefined {
    return kept?.document ? { name: `${this.#root}/${kept.path}`, ...kept.document } : undefined;
  }

  #pathOf(name: string): string {
    return name.slice(this.#root.length + 1);
  }
}

async function readHead(transaction: IDBTransaction): Promise<Head> {
  const found = await promisifyRequest<Head | undefined>(transaction.objectStore(STATE).get(HEAD));
  return found ?? NOTHING;
}

/** One that has ended already stays as it is. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended.
  }
}

function charactersOf(path: string, { fields }: WireDocument): number {
  const characters = path.length + JSON.stringify(fields ?? {}).length;
  if (characters > MAX_DOCUMENT_CHARACTERS) {
    throw new FirestoreError('invalid-argument', `${path} is larger than a document may be (1 MB).`);
  }
  return characters;
}

/** Microseconds since 1970 as the wire writes times. */
function wireTime(microseconds: number): string {
  const whole = new Date(Math.floor(microseconds / 1_000_000) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`;
}

/** An account takes over nothing without a note of it here, for which there is no room either: a file of the game does help. */
const noRoom = (why: string, remedy = ''): FirestoreError =>
  new FirestoreError(
    'resource-exhausted',
    `There is no room left in this browser for the game: ${why}. Delete cards or layouts that you do not need${remedy}. “Download the game” in the menu at the top makes a file of all that was kept, which can be opened in an account.`,
  );

/** Gives failures of the browser words. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    console.warn('IndexedDB', error);
    if (error.name === 'QuotaExceededError')
      throw noRoom('it gives this site no more', ', or what other sites keep here');
    throw new FirestoreError(
      'data-loss',
      'This browser does not keep the game: allow this site to store data, or leave the private window, and load the page anew.',
    );
  }
}
