/** Duration of a popup's closing animation, in milliseconds. */
export const POPUP_CLOSE_MS = 200;

/** Phase of a popup's life. */
export type PopupPhase = 'closed' | 'open' | 'closing';

/** Runs `callback` once after `ms` milliseconds; the returned function cancels it. */
export type Timer = (callback: () => void, ms: number) => () => void;

const browserTimer: Timer = (callback, ms) => {
  const id = setTimeout(callback, ms);
  return () => clearTimeout(id);
};

/**
 * The life of one popup: closed, open, closing for 200 ms, closed. A locked popup ignores Escape and
 * clicks beside it; only whoever opened it closes it.
 */
export class PopupEngine {
  #phase: PopupPhase = 'closed';
  #cancel = () => {};
  readonly #timer: Timer;
  readonly #observers = new Set<() => void>();

  constructor(timer: Timer = browserTimer) {
    this.#timer = timer;
  }

  readonly snapshot = (): PopupPhase => this.#phase;

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  open(): void {
    this.#cancel();
    this.#set('open');
  }

  close(): void {
    if (this.#phase !== 'open') return;
    this.#set('closing');
    this.#cancel = this.#timer(() => this.#set('closed'), POPUP_CLOSE_MS);
  }

  /** True if the popup's owner should close it when the user asks to leave. */
  mayDismiss(locked: boolean): boolean {
    return this.#phase === 'open' && !locked;
  }

  #set(phase: PopupPhase): void {
    if (phase === this.#phase) return;
    this.#phase = phase;
    for (const observer of this.#observers) observer();
  }
}
