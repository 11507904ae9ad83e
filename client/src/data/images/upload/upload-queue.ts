import { nameOf } from '../../../core/images/path.ts';
import { type IfTaken, isOver, type Prepared, type UploadDetails, type UploadItem } from './upload-item.ts';
import { type Placed, planUpload } from './upload-plan.ts';

/** Files under way at once. */
export const PARALLEL_UPLOADS = 4;
/** Automatic attempts per file, before the user has to retry. */
export const MAX_ATTEMPTS = 20;
/** First and longest wait before that, in milliseconds. */
export const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 15_000;

/** Location of a stored file. */
export interface StoredFile {
  readonly file: string;
  readonly url: string;
}

/** Fields of an image's document. */
export interface ImageFields extends StoredFile, UploadDetails {
  readonly hash: string;
  readonly bytes: number;
  readonly type: string;
  readonly w: number;
  readonly h: number;
}

/** Everything the queue takes from its surroundings. */
export interface UploadEnvironment {
  /** Uploads left by an earlier page, with the files' contents kept by id. */
  restore(): Promise<UploadItem[]>;
  /** Keeps files for the next page; answers whether there was room. */
  keep(files: readonly { readonly item: UploadItem; readonly blob: Blob }[]): Promise<boolean>;
  /** Remembers how a kept file stands. */
  note(item: UploadItem): void;
  drop(ids: readonly string[]): void;
  /** A file's content. */
  blob(id: string): Promise<Blob | undefined>;
  images(shelf: UploadItem['shelf']): Promise<readonly Placed[]>;
  prepare(blob: Blob): Promise<Prepared>;
  /** Stores a content. An abort with the reason `pause` leaves what was sent for later. */
  send(
    item: UploadItem,
    content: Prepared,
    how: {
      readonly signal: AbortSignal;
      readonly onSent: (bytes: number) => void;
      readonly onSession: (session: string) => void;
    },
  ): Promise<StoredFile>;
  add(item: UploadItem, path: string, fields: ImageFields): Promise<void>;
  replace(item: UploadItem, image: Placed, fields: ImageFields): Promise<void>;
  /** Trying again may help. */
  isTransient(error: unknown): boolean;
  describe(error: unknown): string;
  newId(): string;
  /** Calls back later, once for any number of changes. */
  soon(callback: () => void): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** State of the queue, as shown on the page. */
export interface QueueState {
  readonly items: readonly UploadItem[];
  readonly paused: boolean;
  /** Why nothing moves, while that is so. */
  readonly trouble: string | undefined;
  /** Closing the page loses files that are not sent yet. */
  readonly fragile: boolean;
}

export interface NewUpload {
  readonly path: string;
  readonly blob: Blob;
  readonly replaces?: string;
  readonly details?: UploadDetails;
}

/**
 * Files on their way into a library. Each becomes one image, whose id is chosen before anything is sent: so
 * a file that is sent again, because an answer was lost or the page was closed, becomes the same image.
 */
export class UploadQueue {
  readonly #env: UploadEnvironment;
  #items = new Map<string, UploadItem>();
  readonly #running = new Map<string, AbortController>();
  readonly #reserved = new Map<string, string>();
  /** Added, and not seen in the library yet. */
  readonly #added = new Map<string, Placed>();
  readonly #sending = new Map<string, Promise<StoredFile>>();
  readonly #waiters = new Map<string, ((item: UploadItem) => void)[]>();
  readonly #observers = new Set<() => void>();
  #state: QueueState = { items: [], paused: false, trouble: undefined, fragile: false };
  #paused = false;
  #fragile = false;
  #trouble: string | undefined;
  #told = true;

  constructor(env: UploadEnvironment) {
    this.#env = env;
  }

  readonly snapshot = (): QueueState => this.#state;

  readonly subscribe = (callback: () => void): (() => void) => {
    this.#observers.add(callback);
    return () => void this.#observers.delete(callback);
  };

