import { createStore, del, promisifyRequest, set, type UseStore } from 'idb-keyval';
import { ImageLibrary, type LibraryImage, referenceTo } from '../../core/images/library.ts';
import { freePath } from '../../core/images/path.ts';
import { renameInScene, sourcesInScene } from '../../core/images/sources.ts';
import type { Layout } from '../../core/scene/layout.ts';
import type { Prepared } from '../images/upload/upload-item.ts';

/**
 * Pictures for the boards that are drawn without an account. They lie in this browser alone, beside its drafts, and any
 * of its boards may show them.
 */

/** Bytes of all pictures of one browser: more would crowd out what other pages keep in it. */
export const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
/** Most pictures of one browser. */
export const MAX_PICTURES = 300;

/** A picture as the browser keeps it. */
export interface Picture {
  readonly id: string;
  /** Folders and name, as in a library. */
  readonly path: string;
  readonly blob: Blob;
  /** SHA-256 of the file as it was given. */
  readonly hash: string;
  /** Size in pixels. */
  readonly w: number;
  readonly h: number;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
}

let opened: UseStore | undefined;
const pictureStore = () => {
  opened ??= createStore('tuckbox-board-pictures', 'pictures');
  return opened;
};

const CHANNEL = 'tuckbox-board-pictures';

/** Tells all tabs, this one among them. */
function tell(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
}

/** Calls back whenever pictures are kept or deleted, in this tab or another. */
export function onPictures(callback: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = callback;
  return () => channel.close();
}

/** The pictures of this browser, last kept first. */
export async function listPictures(): Promise<Picture[]> {
  const all = await pictureStore()('readonly', (kept) => promisifyRequest<Picture[]>(kept.getAll()));
  return all.sort((one, other) => other.addedAt - one.addedAt);
}

export const bytesOf = (pictures: readonly Pick<Picture, 'blob'>[]): number =>
  pictures.reduce((sum, { blob }) => sum + blob.size, 0);

const megabytes = (bytes: number): string =>
  `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

/** Why there is no room for one more picture; undefined where there is. */
function lackOfRoom(kept: readonly Picture[], bytes: number): string | undefined {
  const remedy = 'Delete pictures here, or save a board to a project: projects have room of their own.';
  if (kept.length >= MAX_PICTURES) return `This browser keeps ${MAX_PICTURES} pictures. ${remedy}`;
  const taken = bytesOf(kept);
  if (taken + bytes <= MAX_PICTURE_BYTES) return undefined;
  return `Boards without an account have room for ${megabytes(MAX_PICTURE_BYTES)} of pictures: ${megabytes(taken)} are taken, and this one has ${megabytes(bytes)}. ${remedy}`;
}

/**
 * Keeps a picture; one that is there already is answered as it is.
 * @throws Error in words when there is no room
 */
export async function addPicture(
  path: string,
  { blob, hash, w, h }: Pick<Prepared, 'blob' | 'hash' | 'w' | 'h'>,
  newId = (): string => crypto.randomUUID(),
  now = Date.now,
): Promise<Picture> {
  const id = newId();
  let answer: Picture | Error | undefined;
  // One transaction: two tabs together do not pass the limit.
  await pictureStore()('readwrite', (kept) => {
    const all: IDBRequest<Picture[]> = kept.getAll();
    all.onsuccess = () => {
      const twin = all.result.find((one) => one.hash === hash);
      const lack = twin ? undefined : lackOfRoom(all.result, blob.size);
      if (twin) answer = twin;
      else if (lack !== undefined) answer = new Error(lack);
      else {
        const taken = new Set(all.result.map((one) => one.path.toLowerCase()));
        const free = freePath(path, (one) => taken.has(one.toLowerCase()));
        answer = { id, path: free, blob, hash, w, h, addedAt: now() };
        kept.put(answer, id);
      }
    };
    return promisifyRequest(kept.transaction);
  });
  if (answer instanceof Error) throw answer;
  if (!answer) throw new Error('The picture could not be kept in this browser.');
  tell();
  return answer;
}

/** Deletes a picture; boards that show it have a frame with its name instead. */
export async function deletePicture(id: string): Promise<void> {
  await del(id, pictureStore());
  tell();
}

/** Puts a deleted picture back. */
export async function restorePicture(picture: Picture): Promise<void> {
  await set(picture.id, picture, pictureStore());
  tell();
}

/** Addresses of the pictures in this page. They hold until it is left: painters may ask for one again at any time. */
const addresses = new Map<string, string>();

/** A picture as painters know images. Names of a board mean its browser's pictures first. */
export function asLibraryImage({ id, path, blob }: Picture): LibraryImage {
  const url = addresses.get(id) ?? URL.createObjectURL(blob);
  addresses.set(id, url);
  return { id, shelf: 'image', path, former: [], url, rank: -1 };
}

/** The pictures of this browser that a board shows, each once, in the order in which the board names them. */
export function picturesOf(scene: Layout, pictures: readonly Picture[]): Picture[] {
  const library = new ImageLibrary(pictures.map(asLibraryImage));
  const known = new Map(pictures.map((picture) => [picture.id, picture]));
  const shown = sourcesInScene(scene).flatMap((source) => known.get(library.find(source)?.id ?? '') ?? []);
  return [...new Set(shown)];
}

/** A board whose pictures of this browser are images elsewhere. @param images theirs, by the pictures' ids */
export function withImages(
  scene: Layout,
  pictures: readonly Picture[],
  images: ReadonlyMap<string, string>,
): Layout {
  const library = new ImageLibrary(pictures.map(asLibraryImage));
  return renameInScene(scene, (source) => {
    const picture = library.find(source);
    const id = picture && images.get(picture.id);
    return id === undefined ? undefined : referenceTo({ shelf: 'image', id, path: picture?.path ?? '' });
  });
}
