import { nameOf, stemOf } from './path.ts';

/** A rectangle in shares of an image, 0 to 1. */
export interface CropShare {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A point in shares of an image, 0 to 1. */
export interface FocusPoint {
  readonly x: number;
  readonly y: number;
}

/** The library an image is in: the user's (`image`) or the one that all users share (`stock`). */
export type LibraryKind = 'image' | 'stock';

/** An image of a library, as painting needs it. */
export interface LibraryImage {
  readonly id: string;
  readonly shelf: LibraryKind;
  /** Folders and name, such as `Monsters/dragon.png`. */
  readonly path: string;
  /** Former paths, newest first: sheets may still use them. */
  readonly former: readonly string[];
  /** Address of its bytes; changed bytes have a new address. */
  readonly url: string;
  /** The part of it that is shown; all of it when missing. */
  readonly crop?: CropShare | undefined;
  /** Point that stays in view when a box crops the image; the middle when missing. */
  readonly focus?: FocusPoint | undefined;
  /** Priority among images that a name may mean: lower ranks win; 0 when missing. */
  readonly rank?: number | undefined;
}

const REFERENCE = /^(image|stock):([\w-]{1,128})(?:\/(.*))?$/s;

/**
 * The text that a zone or a cell stores for an image that was picked: its id, which survives renaming and moving, and
 * its path at that time, for people who read it and for libraries without that id.
 */
export function referenceTo({ shelf, id, path }: Pick<LibraryImage, 'shelf' | 'id' | 'path'>): string {
  return `${shelf}:${id}/${path}`;
}

export interface ImageReference {
  readonly shelf: LibraryKind;
  readonly id: string;
  /** Path when it was picked; may be empty. */
  readonly path: string;
}

/** Reads a stored reference; undefined for names and addresses. */
export function readReference(source: string): ImageReference | undefined {
  const [, shelf, id, path = ''] = REFERENCE.exec(source.trim()) ?? [];
  return shelf !== undefined && id !== undefined ? { shelf: shelf as LibraryKind, id, path } : undefined;
}

/** True if a source is an image's address rather than a name in a library. */
export const isAddress = (source: string): boolean => /^(?:data:image\/|blob:|https?:\/\/|\/)/i.test(source);

type Names = Map<string, LibraryImage>;

/** Identity of an image's appearance: when it changes, cards that show the image are painted again. */
export const looksOf = (image: LibraryImage | undefined): string =>
  image ? JSON.stringify([image.url, image.crop, image.focus]) : '';

/**
 * Finds the image that a source names: a reference by its id, else by its path; any other text by path, by name in any
 * folder, by name without ending; each first exactly, then in any case. The user's own images come before the shared
 * ones, outer folders before inner ones. A former path counts as the present one, so that a text keeps its meaning when
 * the image is renamed or moved; only an image that has exactly that path now takes precedence.
 */
export class ImageLibrary {
  readonly images: readonly LibraryImage[];
  readonly #ids = new Map<string, LibraryImage>();
  /** One index for each way of finding, in the order in which they are tried. */
  readonly #ways: readonly { readonly key: (text: string) => string; readonly names: Names }[];

  constructor(images: readonly LibraryImage[]) {
    this.images = images;
    const same = (text: string) => text;
    const lower = (text: string) => text.toLowerCase();
    const way = (key: (text: string) => string) => ({ key, names: new Map<string, LibraryImage>() });
    const [paths, names, stems, anyPaths, anyNames, anyStems] = [
      way(same),
      way(same),
      way(same),
      way(lower),
      way(lower),
      way(lower),
    ];
    this.#ways = [paths, names, stems, anyPaths, anyNames, anyStems];
    const ordered = images
      .flatMap((image) => [image.path, ...image.former].map((path, age) => ({ image, path, age })))
      .sort(
        ({ image: a, ...one }, { image: b, ...other }) =>
          (a.rank ?? 0) - (b.rank ?? 0) ||
          Number(a.shelf === 'stock') - Number(b.shelf === 'stock') ||
          depth(one.path) - depth(other.path) ||
          compare(one.path, other.path) ||
          one.age - other.age ||
          // Archives keep paths but not ids.
          compare(a.path, b.path) ||
          compare(a.id, b.id),
      );
    for (const { image, path } of ordered) {
      // Copies keep the id of what they are of.
      const reference = `${image.shelf}:${image.id}`;
      if (!this.#ids.has(reference)) this.#ids.set(reference, image);
      for (const [{ key, names: known }, text] of [
        [paths, path],
        [names, nameOf(path)],
        [stems, stemOf(path)],
        [anyPaths, path],
        [anyNames, nameOf(path)],
        [anyStems, stemOf(path)],
      ] as const) {
        if (!known.has(key(text))) known.set(key(text), image);
      }
    }
  }

  /** The image that a zone or cell means; undefined for addresses and for unknown images. */
  find(source: string): LibraryImage | undefined {
    const text = source.trim();
    if (text === '' || isAddress(text)) return undefined;
    const reference = readReference(text);
    if (reference) {
      return (
        this.#ids.get(`${reference.shelf}:${reference.id}`) ??
        (reference.path === '' ? undefined : this.#named(reference.path))
      );
    }
    return this.#named(text);
  }

  #named(text: string): LibraryImage | undefined {
    const name = text.normalize('NFC').replace(/^\.?\/+/, '');
    for (const { key, names } of this.#ways) {
      const found = names.get(key(name));
      if (found) return found;
    }
    return undefined;
  }
}

const depth = (path: string): number => path.split('/').length;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const EMPTY_LIBRARY = new ImageLibrary([]);

/** Name of an image for people: its present path, else the source's own text. */
export function shownName(source: string, library: ImageLibrary): string {
  const found = library.find(source);
  if (found) return found.path;
  const reference = readReference(source);
  return reference ? reference.path || 'A deleted image' : source;
}
