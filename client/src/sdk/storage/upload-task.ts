import { StorageError } from './error.ts';
import { type FullMetadata, fromWire, toWire, type UploadMetadata } from './metadata.ts';
import type { Reference } from './reference.ts';
import { cancelled, MAX_UPLOAD_RETRY_MS, send } from './request.ts';

/** The first chunk, in bytes; chunks double while all goes well. */
export const FIRST_CHUNK_BYTES = 256 * 1024;
/** The largest chunk, in bytes. */
export const LARGEST_CHUNK_BYTES = 8 * 1024 * 1024;

export type TaskState = 'running' | 'paused' | 'success' | 'canceled' | 'error';

/** Support for uploads that outlive their page; the official package has none and starts again. */
export interface UploadContinuation {
  /** Session of an earlier task; if the server has forgotten it, the upload starts again. */
  readonly session?: string;
  /** Learns where this task sends. */
  readonly onSession?: (session: string) => void;
}

/** State of an upload. */
export interface UploadTaskSnapshot {
  readonly bytesTransferred: number;
  readonly totalBytes: number;
  readonly state: TaskState;
  readonly metadata: FullMetadata;
  readonly ref: Reference;
  readonly task: UploadTask;
}

/** Whoever wants to know how an upload goes. */
export interface UploadObserver {
  next?: ((snapshot: UploadTaskSnapshot) => unknown) | null | undefined;
  error?: ((error: StorageError) => unknown) | null | undefined;
  complete?: (() => unknown) | null | undefined;
}

/** A resumable upload that can be paused, resumed and called off; a promise of its last snapshot. */
export class UploadTask implements PromiseLike<UploadTaskSnapshot> {
  readonly #ref: Reference;
  readonly #data: Blob;
  readonly #wanted: UploadMetadata;
  readonly #continuation: UploadContinuation;
  readonly #observers = new Set<UploadObserver>();
  readonly #result: Promise<UploadTaskSnapshot>;
  #settle: { resolve(snapshot: UploadTaskSnapshot): void; reject(error: StorageError): void } | undefined;
  #state: TaskState = 'running';
  #transferred = 0;
  #chunk = FIRST_CHUNK_BYTES;
  #url: string | undefined;
  #metadata: FullMetadata | undefined;
  #abort = new AbortController();

  constructor(ref: Reference, data: Blob, wanted: UploadMetadata, continuation: UploadContinuation = {}) {
    this.#continuation = continuation;
    this.#url = continuation.session;
    this.#ref = ref;
    this.#data = data;
    this.#wanted = wanted;
    this.#result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A task that is only observed must not cause an unhandled rejection.
    this.#result.catch(() => undefined);
    void this.#run();
  }

  get snapshot(): UploadTaskSnapshot {
    return {
      bytesTransferred: this.#transferred,
      totalBytes: this.#data.size,
      state: this.#state,
      metadata: this.#metadata as FullMetadata,
      ref: this.#ref,
      task: this,
    };
  }

