/** Default display time of a toast, in milliseconds. */
export const TOAST_AUTO_CLOSE_MS = 2_000;
/** Step of a toast's clock, in milliseconds. */
export const TOAST_TICK_MS = 10;
/** Most time one step counts, in milliseconds: while a page stands still, nobody can read. */
export const MAX_TOAST_STEP_MS = 250;
/** Most toasts shown at once: older ones make room. */
export const MAX_TOASTS = 5;

export type ToastType = 'success' | 'info' | 'warning' | 'error';

/** A button on a toast. */
export interface ToastAction {
  readonly buttonText: string;
  readonly function: () => void;
}

/** A note that goes away by itself. */
export interface Toast {
  readonly id: number;
  readonly message: string;
  readonly type: ToastType;
  /** Milliseconds; 0 stays until it is closed. */
  readonly autoCloseTime: number;
  /** Milliseconds shown so far, not counting time under the pointer. */
  readonly elapsedTime: number;
  readonly progressBar: boolean;
  readonly actions: readonly ToastAction[];
  readonly pauseOnHover: boolean;
  readonly closeOnClick: boolean;
}

export type ToastOptions = Partial<Omit<Toast, 'id' | 'message' | 'elapsedTime'>>;

/** Runs `callback` every `ms` milliseconds until the returned function is called. */
export type Interval = (callback: () => void, ms: number) => () => void;

const browserInterval: Interval = (callback, ms) => {
  const id = setInterval(callback, ms);
  return () => clearInterval(id);
};

/** Keeps the toasts and their clock. The clock runs only while there is something to close. */
export class ToastEngine {
  #toasts: readonly Toast[] = [];
  #hovered = new Set<number>();
  #nextId = 1;
  #stop: (() => void) | undefined;
  readonly #interval: Interval;
  readonly #now: () => number;
  #lastTick = 0;
  readonly #observers = new Set<() => void>();

  /** @param now milliseconds since any moment: a busy page's steps come late, and count as long as they took */
  constructor(interval: Interval = browserInterval, now = () => performance.now()) {
    this.#interval = interval;
    this.#now = now;
  }

  /** The toasts, oldest first; the same array as long as nothing changed. */
  readonly snapshot = (): readonly Toast[] => this.#toasts;

  readonly subscribe = (observer: () => void): (() => void) => {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  };

  /** Shows a toast and answers its id. */
  show(message: string, options: ToastOptions = {}): number {
    const toast: Toast = {
      message,
      type: 'info',
      autoCloseTime: TOAST_AUTO_CLOSE_MS,
      progressBar: true,
      actions: [],
      pauseOnHover: true,
      closeOnClick: true,
      ...options,
      id: this.#nextId++,
      elapsedTime: 0,
    };
    this.#set([...this.#toasts, toast].slice(-MAX_TOASTS));
    return toast.id;
  }

  close(id: number): void {
    this.#hovered.delete(id);
    this.#set(this.#toasts.filter((toast) => toast.id !== id));
  }

  /** A click anywhere on the toast. */
  click(id: number): void {
    if (this.#toasts.find((toast) => toast.id === id)?.closeOnClick) this.close(id);
  }

  /** The pointer came or went. */
  hover(id: number, over: boolean): void {
    if (over) this.#hovered.add(id);
    else this.#hovered.delete(id);
  }

  #tick(): void {
    let changed = false;
    const now = this.#now();
    const passed = Math.min(MAX_TOAST_STEP_MS, now - this.#lastTick);
    this.#lastTick = now;
    const next = this.#toasts.flatMap((toast) => {
      const paused = toast.pauseOnHover && this.#hovered.has(toast.id);
      if (toast.autoCloseTime === 0 || paused) return [toast];
      changed = true;
      const elapsedTime = toast.elapsedTime + passed;
      return elapsedTime >= toast.autoCloseTime ? [] : [{ ...toast, elapsedTime }];
    });
    if (changed) this.#set(next);
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    const running = toasts.some((toast) => toast.autoCloseTime > 0);
    if (running && !this.#stop) {
      this.#lastTick = this.#now();
      this.#stop = this.#interval(() => this.#tick(), TOAST_TICK_MS);
    }
    if (!running && this.#stop) {
      this.#stop();
      this.#stop = undefined;
    }
    for (const observer of this.#observers) observer();
  }
}

/** The toasts of the page. */
export const toasts = new ToastEngine();
