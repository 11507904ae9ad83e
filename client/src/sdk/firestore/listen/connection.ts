import type { Database } from '../database.ts';
import { errorFromHttp, errorFromStatus, FirestoreError, isTransient } from '../error.ts';
import { callHeaders } from '../rest.ts';
import type { WireListenResponse } from '../types.ts';
import { JsonArraySplitter } from './json-array-splitter.ts';
import { applyCut, Target, type TargetListener, type TargetSpec } from './target.ts';

/** First and longest wait before a lost stream is opened again, in milliseconds. */
const BACKOFF_MIN_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
const BACKOFF_FACTOR = 1.5;
/** Timeout of opening a stream, from the caller's token to the reply's headers, in milliseconds. */
const OPEN_LIMIT_MS = 30_000;
/**
 * A stream silent for so long is lost, in milliseconds: a sleeping laptop's connection dies without a word. The server
 * says something at least every 45 seconds.
 */
const SILENCE_LIMIT_MS = 2 * 60_000;
/** Most messages held back while waiting for a consistent cut: about as many as a result has documents. */
const MAX_PENDING = 200_000;

/** State of the stream. */
export type ConnectionState = 'idle' | 'connecting' | 'online' | 'offline';

/** Source of a database's live results. */
export interface LiveConnection {
  readonly state: ConnectionState;
  /** Calls back at each change of state. */
  observe(callback: (state: ConnectionState) => void): () => void;
  /** Watches; the returned function stops it. `key` names what is watched: equal keys may share their work. */
  listen(key: string, spec: TargetSpec, listener: TargetListener): () => void;
}

/**
 * The one stream behind every live subscription of a database. All targets share it; when the set of
 * targets grows, the stream is opened again with every target and how far each has got. Messages are
 * held back until the server says that they make up a consistent state; then all targets they touch
 * change at once.
 */
export class Connection implements LiveConnection {
  readonly #database: Database;
  readonly #targets = new Map<number, Target>();
  readonly #byKey = new Map<string, Target>();
  readonly #observers = new Set<(state: ConnectionState) => void>();
  #state: ConnectionState = 'idle';
  #nextId = 2;
  #stream: AbortController | undefined;
  #pending: WireListenResponse[] = [];
  #backoff = BACKOFF_MIN_MS;
  #forceToken = false;
  #cancelOpen: (() => void) | undefined;
  #cancelWatch = () => {};
  #following = false;