  /** Holds the upload; `false` when it is not running. */
  pause(): boolean {
    if (this.#state !== 'running') return false;
    this.#state = 'paused';
    this.#abort.abort();
    this.#tell();
    return true;
  }

  /** Goes on; `false` when it is not paused. */
  resume(): boolean {
    if (this.#state !== 'paused') return false;
    this.#state = 'running';
    this.#tell();
    void this.#run();
    return true;
  }

  /** Calls the upload off; `false` when it is over. */
  cancel(): boolean {
    if (this.#state !== 'running' && this.#state !== 'paused') return false;
    this.#state = 'canceled';
    this.#abort.abort();
    if (this.#url !== undefined) void this.#command('cancel').catch(() => undefined);
    this.#fail(cancelled());
    return true;
  }

  /** Observes the upload; the returned function stops. */
  on(
    _event: 'state_changed',
    nextOrObserver?: UploadObserver | ((snapshot: UploadTaskSnapshot) => unknown) | null,
    error?: ((error: StorageError) => unknown) | null,
    complete?: (() => unknown) | null,
  ): () => void {
    const observer: UploadObserver =
      typeof nextOrObserver === 'object' && nextOrObserver !== null
        ? nextOrObserver
        : { next: nextOrObserver, error, complete };
    this.#observers.add(observer);
    queueMicrotask(() => {
      if (this.#observers.has(observer)) this.#notify(observer);
    });
    return () => void this.#observers.delete(observer);
  }

  // A task is awaited like a promise, as the official one is.
  // biome-ignore lint/suspicious/noThenProperty: part of the official interface
  then<A = UploadTaskSnapshot, B = never>(
    fulfilled?: ((snapshot: UploadTaskSnapshot) => A | PromiseLike<A>) | null,
    rejected?: ((error: StorageError) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result.then(fulfilled, rejected);
  }

  catch<B>(rejected: (error: StorageError) => B | PromiseLike<B>): Promise<UploadTaskSnapshot | B> {
    return this.#result.catch(rejected);
  }

  async #run(): Promise<void> {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      if (this.#url === undefined) await this.#start(signal);
      else await this.#goOn(signal);
      while (!signal.aborted && this.#metadata === undefined) await this.#sendChunk(signal);
    } catch (error) {
      // A pause or a cancellation interrupts what is under way; both have told already.
      if (signal.aborted) return;
      this.#state = 'error';
      this.#fail(error instanceof StorageError ? error : new StorageError('unknown', String(error)));
    }
  }

  async #start(signal: AbortSignal): Promise<void> {
    const type = this.#wanted.contentType ?? this.#data.type;
    const metadata = { ...toWire(this.#wanted), ...(type ? { contentType: type } : {}) };
    const reply = await send(this.#ref.storage.core, {
      method: 'POST',
      url: `${this.#ref.bucketUrl}?name=${encodeURIComponent(this.#ref.fullPath)}`,
      headers: {
        'X-Goog-Upload-Protocol': 'resumable',
        'X-Goog-Upload-Command': 'start',
        'X-Goog-Upload-Header-Content-Length': String(this.#data.size),
        ...(type ? { 'X-Goog-Upload-Header-Content-Type': type } : {}),
        'Content-Type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify(metadata),
      path: this.#ref.fullPath,
      signal,
      maxRetryMs: MAX_UPLOAD_RETRY_MS,
    });
    const url = reply.headers.get('X-Goog-Upload-URL');
    if (url === null) throw new StorageError('unknown', 'The server did not say where to send the bytes.');
    this.#url = url;
    this.#continuation.onSession?.(url);
  }

  async #goOn(signal: AbortSignal): Promise<void> {
    try {
      await this.#ask(signal);
    } catch (error) {
      const given = this.#url === this.#continuation.session;
      if (!given || signal.aborted || !(error instanceof StorageError) || error.status < 400) throw error;
      this.#transferred = 0;
      await this.#start(signal);
    }
  }

  /** Learns from the server how much it has. */
  async #ask(signal: AbortSignal): Promise<void> {
    const reply = await this.#command('query', signal);
    const received = Number(reply.headers.get('X-Goog-Upload-Size-Received') ?? '0');
    this.#transferred = Math.min(received, this.#data.size);
    // The last reply was lost, not the file: finishing again answers its metadata.
    if (reply.headers.get('X-Goog-Upload-Status') === 'final') {
      this.#finish(await (await this.#command('finalize', signal)).json());
    }
  }

  async #sendChunk(signal: AbortSignal): Promise<void> {
    const start = this.#transferred;
    const end = Math.min(start + this.#chunk, this.#data.size);
    const last = end === this.#data.size;
    const body = this.#data.slice(start, end);
    const reply = await this.#command(last ? 'upload, finalize' : 'upload', signal, start, body);
    if (signal.aborted) return;
    this.#transferred = end;
    if (last) {
      this.#finish(await reply.json());
      return;
    }
    this.#chunk = Math.min(this.#chunk * 2, LARGEST_CHUNK_BYTES);
    this.#tell();
  }

  #command(command: string, signal?: AbortSignal, offset?: number, body?: Blob): Promise<Response> {
    return send(this.#ref.storage.core, {
      method: 'POST',
      url: this.#url ?? '',
      headers: {
        'X-Goog-Upload-Command': command,
        ...(offset === undefined ? {} : { 'X-Goog-Upload-Offset': String(offset) }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      path: this.#ref.fullPath,
      maxRetryMs: MAX_UPLOAD_RETRY_MS,
    });
  }

  #finish(wire: Record<string, unknown>): void {
    this.#metadata = fromWire(wire, this.#ref);
    this.#transferred = this.#data.size;
    this.#state = 'success';
    this.#tell();
    this.#settle?.resolve(this.snapshot);
    for (const observer of this.#observers) observer.complete?.();
    this.#observers.clear();
  }

  #fail(error: StorageError): void {
    this.#settle?.reject(error);
    for (const observer of this.#observers) observer.error?.(error);
    this.#observers.clear();
  }

  #tell(): void {
    for (const observer of this.#observers) this.#notify(observer);
  }

  #notify(observer: UploadObserver): void {
    observer.next?.(this.snapshot);
  }
}