  /** Takes over what an earlier page left unfinished. */
  async restore(): Promise<void> {
    for (const item of await this.#env.restore()) {
      if (this.#items.has(item.id)) continue;
      this.#items.set(item.id, item.state === 'working' ? { ...item, state: 'waiting' } : item);
    }
    this.#changed();
    this.#pump();
  }

  /** Adds files; answers the ids of the uploads. */
  async add(
    shelf: UploadItem['shelf'],
    files: readonly NewUpload[],
    ifTaken: IfTaken = 'keep-both',
  ): Promise<string[]> {
    const made = files.map(({ path, blob, replaces, details = {} }) => ({
      item: {
        id: this.#env.newId(),
        shelf,
        path,
        bytes: blob.size,
        sent: 0,
        state: 'waiting',
        ifTaken,
        details,
        ...(replaces !== undefined && { replaces }),
      } satisfies UploadItem,
      blob,
    }));
    for (const { item } of made) this.#items.set(item.id, item);
    this.#changed();
    if (!(await this.#env.keep(made))) this.#fragile = true;
    this.#changed();
    this.#pump();
    return made.map(({ item }) => item.id);
  }

  /** Resolves when an upload is over, well or not. */
  over(id: string): Promise<UploadItem> {
    const item = this.#items.get(id);
    if (!item) return Promise.reject(new Error('There is no such upload.'));
    if (isOver(item)) return Promise.resolve(item);
    return new Promise((resolve) => {
      this.#waiters.set(id, [...(this.#waiters.get(id) ?? []), resolve]);
    });
  }

  pause(): void {
    this.#paused = true;
    for (const controller of this.#running.values()) controller.abort('pause');
    this.#changed();
  }

  resume(): void {
    this.#paused = false;
    this.#trouble = undefined;
    this.#changed();
    this.#pump();
  }

  /** Calls off what is not over: one file, or all. They stay in the list, to be taken up again. */
  cancel(id?: string): void {
    for (const item of this.#chosen(id)) {
      if (isOver(item)) continue;
      this.#running.get(item.id)?.abort('cancel');
      this.#update(item.id, { state: 'cancelled', sent: 0 }, ['session']);
    }
  }

  /** Tries again what failed or was called off: one file, or all. */
  retry(id?: string): void {
    this.#paused = false;
    this.#trouble = undefined;
    for (const item of this.#chosen(id)) {
      if (item.state !== 'cancelled' && !(item.state === 'failed' && (item.mayRetry || id !== undefined)))
        continue;
      this.#update(item.id, { state: 'waiting', sent: 0 }, ['message', 'mayRetry']);
    }
    this.#pump();
  }

  /** Takes what is over out of the list; what was called off is then gone. */
  clear(): void {
    const gone = [...this.#items.values()].filter((item) => isOver(item) && !this.#running.has(item.id));
    for (const { id } of gone) this.#items.delete(id);
    this.#env.drop(gone.map(({ id }) => id));
    this.#changed();
  }

  #chosen(id: string | undefined): UploadItem[] {
    return [...this.#items.values()].filter((item) => id === undefined || item.id === id);
  }

  #pump(): void {
    if (this.#paused) return;
    for (const item of this.#items.values()) {
      if (this.#running.size >= PARALLEL_UPLOADS) return;
      if (item.state !== 'waiting' || this.#running.has(item.id)) continue;
      const controller = new AbortController();
      this.#running.set(item.id, controller);
      this.#update(item.id, { state: 'working' });
      void this.#run(item.id, controller.signal).finally(() => {
        this.#running.delete(item.id);
        this.#reserved.delete(item.id);
        // Called off and taken up again before it had stopped.
        this.#pump();
        this.#changed();
      });
    }
  }

  async #run(id: string, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#attempt(id, signal);
        this.#trouble = undefined;
        return;
      } catch (error) {
        if (signal.aborted) {
          if (signal.reason === 'pause') this.#update(id, { state: 'waiting' });
          return;
        }
        const message = this.#env.describe(error);
        const transient = this.#env.isTransient(error);
        if (!transient || attempt >= MAX_ATTEMPTS) {
          this.#update(id, { state: 'failed', message, mayRetry: transient });
          return;
        }
        this.#trouble = message;
        this.#changed();
        const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
        await this.#env.wait(wait, signal).catch(() => undefined);
        if (signal.aborted) {
          if (signal.reason === 'pause') this.#update(id, { state: 'waiting' });
          return;
        }
      }
    }
  }

  async #attempt(id: string, signal: AbortSignal): Promise<void> {
    const item = this.#items.get(id);
    const blob = await this.#env.blob(id);
    if (!item || !blob) throw new Error('The file is no longer at hand: choose it again.');
    const content = await this.#env.prepare(blob);
    const images = await this.#images(item.shelf);
    signal.throwIfAborted();
    // A second attempt is not in its own way.
    this.#reserved.delete(id);
    const plan = planUpload(item, content, images, new Set(this.#reserved.values()));
    if (plan.kind === 'there') {
      const state = plan.own ? 'done' : 'same';
      this.#update(id, { state, sent: item.bytes, image: plan.image.id, ...asNamed(item, plan.image.path) });
      return;
    }
    if (plan.kind === 'skip') {
      const message = `There is another image of this name: ${plan.image.path}.`;
      this.#update(id, { state: 'skipped', image: plan.image.id, message });
      return;
    }
    // From here to the reservation nothing waits: no two files get one path.
    if (plan.kind === 'add') this.#reserved.set(id, plan.path.toLowerCase());
    const stored = plan.twin ?? (await this.#store(item, content, signal));
    signal.throwIfAborted();
    const { hash, type, w, h } = content;
    const { file, url } = stored;
    const fields = { file, url, hash, bytes: content.blob.size, type, w, h, ...item.details };
    if (plan.kind === 'add') {
      await this.#env.add(item, plan.path, fields);
      this.#added.set(id, { id, path: plan.path, hash, file, url });
      this.#update(id, {
        state: 'done',
        sent: item.bytes,
        image: id,
        ...asNamed(item, plan.path, content.remark),
      });
    } else {
      await this.#env.replace(item, plan.image, fields);
      const message = [`Replaced ${plan.image.path}.`, content.remark].filter(Boolean).join(' ');
      this.#update(id, { state: 'done', sent: item.bytes, image: plan.image.id, message });
    }
  }

  /** Stores a content once, however many of the files have it. */
  async #store(item: UploadItem, content: Prepared, signal: AbortSignal): Promise<StoredFile> {
    const key = `${item.shelf} ${content.hash}`;
    const other = this.#sending.get(key);
    if (other) {
      const stored = await other.catch(() => undefined);
      if (stored) return stored;
    }
    const sending = this.#env.send(item, content, {
      signal,
      onSent: (sent) => this.#update(item.id, { sent: Math.min(sent, item.bytes) }),
      onSession: (session) => this.#update(item.id, { session }),
    });
    this.#sending.set(key, sending);
    try {
      return await sending;
    } finally {
      if (this.#sending.get(key) === sending) this.#sending.delete(key);
    }
  }