  constructor(database: Database) {
    this.#database = database;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Calls back at each change of state. */
  observe(callback: (state: ConnectionState) => void): () => void {
    this.#observers.add(callback);
    return () => void this.#observers.delete(callback);
  }

  /** Equal keys share a target. */
  listen(key: string, spec: TargetSpec, listener: TargetListener): () => void {
    this.#follow();
    let target = this.#byKey.get(key);
    if (target) {
      if (target.current) this.#tellLater(target, listener);
    } else {
      target = new Target(this.#nextId, key, spec);
      this.#nextId += 2;
      this.#targets.set(target.id, target);
      this.#byKey.set(key, target);
      this.#openSoon(0);
    }
    target.listeners.add(listener);
    const watched = target;
    return () => this.#unlisten(watched, listener);
  }

  #tellLater(target: Target, listener: TargetListener): void {
    void Promise.resolve().then(() => {
      if (!target.listeners.has(listener) || !target.current) return;
      listener.changed(target.documents, this.#state !== 'online');
    });
  }

  #unlisten(target: Target, listener: TargetListener): void {
    target.listeners.delete(listener);
    if (target.listeners.size > 0) return;
    this.#forget(target);
    // Others go on: what still comes for this target is dropped until the stream is next opened.
    if (this.#targets.size === 0) this.#close('idle');
  }

  #forget(target: Target): void {
    this.#targets.delete(target.id);
    if (this.#byKey.get(target.key) === target) this.#byKey.delete(target.key);
  }

  /** Starts to follow sign-in and the network, once. */
  #follow(): void {
    if (this.#following) return;
    this.#following = true;
    const { core } = this.#database;
    core.authTokens?.onChange(() => {
      if (this.#targets.size > 0) this.#openSoon(0);
    });
    core.platform.onOnline(() => {
      // Streams opened on the network before may be dead without knowing it, whatever their state.
      if (this.#targets.size > 0) this.#openSoon(0);
    });
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const observer of [...this.#observers]) observer(state);
  }

  #close(state: ConnectionState): void {
    this.#cancelOpen?.();
    this.#cancelOpen = undefined;
    this.#cancelWatch();
    this.#stream?.abort();
    this.#stream = undefined;
    this.#pending = [];
    this.#setState(state);
  }

  /** Opens the stream (again) after a wait; calls that come together open it once. */
  #openSoon(wait: number): void {
    this.#cancelOpen?.();
    this.#cancelOpen = this.#database.core.platform.setTimer(() => {
      this.#cancelOpen = undefined;
      void this.#open();
    }, wait);
  }

  async #open(): Promise<void> {
    this.#close(this.#state === 'online' ? 'online' : 'connecting');
    if (this.#targets.size === 0) {
      this.#setState('idle');
      return;
    }
    const stream = new AbortController();
    this.#stream = stream;
    for (const target of this.#targets.values()) target.live = false;
    this.#watch(stream, OPEN_LIMIT_MS);
    try {
      await this.#read(stream);
      if (this.#stream === stream) this.#lost(new FirestoreError('unavailable', 'The stream ended.'));
    } catch (error) {
      if (this.#stream !== stream) return;
      this.#lost(error instanceof FirestoreError ? error : new FirestoreError('unavailable', String(error)));
    }
  }

  async #read(stream: AbortController): Promise<void> {
    const { core, origin, root, name } = this.#database;
    const headers = await callHeaders(this.#database, this.#forceToken);
    this.#forceToken = false;
    if (this.#stream !== stream) return;
    const requests = [...this.#targets.values()].map((target) => ({
      database: name,
      addTarget: target.toAddTarget(),
    }));
    const response = await core.platform.fetch(`${origin}/v1/${root}:listen`, {
      method: 'POST',
      headers,
      body: JSON.stringify(requests),
      signal: stream.signal,
    });
    if (!response.ok) throw errorFromHttp(response.status, await response.json().catch(() => null));
    if (!response.body) throw new FirestoreError('unavailable', 'The stream has no body.');
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const splitter = new JsonArraySplitter();
    for (;;) {
      this.#watch(stream, SILENCE_LIMIT_MS);
      const { done, value } = await reader.read();
      if (this.#stream !== stream || done) return;
      for (const json of splitter.push(decoder.decode(value, { stream: true }))) {
        this.#receive(JSON.parse(json) as WireListenResponse);
        if (this.#stream !== stream) return;
      }
    }
  }

  /** Gives the stream up unless it is watched anew within `limit` milliseconds. */
  #watch(stream: AbortController, limit: number): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#database.core.platform.setTimer(() => {
      if (this.#stream === stream) this.#lost(new FirestoreError('unavailable', 'The server is silent.'));
    }, limit);
  }

  #receive(message: WireListenResponse): void {
    if (message.error) throw errorFromHttp(message.error.code ?? 0, message);
    const change = message.targetChange;
    if (change?.targetChangeType === 'REMOVE') {
      for (const id of change.targetIds ?? []) this.#removed(id, change.cause);
      return;
    }
    if (this.#pending.length >= MAX_PENDING) {
      this.#overflowed();
      return;
    }
    this.#pending.push(message);
    const isCut =
      change !== undefined &&
      (change.targetChangeType ?? 'NO_CHANGE') === 'NO_CHANGE' &&
      !change.targetIds?.length &&
      change.readTime !== undefined;
    if (isCut) this.#cut();
  }

  /**
   * More came without a consistent cut than can be held: the target that most of it is for fails, because it would come
   * to the same again; the others resume.
   */
  #overflowed(): void {
    const counts = new Map<Target, number>();
    for (const { documentChange } of this.#pending) {
      for (const id of documentChange?.targetIds ?? []) {
        const target = this.#targets.get(id);
        if (target) counts.set(target, (counts.get(target) ?? 0) + 1);
      }
    }
    const [largest] = [...counts].sort(([, a], [, b]) => b - a);
    const error = new FirestoreError(
      'resource-exhausted',
      `A live result may have ${MAX_PENDING} documents; this one has more. Use a filter or a limit.`,
    );
    if (!largest) {
      this.#failAll(error);
      return;
    }
    const [target] = largest;
    this.#forget(target);
    this.#close(this.#targets.size > 0 ? 'connecting' : 'idle');
    if (this.#targets.size > 0) this.#openSoon(0);
    for (const listener of [...target.listeners]) listener.failed(error);
  }

  #removed(id: number, cause: { code?: number; message?: string } | undefined): void {
    const target = this.#targets.get(id);
    if (!target) return;
    this.#forget(target);
    const error = cause
      ? errorFromStatus(cause)
      : new FirestoreError('cancelled', 'The server ended this target.');
    for (const listener of [...target.listeners]) listener.failed(error);
    if (this.#targets.size === 0) this.#close('idle');
  }

  #cut(): void {
    const messages = this.#pending;
    this.#pending = [];
    const { mismatched } = applyCut(this.#targets, messages);
    this.#backoff = BACKOFF_MIN_MS;
    this.#setState('online');
    for (const target of mismatched) target.reset();
    if (mismatched.length > 0) this.#openSoon(0);
    for (const target of [...this.#targets.values()]) {
      if (!target.current || !target.dirty) continue;
      target.dirty = false;
      for (const listener of [...target.listeners]) listener.changed(target.documents, false);
    }
  }

  #lost(error: FirestoreError): void {
    const refused = error.code === 'unauthenticated';
    if (!refused && !isTransient(error)) {
      this.#failAll(error);
      return;
    }
    this.#forceToken = refused;
    this.#close('offline');
    const wait = this.#backoff * (0.5 + this.#database.core.platform.random());
    this.#backoff = Math.min(this.#backoff * BACKOFF_FACTOR, BACKOFF_MAX_MS);
    this.#openSoon(wait);
  }

  /** The server judged the request itself: the same request would fail again. */
  #failAll(error: FirestoreError): void {
    const targets = [...this.#targets.values()];
    for (const target of targets) this.#forget(target);
    this.#close('idle');
    for (const target of targets) {
      for (const listener of [...target.listeners]) listener.failed(error);
    }
  }
}
