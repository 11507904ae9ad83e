import { EMPTY_LIBRARY, type ImageLibrary, looksOf } from '../../core/images/library.ts';
import { fingerprint } from '../../core/imposition/fingerprint.ts';

/** Most pictures kept, all sizes together. */
const MAX_PICTURES = 400;

interface Kept {
  readonly picture: ImageBitmap;
  /** Fingerprint of each library image on it. */
  readonly looks: ReadonlyMap<string, string>;
}

/**
 * Pictures by what they were painted from: the contents of a layout, of a card's cells and of the
 * columns, and a width. A document that comes from the server again unchanged finds its pictures, as
 * long as the images it names are the same in the library.
 */
export class PictureCache {
  /** Documents are not changed in place: each is fingerprinted once. */
  readonly #prints = new WeakMap<object, string>();
  readonly #pictures = new Map<string, Kept>();

  key(layout: object, cells: object, columns: object, width: number, square: boolean): string {
    return `${this.#print(layout)}:${this.#print(cells)}:${this.#print(columns)}:${width}:${square}`;
  }

  get(key: string, library: ImageLibrary = EMPTY_LIBRARY): ImageBitmap | undefined {
    const kept = this.#pictures.get(key);
    if (!kept) return undefined;
    // Used last, let go last.
    this.#pictures.delete(key);
    this.#pictures.set(key, kept);
    const same = [...kept.looks].every(([source, looks]) => looksOf(library.find(source)) === looks);
    return same ? kept.picture : undefined;
  }

  /**
   * Keeps a picture and answers it; the cache closes it when its time has come.
   * @param sources images that it names, found or not in `library`
   */
  set(
    key: string,
    picture: ImageBitmap,
    sources: readonly string[] = [],
    library: ImageLibrary = EMPTY_LIBRARY,
  ): ImageBitmap {
    const old = this.#pictures.get(key)?.picture;
    if (old !== picture) old?.close();
    const looks = new Map(sources.map((source) => [source, looksOf(library.find(source))]));
    this.#pictures.delete(key);
    this.#pictures.set(key, { picture, looks });
    for (const [oldest, kept] of this.#pictures) {
      if (this.#pictures.size <= MAX_PICTURES) break;
      this.#pictures.delete(oldest);
      kept.picture.close();
    }
    return picture;
  }

  #print(object: object): string {
    let print = this.#prints.get(object);
    if (print === undefined) {
      print = fingerprint(JSON.stringify(object));
      this.#prints.set(object, print);
    }
    return print;
  }
}

/** The page's pictures. */
export const pictures = new PictureCache();