  async #images(shelf: UploadItem['shelf']): Promise<readonly Placed[]> {
    const images = await this.#env.images(shelf);
    const known = new Set(images.map(({ id }) => id));
    for (const id of [...this.#added.keys()]) if (known.has(id)) this.#added.delete(id);
    const mine = [...this.#added.values()].filter(({ id }) => this.#items.get(id)?.shelf === shelf);
    return mine.length === 0 ? images : [...images, ...mine];
  }

  #update(id: string, change: Partial<UploadItem>, without: readonly (keyof UploadItem)[] = []): void {
    const old = this.#items.get(id);
    // An upload cancelled in the meantime stays cancelled.
    if (!old || (old.state === 'cancelled' && change.state !== 'waiting')) return;
    const next = { ...old, ...change };
    for (const key of without) delete next[key];
    this.#items.set(id, next);
    if (next.state === 'done' || next.state === 'same' || next.state === 'skipped') this.#env.drop([id]);
    else if (next.state !== old.state || next.session !== old.session) this.#env.note(next);
    if (isOver(next)) {
      for (const resolve of this.#waiters.get(id) ?? []) resolve(next);
      this.#waiters.delete(id);
    }
    this.#changed();
  }

  #changed(): void {
    if (!this.#told) return;
    this.#told = false;
    this.#env.soon(() => {
      this.#told = true;
      const items = [...this.#items.values()];
      const fragile = this.#fragile && items.some((item) => !isOver(item));
      this.#state = { items, paused: this.#paused, trouble: this.#trouble, fragile };
      for (const observer of [...this.#observers]) observer();
    });
  }
}

/** Says so when an image has another name than the file. */
function asNamed(item: UploadItem, path: string, remark?: string): { message?: string } {
  const renamed = nameOf(item.path) === nameOf(path) ? undefined : `Stored as ${nameOf(path)}.`;
  const message = [renamed, remark].filter(Boolean).join(' ');
  return message === '' ? {} : { message };
}
