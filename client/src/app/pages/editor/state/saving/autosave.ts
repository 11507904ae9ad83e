/** A change is saved when nothing more has changed for so long, in milliseconds. */
export const SAVE_AFTER_MS = 700;
/** First and longest wait before a failed save is tried again, in milliseconds. */
export const RETRY_MIN_MS = 2_000;
export const RETRY_MAX_MS = 30_000;

/** State of saving; `held` waits for the user's consent. */
export type SaveState = 'saved' | 'pending' | 'saving' | 'failed' | 'held';

/** Runs `callback` once after `ms` milliseconds; the returned function cancels it. */
export type Timer = (callback: () => void, ms: number) => () => void;

const browserTimer: Timer = (callback, ms) => {
  const id = setTimeout(callback, ms);
  return () => clearTimeout(id);
};

/**
 * Saves the newest value a little after it changes, one save at a time. A failed save is tried again,
 * ever more patiently; nothing is dropped.
 */
export class Autosave<T> {
  #state: SaveState = 'saved';
  #value: { readonly value: T } | undefined;
  #cancel = () => {};
  #retry = RETRY_MIN_MS;
  #running: Promise<void> | undefined;
  #error: unknown;
  #holding = false;
  readonly #save: (value: T) => Promise<void>;
  readonly #timer: Timer;
  readonly #observers = new Set<() => void>();

  constructor(save: (value: T) => Promise<void>, timer: Timer = browserTimer) {
    this.#save = save;
    this.#timer = timer;
  }

  readonly snapshot = (): SaveState => this.#state;

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** Why the last save failed. */
  get error(): unknown {
    return this.#error;
  }

  /** There is a new value. */
  changed(value: T): void {
    this.#value = { value };
    this.#retry = RETRY_MIN_MS;
    if (this.#running) return;
    if (this.#holding) {
      this.#set('held');
      return;
    }
    this.#set('pending');
    this.#later(SAVE_AFTER_MS);
  }

  /** Saves nothing until `release`; a save that runs already goes on. */
  hold(): void {
    this.#holding = true;
    this.#cancel();
    if (this.#value && !this.#running) this.#set('held');
  }

  /** Saves as before, what was held back at once. */
  async release(): Promise<void> {
    this.#holding = false;
    await this.flush();
  }

  /** Saves at once what is not saved nor held back; resolves when that is done, or has failed. */
  async flush(): Promise<void> {
    if (this.#running) await this.#running;
    if (!this.#value || this.#holding) return;
    this.#cancel();
    await this.#run();
  }

  #later(ms: number): void {
    this.#cancel();
    this.#cancel = this.#timer(() => void this.#run(), ms);
  }

  #run(): Promise<void> {
    this.#running ??= this.#attempt().finally(() => {
      this.#running = undefined;
      this.#goOn();
    });
    return this.#running;
  }

  async #attempt(): Promise<void> {
    const taken = this.#value;
    if (!taken) return;
    this.#set('saving');
    try {
      await this.#save(taken.value);
      this.#error = undefined;
      this.#retry = RETRY_MIN_MS;
      if (this.#value === taken) this.#value = undefined;
    } catch (error) {
      this.#error = error;
    }
  }

  #goOn(): void {
    if (this.#value && this.#holding) {
      this.#set('held');
    } else if (this.#error !== undefined) {
      this.#set('failed');
      this.#later(this.#retry);
      this.#retry = Math.min(this.#retry * 2, RETRY_MAX_MS);
    } else if (this.#value) {
      this.#set('pending');
      this.#later(SAVE_AFTER_MS);
    } else {
      this.#set('saved');
    }
  }

  #set(state: SaveState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const observer of this.#observers) observer();
  }
}
