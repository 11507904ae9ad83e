import { sameDocument } from '../../core/scene/changes/same-document.ts';
import { migrateUserObject, type OldObject } from './migrations.ts';
import { defaultUserObject, repairUserObject, type UserObject, type UserObjectField } from './schema.ts';

/** Loads started again after the object had to be created. */
const MAX_LOADS = 3;
/** Most changes that wait to be written; the oldest of more are given up. */
export const MAX_PENDING = 500;
/** Most versions kept to know a late snapshot by. */
const MAX_UNREPORTED = 50;

/** Storage of the object. */
export interface UserObjectBackend {
  /** Calls back with what is stored, `null` when nothing is, now and after each change. */
  watch(next: (stored: OldObject | null) => void, failed: (error: unknown) => void): () => void;
  /**
   * Overwrites the object with what `change` makes of it, in one piece: when somebody else writes in
   * between, `change` runs again on what they wrote. `null` leaves it as it is.
   */
  transact(change: (stored: OldObject | null) => OldObject | null): Promise<void>;
  /** True if a later attempt may succeed. */
  isTransient(error: unknown): boolean;
}

export const MISSING = 'that document does not exist';
export const NOT_FETCHED = 'could not fetch document';
export const NOT_UPDATED = 'could not update the document';

/** The settings could not be had or kept; `cause` says why. */
export class UserObjectError extends Error {
  override readonly name = 'UserObjectError';
  /** True if `retry` can help: a change that the server refused is gone. */
  readonly retriable: boolean;

  constructor(message: string, options: ErrorOptions & { readonly retriable?: boolean } = {}) {
    super(message, options);
    this.retriable = options.retriable ?? true;
  }
}

/** Fields to set. */
export type UserObjectChange = Partial<Pick<UserObject, UserObjectField>>;
/** Fields to set, worked out from the object as it is when it is written. */
export type Change = UserObjectChange | ((object: UserObject) => UserObjectChange);

/** The settings as the screens see them. */
export interface UserObjectState {
  /** The defaults until `ready`. */
  readonly object: UserObject;
  readonly ready: boolean;
  /** Last error, while it stands. */
  readonly error: UserObjectError | null;
}

interface Pending {
  readonly apply: (object: UserObject) => UserObjectChange;
  readonly settle: (written: boolean) => void;
}

/** A write that is not answered yet. */
interface UnderWay {
  readonly batch: readonly Pending[];
  /** The object that it writes. */
  written: OldObject | undefined;
  /** True once a snapshot has shown that it is stored. */
  isStored: boolean;
}

function applied(object: UserObject, changes: readonly Pending[]): UserObject {
  const next: UserObject = { ...object };
  for (const { apply } of changes) Object.assign(next, apply(next));
  return repairUserObject(next);
}

/**
 * One user's settings: loaded by live subscription, created when missing, brought to the present
 * version, and written whole.
 *
 * A change shows at once and is written in a transaction that starts from what is stored by then:
 * what another tab has changed meanwhile stays. Changes made while one is being written go together
 * into the next. One that could not be written for want of a connection waits for `retry` or the next.
 *
 * The subscription may still report what this store has overwritten since. Such a snapshot is passed over, so that the
 * screen does not go back to it for a moment. It may also report a write before the write is answered: then its changes
 * are stored, and are not applied once more.
 */
export class UserObjectStore {
  readonly #backend: UserObjectBackend;
  readonly #observers = new Set<() => void>();
  #state: UserObjectState = { object: defaultUserObject(), ready: false, error: null };
  #stored: UserObject | undefined;
  #pending: Pending[] = [];
  #underWay: UnderWay | undefined;
  /** The object as it was read and written by this store, oldest first, from the last snapshot on. */
  #unreported: OldObject[] = [];
  #error: UserObjectError | null = null;
  #writing: Promise<void> | undefined;
  #stopWatching = () => {};
  #loads = 0;
  /** The subscription has ended with an error. */
  #lost = false;
  #stopped = false;

  constructor(backend: UserObjectBackend) {
    this.#backend = backend;
  }

  readonly snapshot = (): UserObjectState => this.#state;

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** Begins to load. */
  start(): void {
    this.#stopped = false;
    this.#load();
  }

  /** Ends the subscription; changes under way are still written. */
  stop(): void {
    this.#stopped = true;
    this.#stopWatching();
  }

