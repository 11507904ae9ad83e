import type { Database, Firestore } from './database.ts';
import { FirestoreError } from './error.ts';
import type { FieldPath } from './path.ts';
import { batchGet } from './read.ts';
import type { DocumentData, DocumentReference } from './reference.ts';
import { type DocumentSnapshot, maybeSnapshot } from './snapshot.ts';
import type { WirePrecondition, WireWrite } from './types.ts';
import { commit, deleteWrite, type SetOptions, setWrite, updateEntries, updateWrite } from './write.ts';

/** Attempts per transaction when other writes interfere. */
const MAX_ATTEMPTS = 5;
/** First and longest wait between attempts, in milliseconds. */
const BACKOFF_MIN_MS = 100;
const BACKOFF_MAX_MS = 5_000;
const BACKOFF_FACTOR = 1.5;

/** Options of `runTransaction`. */
export interface TransactionOptions {
  /** Attempts in all, 5 by default. */
  readonly maxAttempts?: number;
}

/** Version of a document as the transaction read it; `null` when it did not exist. */
type ReadVersion = string | null;

/** Reads and writes that take effect together, or not at all. Reads come before writes. */
export class Transaction {
  readonly #database: Database;
  readonly #versions = new Map<string, ReadVersion>();
  readonly #written = new Set<string>();
  readonly #writes: WireWrite[] = [];

  constructor(database: Database) {
    this.#database = database;
  }

  async get<T>(ref: DocumentReference<T>): Promise<DocumentSnapshot<T>> {
    if (this.#writes.length > 0) {
      throw new FirestoreError('invalid-argument', 'A transaction must read before it writes.');
    }
    const name = ref.wireName;
    const reply = (await batchGet(this.#database, [name])).get(name);
    if (!reply) throw new FirestoreError('internal', `The server said nothing about ${ref.path}.`);
    const version = reply.document?.updateTime ?? null;
    const before = this.#versions.get(name);
    if (before !== undefined && before !== version) {
      throw new FirestoreError('aborted', `${ref.path} changed between two reads.`);
    }
    this.#versions.set(name, version);
    return maybeSnapshot(this.#database, ref, reply.document);
  }

  set<T>(ref: DocumentReference<T>, data: DocumentData, options?: SetOptions): this {
    return this.#add(ref, setWrite(this.#database, ref, data, options), this.#precondition(ref));
  }

  update<T>(
    ref: DocumentReference<T>,
    dataOrField: DocumentData | string | FieldPath,
    ...rest: unknown[]
  ): this {
    const write = updateWrite(this.#database, ref, updateEntries(dataOrField, rest));
    const precondition = this.#precondition(ref);
    if (precondition?.exists === false) {
      throw new FirestoreError('invalid-argument', `${ref.path} does not exist, so it cannot be updated.`);
    }
    return this.#add(ref, write, precondition ?? { exists: true });
  }

  delete<T>(ref: DocumentReference<T>): this {
    return this.#add(ref, deleteWrite(ref), this.#precondition(ref));
  }

  /** Condition that a document must still meet when its first write is committed. */
  #precondition(ref: DocumentReference<unknown>): WirePrecondition | undefined {
    const name = ref.wireName;
    const version = this.#versions.get(name);
    if (version === undefined || this.#written.has(name)) return undefined;
    return version === null ? { exists: false } : { updateTime: version };
  }

  #add(ref: DocumentReference<unknown>, write: WireWrite, precondition: WirePrecondition | undefined): this {
    const { currentDocument: _, ...bare } = write;
    this.#writes.push(precondition ? { ...bare, currentDocument: precondition } : bare);
    this.#written.add(ref.wireName);
    return this;
  }

  /** Commits; documents only read are verified, so that decisions made from them hold. */
  async commit(): Promise<void> {
    const verifies: WireWrite[] = [];
    for (const [name, version] of this.#versions) {
      if (this.#written.has(name)) continue;
      verifies.push({
        verify: name,
        currentDocument: version === null ? { exists: false } : { updateTime: version },
      });
    }
    await commit(this.#database, [...this.#writes, ...verifies]);
  }
}

const RETRIED = new Set(['aborted', 'failed-precondition', 'already-exists']);

const isRetried = (error: unknown) => error instanceof FirestoreError && RETRIED.has(error.code);

/**
 * Runs `update` and commits what it wrote, all or nothing. When a document it read has changed by
 * then, it is run again from the start, up to five times in all.
 */
export async function runTransaction<T>(
  firestore: Firestore,
  update: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const database = firestore as Database;
  const attempts = options.maxAttempts ?? MAX_ATTEMPTS;
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw new FirestoreError('invalid-argument', 'maxAttempts must be a whole number above 0.');
  }
  let wait = BACKOFF_MIN_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      const transaction = new Transaction(database);
      const result = await update(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      if (attempt >= attempts || !isRetried(error)) throw error;
    }
    const { platform } = database.core;
    const jittered = wait * (0.5 + platform.random());
    await new Promise<void>((resolve) => {
      platform.setTimer(resolve, jittered);
    });
    wait = Math.min(wait * BACKOFF_FACTOR, BACKOFF_MAX_MS);
  }
}
