/**
 * Typed calls into a module worker, with progress, cancellation and transfer.
 *
 * A module worker that awaits at its top level (HarfBuzz does) loses messages sent before it is done. So a worker says
 * `ready` first, and the caller's messages wait for that.
 */

/** Methods of a worker: each takes one argument and returns one result. */
export type Methods = Record<string, { argument: unknown; result: unknown; progress: unknown }>;

export interface CallContext<Progress> {
  readonly progress: (value: Progress) => void;
  /** Fires when the caller no longer wants the result. */
  readonly signal: AbortSignal;
}

/** A result whose buffers or bitmaps are transferred rather than copied. */
export interface Transferring<T> {
  readonly value: T;
  readonly transfer: Transferable[];
}

export type Handlers<M extends Methods> = {
  readonly [K in keyof M]: (
    argument: M[K]['argument'],
    context: CallContext<M[K]['progress']>,
  ) => Promise<Transferring<M[K]['result']>>;
};

interface Request {
  readonly id: number;
  readonly method?: string;
  readonly argument?: unknown;
  readonly cancel?: true;
}

type Reply =
  | { readonly ready: true }
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } };

/** The part of a worker (or a port) that calls need. */
export interface Endpoint {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: (event: Event) => void): void;
  start?(): void;
}

/** Answers calls inside a worker and tells the page that it is ready. */
export function serve<M extends Methods>(endpoint: Endpoint, handlers: Handlers<M>): void {
  const running = new Map<number, AbortController>();
  endpoint.addEventListener('message', (event) => {
    const request = event.data as Request;
    if (request.cancel) running.get(request.id)?.abort();
    else void answer(endpoint, handlers, request, running);
  });
  endpoint.start?.();
  endpoint.postMessage({ ready: true } satisfies Reply);
}

async function answer<M extends Methods>(
  endpoint: Endpoint,
  handlers: Handlers<M>,
  { id, method = '', argument }: Request,
  running: Map<number, AbortController>,
): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (!handler) throw new Error(`The worker has no method ${method}.`);
    const { value, transfer } = await handler(argument, {
      progress: (progress) => endpoint.postMessage({ id, progress } satisfies Reply),
      signal: controller.signal,
    });
    endpoint.postMessage({ id, result: value } satisfies Reply, transfer);
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    endpoint.postMessage({ id, error: { name, message } } satisfies Reply);
  } finally {
    running.delete(id);
  }
}

export interface CallOptions<Progress> {
  readonly onProgress?: ((value: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly transfer?: Transferable[];
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((value: unknown) => void) | undefined;
}

/** The caller's end of one worker. It is made in the turn in which the worker is, or it may miss that the worker is ready. */
export class Caller<M extends Methods> {
  readonly #endpoint: Endpoint;
  readonly #pending = new Map<number, Pending>();
  readonly #ready: Promise<void>;
  #nextId = 1;
  #broken: Error | undefined;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#ready = new Promise((resolve, reject) => {
      endpoint.addEventListener('message', (event) => {
        const reply = event.data as Reply;
        if ('ready' in reply) resolve();
        else this.#settle(reply);
      });
      endpoint.addEventListener('error', (event) => {
        const reason = 'message' in event && typeof event.message === 'string' ? `: ${event.message}` : '';
        this.fail(new Error(`The background worker stopped${reason}. Reload the page and try again.`));
        reject(this.#broken);
      });
    });
    // Every call awaits it; no call may be pending when it fails.
    this.#ready.catch(() => undefined);
    endpoint.start?.();
  }

  /** Number of calls under way. */
  get busy(): number {
    return this.#pending.size;
  }

  /**
   * Calls a method. Rejects with the worker's error (same name and message), or with an `AbortError`
   * as soon as the signal fires.
   */
  async call<K extends keyof M & string>(
    method: K,
    argument: M[K]['argument'],
    options: CallOptions<M[K]['progress']> = {},
  ): Promise<M[K]['result']> {
    const { signal, onProgress, transfer = [] } = options;
    signal?.throwIfAborted();
    const id = this.#nextId++;
    return new Promise<M[K]['result']>((resolve, reject) => {
      const cancel = (): void => {
        this.#endpoint.postMessage({ id, cancel: true } satisfies Request);
        this.#pending.delete(id);
        reject(signal?.reason instanceof Error ? signal.reason : new DOMException('Cancelled', 'AbortError'));
      };
      const done = (): void => signal?.removeEventListener('abort', cancel);
      this.#pending.set(id, {
        resolve: (value) => {
          done();
          resolve(value as M[K]['result']);
        },
        reject: (error) => {
          done();
          reject(error);
        },
        onProgress: onProgress as ((value: unknown) => void) | undefined,
      });
      signal?.addEventListener('abort', cancel, { once: true });
      this.#ready.then(
        () => {
          if (this.#pending.has(id))
            this.#endpoint.postMessage({ id, method, argument } satisfies Request, transfer);
        },
        (error: Error) => this.#pending.get(id)?.reject(error),
      );
    });
  }

  /** Rejects every pending call. */
  fail(error: Error): void {
    this.#broken = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #settle(reply: Exclude<Reply, { ready: true }>): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if ('progress' in reply) {
      pending.onProgress?.(reply.progress);
      return;
    }
    this.#pending.delete(reply.id);
    if ('result' in reply) pending.resolve(reply.result);
    else {
      const error = new Error(reply.error.message);
      error.name = reply.error.name;
      pending.reject(error);
    }
  }
}
