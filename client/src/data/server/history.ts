import { type ConnectionState, connectionState, holdCommits, onConnectionState } from '@sdk/connection';
import { type Firestore, FirestoreError } from '@sdk/firestore';
import { getServices, readHistory } from './firebase.ts';

/** Reason for which nothing is written any more; what is typed waits as it does without a connection. */
const RESTORED = 'The server was restored from a backup: load this page anew.';

/**
 * The history of the documents on this page. A server that was restored from a backup has another: documents of this page
 * may be gone or older there, so nothing is written on top of them unasked. It may have been restored whenever the
 * connection to it was lost, so the next write waits until that is known.
 */
export class HistoryGuard {
  readonly #known: string;
  readonly #read: () => Promise<string | undefined>;
  readonly #observers = new Set<() => void>();
  #wasOnline = false;
  #sure = true;
  #other = false;
  #accepted = false;
  #asking: Promise<void> | undefined;

  /**
   * @param known identity of the history that the page began with
   * @param read asks the server for the one it has; `undefined` if it has none
   */
  constructor(known: string, read: () => Promise<string | undefined>) {
    this.#known = known;
    this.#read = read;
  }

  /** True once the server has another history. */
  readonly isOther = (): boolean => this.#other;

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** The connection to the server has come or gone. */
  connection(state: ConnectionState): void {
    if (state !== 'online') {
      if (this.#wasOnline) this.#sure = false;
      return;
    }
    this.#wasOnline = true;
    if (!this.#sure) void this.#ask().catch(() => undefined);
  }

  /** Resolves when documents may be written. @throws {FirestoreError} `unavailable` if they may not */
  async ready(): Promise<void> {
    if (!this.#sure) await this.#ask();
    if (this.#other && !this.#accepted) throw new FirestoreError('unavailable', RESTORED);
  }

  /** Lets what is not saved go to the server all the same: the user wants it. */
  accept(): void {
    this.#accepted = true;
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#compare().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #compare(): Promise<void> {
    let now: string | undefined;
    try {
      now = await this.#read();
    } catch {
      throw new FirestoreError('unavailable', 'The database could not be reached.');
    }
    this.#sure = true;
    if (now === undefined || now === this.#known || this.#other) return;
    this.#other = true;
    for (const observer of this.#observers) observer();
  }
}

let guard: HistoryGuard | undefined;

/** Guards the writes to a database of the server. */
export function guardHistory(db: Firestore): void {
  const known = getServices().host.history;
  if (known === undefined || guard) return;
  const made = new HistoryGuard(known, readHistory);
  guard = made;
  made.connection(connectionState(db));
  onConnectionState(db, (state) => made.connection(state));
  holdCommits(db, () => made.ready());
}

/** The guard of this page, where there is one. */
export const historyGuard = (): HistoryGuard | undefined => guard;
