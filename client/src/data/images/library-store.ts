import { type DocumentReference, onSnapshot } from '@sdk/firestore';
import { useSyncExternalStore } from 'react';
import type { LibraryImage, LibraryKind } from '../../core/images/library.ts';
import { observeSession, sessionUser } from '../account/session.ts';
import { readDocument, type WithId } from '../documents/documents.ts';
import { type Unreadable, unreadable } from '../mend/unreadable.ts';
import { type ImagePlace, locationOf, projectOfPlace } from './library-location.ts';
import { type ImageDocument, imageSchema } from './schema.ts';

/** An image as its place knows it. */
export type StoredImage = WithId<ImageDocument> & { readonly shelf: LibraryKind; readonly place: ImagePlace };

/** Images of a place, as far as they are known. */
export interface LibraryState {
  /** By path. */
  readonly images: readonly StoredImage[];
  /** The server has answered. */
  readonly ready: boolean;
  readonly error: Error | null;
  /** Sentences about documents of an unknown shape; they are left out, never overwritten. */
  readonly unreadable: readonly Unreadable[];
}

const NOTHING: LibraryState = { images: [], ready: false, error: null, unreadable: [] };

/** Parsed document, reused while the document is the same. */
interface Known {
  readonly version: unknown;
  readonly image?: StoredImage;
  readonly problem?: Unreadable;
}

/**
 * The images of one place, live: painting, pages and uploads all look at them. Libraries stay live for as long as the page
 * is, projects for as long as somebody looks.
 */
class LibraryStore {
  readonly #place: ImagePlace;
  readonly #observers = new Set<() => void>();
  #state = NOTHING;
  #uid: string | undefined;
  #stop: (() => void) | undefined;
  #known = new Map<string, Known>();

  constructor(place: ImagePlace) {
    this.#place = place;
  }

  readonly snapshot = (): LibraryState => this.#state;

  readonly subscribe = (callback: () => void): (() => void) => {
    this.#observers.add(callback);
    this.start();
    return () => this.#leave(callback);
  };

  #leave(callback: () => void): void {
    this.#observers.delete(callback);
    if (this.#observers.size > 0 || projectOfPlace(this.#place) === undefined) return;
    this.#stop?.();
    this.#stop = undefined;
    this.#state = NOTHING;
  }

  /** Begins to listen; who signs in or out changes what to. */
  start(): void {
    const uid = sessionUser()?.uid;
    if (this.#stop && this.#uid === uid && !this.#state.error) return;
    this.#stop?.();
    this.#stop = undefined;
    this.#uid = uid;
    this.#known = new Map();
    if (uid === undefined) {
      this.#set({ ...NOTHING, ready: true });
      return;
    }
    this.#set({ ...NOTHING, images: this.#state.images });
    this.#stop = onSnapshot(
      locationOf(this.#place).images(),
      (snapshot) => this.#take(snapshot.docs),
      (error) => this.#set({ ...this.#state, error }),
    );
  }

  /** Resolves with what the server first answers; rejects when it refuses. */
  async first(): Promise<LibraryState> {
    this.start();
    return new Promise((resolve, reject) => {
      const look = (): boolean => {
        if (this.#state.ready) resolve(this.#state);
        else if (this.#state.error) reject(this.#state.error);
        else return false;
        return true;
      };
      if (look()) return;
      const observer = () => {
        if (look()) this.#leave(observer);
      };
      this.#observers.add(observer);
    });
  }

  #take(docs: readonly { readonly id: string; readonly ref: DocumentReference; data(): unknown }[]) {
    const next = new Map<string, Known>();
    for (const doc of docs) {
      const old = this.#known.get(doc.id);
      next.set(doc.id, old && old.version === doc ? old : { version: doc, ...this.#read(doc) });
    }
    this.#known = next;
    const entries = [...next.values()];
    const images = entries.flatMap(({ image }) => (image ? [image] : []));
    images.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    const problems = entries.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
    this.#set({ images, ready: true, error: null, unreadable: problems });
  }

  #read(doc: { readonly id: string; readonly ref: DocumentReference; data(): unknown }) {
    try {
      const image = readDocument(imageSchema, doc.ref.path, doc.data());
      return { image: { ...image, id: doc.id, shelf: locationOf(this.#place).kind, place: this.#place } };
    } catch (error) {
      return { problem: unreadable(error, doc.ref, doc.data(), imageSchema) };
    }
  }

  #set(state: LibraryState): void {
    this.#state = state;
    for (const observer of [...this.#observers]) observer();
  }
}

const stores = new Map<ImagePlace, LibraryStore>();
observeSession(() => {
  for (const store of stores.values()) if (store.snapshot() !== NOTHING) store.start();
});

/** The images of a place. */
export function libraryStore(place: ImagePlace): LibraryStore {
  let store = stores.get(place);
  if (!store) {
    store = new LibraryStore(place);
    stores.set(place, store);
  }
  return store;
}

/** The user's own images, and those for everybody where they can be had. */
export async function readLibraries(): Promise<readonly StoredImage[]> {
  const [own, stock] = await Promise.all([
    libraryStore('image').first(),
    libraryStore('stock')
      .first()
      .catch(() => NOTHING),
  ]);
  return [...own.images, ...stock.images];
}

/** The images of a place, kept up to date. */
export function useImageLibrary(place: ImagePlace): LibraryState {
  const { subscribe, snapshot } = libraryStore(place);
  return useSyncExternalStore(subscribe, snapshot);
}

/** Fields of an image that painting needs. */
export function toLibraryImage({
  id,
  shelf,
  path,
  former,
  url,
  crop,
  focus,
}: ImageDocument & { readonly id: string; readonly shelf: LibraryKind }): LibraryImage {
  return { id, shelf, path, former, url, crop, focus };
}
