import type { Backend } from '../firestore/backend.ts';
import { FirestoreError } from '../firestore/error.ts';
import type { ConnectionState, LiveConnection } from '../firestore/listen/connection.ts';
import type { TargetListener, TargetSpec } from '../firestore/listen/target.ts';
import type { WireDocument, WireQuery, WireWrite } from '../firestore/types.ts';
import type { KeptDocuments, News } from './kept-documents.ts';
import { covers, type QueryScope, runQuery, runUnordered } from './run-query.ts';

/** Tells the windows of a browser of commits. */
export interface Windows {
  tell(): void;
  /** Calls back when another window has committed. */
  onNews(callback: () => void): void;
}

interface Target {
  readonly spec: TargetSpec;
  readonly listeners: Set<TargetListener>;
  documents: ReadonlyMap<string, WireDocument>;
}

/**
 * A database in this browser: its documents, kept by `KeptDocuments`, lie in memory too, by collection. Calls read what
 * is committed by then in any window; each commit changes all live results at once.
 */
export class LocalBackend implements Backend {
  readonly #kept: KeptDocuments;
  readonly #root: string;
  readonly #windows: Windows;
  readonly #now: () => number;
  /** By the path of their collection, then by wire name. */
  readonly #collections = new Map<string, Map<string, WireDocument>>();
  readonly #targets = new Map<string, Target>();
  readonly #observers = new Set<() => void>();
  #version = 0;
  #following: Promise<void> = Promise.resolve();

  constructor(kept: KeptDocuments, root: string, windows: Windows, now: () => number) {
    this.#kept = kept;
    this.#root = root;
    this.#windows = windows;
    this.#now = now;
    windows.onNews(() => void this.follow().catch((error) => console.warn(error)));
  }

  /** Number of the last commit that is known here. */
  get version(): number {
    return this.#version;
  }

  readonly connection: LiveConnection = {
    state: 'online' satisfies ConnectionState,
    observe: () => () => undefined,
    listen: (key, spec, listener) => this.#listen(key, spec, listener),
  };

  /** Takes over what was committed until now. */
  follow(): Promise<void> {
    const next = this.#following.then(async () => this.#take(await this.#kept.since(this.#version)));
    this.#following = next.catch(() => undefined);
    return next;
  }

  /** Calls back after each commit that is known here. @returns ends that */
  observe(callback: () => void): () => void {
    this.#observers.add(callback);
    return () => void this.#observers.delete(callback);
  }

  /** Deletes everything. */
  async erase(): Promise<void> {
    await this.#kept.erase();
    this.#windows.tell();
    await this.follow();
  }

  async post(resource: string, body: unknown): Promise<unknown> {
    const at = resource.lastIndexOf(':');
    const place = resource.slice(0, at);
    switch (resource.slice(at + 1)) {
      case 'commit':
        return this.#commit((body as { writes: WireWrite[] }).writes);
      case 'batchGet':
        await this.follow();
        return this.#batchGet((body as { documents: string[] }).documents);
      case 'runQuery':
        await this.follow();
        return this.#run(this.#scope(place, (body as { structuredQuery: WireQuery }).structuredQuery)).map(
          (document) => ({ document }),
        );
      default:
        throw new FirestoreError('unimplemented', `There is no ${resource.slice(at)} in this browser.`);
    }
  }

  async #commit(writes: readonly WireWrite[]): Promise<object> {
    const version = await this.#kept.commit(writes, this.#now());
    this.#windows.tell();
    await this.follow();
    return { version };
  }

  #batchGet(names: readonly string[]): object[] {
    return names.map((name) => {
      const found = this.#collections.get(this.#collectionOf(name))?.get(name);
      return found ? { found } : { missing: name };
    });
  }

  #scope(place: string, query: WireQuery): QueryScope {
    return { parent: place.slice(this.#root.length + 1), query };
  }

  #run(scope: QueryScope, run = runQuery): WireDocument[] {
    const covered = [...this.#collections].filter(([path]) => covers(scope, path));
    return run(
      covered.flatMap(([, documents]) => [...documents.values()]),
      scope.query,
    );
  }

  #collectionOf(name: string): string {
    return name.slice(this.#root.length + 1, name.lastIndexOf('/'));
  }

  #take({ version, whole, changed }: News): void {
    if (version === this.#version) return;
    this.#version = version;
    const touched = new Set<string>(whole ? this.#collections.keys() : []);
    if (whole) this.#collections.clear();
    for (const one of changed) {
      const name = `${this.#root}/${one.path}`;
      const path = this.#collectionOf(name);
      touched.add(path);
      const documents = this.#collections.get(path) ?? new Map<string, WireDocument>();
      const document = this.#kept.named(one);
      if (document) documents.set(name, document);
      else documents.delete(name);
      if (documents.size > 0) this.#collections.set(path, documents);
      else this.#collections.delete(path);
    }
    const affected = [...this.#targets.values()].filter(({ spec }) =>
      [...touched].some((path) => this.#concerns(spec, path)),
    );
    // All results are of one commit before the first listener hears of it.
    const dirty = affected.filter((target) => this.#renew(target));
    for (const { listeners, documents } of dirty) {
      for (const listener of [...listeners]) listener.changed(documents, false);
    }
    for (const observer of [...this.#observers]) observer();
  }

  #concerns(spec: TargetSpec, collection: string): boolean {
    if ('documents' in spec)
      return spec.documents.documents.some((name) => this.#collectionOf(name) === collection);
    return covers(this.#scope(spec.query.parent, spec.query.structuredQuery), collection);
  }

  /** Works a target's result out anew; false if it is the same. */
  #renew(target: Target): boolean {
    const before = target.documents;
    target.documents = this.#result(target.spec);
    if (before.size !== target.documents.size) return true;
    return [...target.documents].some(([name, document]) => before.get(name) !== document);
  }

  #result(spec: TargetSpec): ReadonlyMap<string, WireDocument> {
    if ('query' in spec) {
      // Whoever listens puts them in order.
      const found = this.#run(this.#scope(spec.query.parent, spec.query.structuredQuery), runUnordered);
      return new Map(found.map((document) => [document.name, document]));
    }
    const named = spec.documents.documents.flatMap((name) => {
      const found = this.#collections.get(this.#collectionOf(name))?.get(name);
      return found ? [[name, found] as const] : [];
    });
    return new Map(named);
  }

  #listen(key: string, spec: TargetSpec, listener: TargetListener): () => void {
    const known = this.#targets.get(key);
    const target: Target = known ?? { spec, listeners: new Set(), documents: this.#result(spec) };
    if (!known) this.#targets.set(key, target);
    // Whoever listens hears of it once this call has returned, as of any other database.
    let told = false;
    const first: TargetListener = {
      changed: (documents, fromCache) => {
        told = true;
        listener.changed(documents, fromCache);
      },
      failed: (error) => listener.failed(error),
    };
    target.listeners.add(first);
    queueMicrotask(() => {
      if (!told && target.listeners.has(first)) first.changed(target.documents, false);
    });
    return () => {
      target.listeners.delete(first);
      if (target.listeners.size === 0 && this.#targets.get(key) === target) this.#targets.delete(key);
    };
  }
}