  /** Changes settings; answers whether they are stored. Never rejects: the state says what went wrong. */
  save(change: Change): Promise<boolean> {
    const apply = typeof change === 'function' ? change : () => change;
    return new Promise((settle) => {
      this.#pending.push({ apply, settle });
      for (const lost of this.#pending.splice(0, this.#pending.length - MAX_PENDING)) lost.settle(false);
      // Whatever stood in the way may be gone.
      if (this.#error?.message === NOT_UPDATED) this.#error = null;
      this.#publish();
      this.#write();
    });
  }

  /** Writes what could not be written, or loads what could not be loaded. */
  retry(): void {
    this.#error = null;
    if (!this.#stored || this.#lost) {
      this.#loads = 0;
      this.#load();
    }
    this.#publish();
    this.#write();
  }

  #load(): void {
    this.#stopWatching();
    this.#loads++;
    this.#lost = false;
    this.#stopWatching = this.#backend.watch(
      (stored) => {
        try {
          this.#take(stored);
        } catch (error) {
          void this.#create(error);
        }
      },
      (error) => {
        this.#lost = true;
        this.#fail(NOT_FETCHED, error);
      },
    );
  }

  #take(stored: OldObject | null): void {
    if (stored === null) throw new UserObjectError(MISSING);
    const { written } = this.#underWay ?? {};
    if (this.#underWay && written && sameDocument(stored, written)) {
      this.#underWay.isStored = true;
    } else if (this.#isOverwritten(stored)) {
      this.#error = null;
      this.#publish();
      this.#write();
      void this.#look();
      return;
    }
    this.#unreported = [];
    const { object, changed } = migrateUserObject(stored);
    this.#stored = object;
    this.#loads = 0;
    // A snapshot proves that the server can be reached again.
    this.#error = null;
    this.#publish();
    if (changed) void this.save({});
    else this.#write();
  }

  /** True for a snapshot of what this store has overwritten. */
  #isOverwritten(stored: OldObject): boolean {
    const newest = this.#unreported.at(-1);
    if (newest === undefined || sameDocument(stored, newest)) return false;
    return this.#unreported.some((one) => sameDocument(stored, one));
  }

  /** Reads the object: another tab may have written anew what this store had overwritten. */
  async #look(): Promise<void> {
    let found: OldObject | null = null;
    try {
      await this.#backend.transact((stored) => {
        found = stored;
        return null;
      });
    } catch {
      // The next snapshot tells.
      return;
    }
    // A write since then has read the object, too.
    const newest = this.#unreported.at(-1);
    if (found === null || newest === undefined || this.#writing || sameDocument(found, newest)) return;
    this.#unreported.push(found);
    this.#stored = migrateUserObject(found).object;
    this.#publish();
  }

  /** The object is missing: makes the default one, unless another tab was faster, and loads again. */
  async #create(cause: unknown): Promise<void> {
    if (this.#stopped) return;
    if (this.#loads >= MAX_LOADS) {
      this.#fail(NOT_FETCHED, cause);
      return;
    }
    this.#stopWatching();
    try {
      await this.#backend.transact((stored) => (stored === null ? defaultUserObject() : null));
    } catch (error) {
      this.#fail(NOT_FETCHED, error);
      return;
    }
    if (!this.#stopped) this.#load();
  }

  #write(): void {
    // Before the first load nobody knows what a change would overwrite.
    if (this.#writing || this.#pending.length === 0 || !this.#stored || this.#error) return;
    this.#writing = this.#writePending().finally(() => {
      this.#writing = undefined;
      this.#write();
    });
  }

  async #writePending(): Promise<void> {
    const batch = [...this.#pending];
    let written: UserObject | undefined;
    let read: OldObject | null = null;
    const underWay: UnderWay = { batch, written: undefined, isStored: false };
    this.#underWay = underWay;
    try {
      await this.#backend.transact((stored) => {
        read = stored;
        written = applied(stored === null ? defaultUserObject() : migrateUserObject(stored).object, batch);
        underWay.written = written;
        return written;
      });
    } catch (error) {
      this.#underWay = undefined;
      const retriable = this.#backend.isTransient(error);
      if (!retriable) this.#settle(batch, false);
      this.#fail(NOT_UPDATED, error, retriable);
      return;
    }
    this.#underWay = undefined;
    this.#stored = written ?? this.#stored;
    this.#unreported.push(...[read, written].filter((one) => one != null));
    this.#unreported.splice(0, this.#unreported.length - MAX_UNREPORTED);
    this.#settle(batch, true);
    this.#publish();
  }

  #settle(batch: readonly Pending[], written: boolean): void {
    this.#pending = this.#pending.filter((one) => !batch.includes(one));
    for (const { settle } of batch) settle(written);
  }

  #fail(message: string, cause: unknown, retriable = true): void {
    console.warn(message, cause);
    this.#error = new UserObjectError(message, { cause, retriable });
    this.#publish();
  }

  #publish(): void {
    const base = this.#stored ?? defaultUserObject();
    const stored = this.#underWay?.isStored ? this.#underWay.batch : [];
    this.#state = {
      object: applied(
        base,
        this.#pending.filter((one) => !stored.includes(one)),
      ),
      ready: this.#stored !== undefined,
      error: this.#error,
    };
    for (const observer of this.#observers) observer();
  }
}
