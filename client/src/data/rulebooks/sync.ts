import { receiveTransaction, sendableSteps } from 'prosemirror-collab';
import type { Node as ProseNode } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { applyStep, writeSteps } from '../../core/book/prose/steps.ts';
import { hashAfter, VERSION_EVERY } from '../../core/book/prose/versions.ts';
import type { StepStore, StoredStep } from './step-store.ts';

/** Changes are sent when nothing more has changed for so long, in milliseconds. */
export const SEND_AFTER_MS = 300;
/** Longest that changes wait while somebody goes on writing. */
export const SEND_AT_LATEST_MS = 2_000;
/** First and longest wait before a failed step is sent again. */
export const RETRY_MIN_MS = 1_000;
export const RETRY_MAX_MS = 30_000;

/** `refused`: this text cannot be stored, and has to be undone. */
export type SyncState = 'saved' | 'pending' | 'saving' | 'failed' | 'refused';

/** A step that every client skips. */
export interface SkippedStep {
  readonly number: number;
  readonly by: string;
  readonly at: number;
  readonly message: string;
}

/** The editor whose text is kept in step. */
export interface Editor {
  readonly state: EditorState;
  readonly dispatch: (transaction: Transaction) => void;
}

/** Runs `callback` once after `ms` milliseconds; the returned function cancels it. */
export type Timer = (callback: () => void, ms: number) => () => void;

const browserTimer: Timer = (callback, ms) => {
  const id = setTimeout(callback, ms);
  return () => clearTimeout(id);
};

/** The document after a number of steps. */
export interface Base {
  readonly doc: ProseNode;
  readonly number: number;
  /** Of those steps. */
  readonly hash: string;
}

/**
 * Keeps an editor and the stored steps of its rulebook the same. Changes are sent as the step after the last one known;
 * where another window was first, they are put on top of its step and sent again. Nothing is dropped: what could not be
 * sent stays in the editor and is tried again.
 */
export class RulebookSync {
  #state: SyncState = 'saved';
  #error: unknown;
  #confirmed: ProseNode;
  #number: number;
  #hash: string;
  #sending = false;
  #retry = RETRY_MIN_MS;
  #cancel: (() => void) | undefined;
  #waitingSince: number | undefined;
  #stop = (): void => undefined;
  #skipped: readonly SkippedStep[] = [];
  readonly #store: StepStore;
  readonly #editor: Editor;
  readonly #client: string;
  readonly #timer: Timer;
  readonly #now: () => number;
  readonly #keep: (base: Base) => void;
  readonly #observers = new Set<() => void>();

  /** @param keep called with the stored text when a version of it is due */
  constructor(
    store: StepStore,
    editor: Editor,
    { doc, number, hash }: Base,
    client: string,
    keep: (base: Base) => void = () => undefined,
    timer: Timer = browserTimer,
    now: () => number = () => performance.now(),
  ) {
    this.#store = store;
    this.#editor = editor;
    this.#confirmed = doc;
    this.#number = number;
    this.#hash = hash;
    this.#client = client;
    this.#keep = keep;
    this.#timer = timer;
    this.#now = now;
  }

  readonly snapshot = (): SyncState => this.#state;
  readonly skipped = (): readonly SkippedStep[] => this.#skipped;
  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** Reason for which the last step was not stored. */
  get error(): unknown {
    return this.#error;
  }

  /** The text as stored, and the number of its last step. */
  get base(): Base {
    return { doc: this.#confirmed, number: this.#number, hash: this.#hash };
  }

  /** Follows the stored steps until `stop`. */
  start(fail: (error: Error) => void): void {
    this.#stop = this.#store.follow(this.#number, (steps) => this.#receive(steps), fail);
  }

  stop(): void {
    this.#stop();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** The text was changed here. */
  changed(): void {
    if (!this.#hasUnsent()) {
      this.#settle();
      return;
    }
    this.#retry = RETRY_MIN_MS;
    this.#error = undefined;
    const now = this.#now();
    this.#waitingSince ??= now;
    if (this.#sending) return;
    this.#set('pending');
    const left = Math.max(0, this.#waitingSince + SEND_AT_LATEST_MS - now);
    this.#later(Math.min(SEND_AFTER_MS, left));
  }

  /** Sends at once what is not stored. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#send();
  }

  /** Sends what is not stored and waits until it is, by all that followed. @throws the reason for which it cannot be */
  async whenSaved(): Promise<void> {
    await this.flush();
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (this.#state === 'failed' || this.#state === 'refused') reject(this.#error);
        else if (this.#state === 'saved') resolve();
        else return;
        stop();
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  #hasUnsent(): boolean {
    return sendableSteps(this.#editor.state) !== null;
  }

  #later(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#timer(() => {
      this.#cancel = undefined;
      void this.#send();
    }, ms);
  }

  async #send(): Promise<void> {
    const unsent = sendableSteps(this.#editor.state);
    if (!unsent || this.#sending) return;
    let text: string;
    try {
      // A change too long for one stored step goes as several, one after the other.
      text = writeSteps(unsent.steps);
      const result = applyStep(this.#confirmed, text);
      if (!('doc' in result)) throw new Error(result.message);
    } catch (error) {
      this.#error = error;
      this.#set('refused');
      return;
    }
    this.#sending = true;
    this.#set('saving');
    try {
      // The steps that are followed say whether it was stored or another was first.
      await this.#store.append(this.#number + 1, this.#client, text);
      this.#error = undefined;
      this.#retry = RETRY_MIN_MS;
    } catch (error) {
      this.#error = error;
    }
    this.#sending = false;
    if (this.#error === undefined) this.#settle();
    else {
      this.#set('failed');
      this.#later(this.#retry);
      this.#retry = Math.min(this.#retry * 2, RETRY_MAX_MS);
    }
  }

  /** Says how things stand after something was stored or received, and sends what is left. */
  #settle(): void {
    if (this.#sending) return;
    if (!this.#hasUnsent()) {
      this.#waitingSince = undefined;
      this.#error = undefined;
      this.#cancel?.();
      this.#cancel = undefined;
      this.#set('saved');
    } else if (this.#state !== 'failed' && this.#state !== 'refused') {
      this.#set('pending');
      if (!this.#cancel) this.#later(SEND_AFTER_MS);
    }
  }

  #receive(steps: readonly StoredStep[]): void {
    for (const { number, client, by, at, text } of steps) {
      if (number !== this.#number + 1) continue;
      const result = applyStep(this.#confirmed, text);
      this.#number = number;
      this.#hash = hashAfter(this.#hash, number, text);
      if ('doc' in result) {
        this.#confirmed = result.doc;
        const clients = result.steps.map(() => client);
        const transaction = receiveTransaction(this.#editor.state, result.steps, clients, {
          mapSelectionBackward: true,
        });
        this.#editor.dispatch(transaction);
      } else {
        this.#skipped = [...this.#skipped, { number, by, at, message: result.message }];
        for (const observer of this.#observers) observer();
      }
      // One of the writers keeps the version: the one whose step it was.
      if (client === this.#client && number % VERSION_EVERY === 0) this.#keep(this.base);
    }
    this.#settle();
  }

  #set(state: SyncState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const observer of this.#observers) observer();
  }
}
