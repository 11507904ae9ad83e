import { EMPTY_LIBRARY, type ImageLibrary, looksOf } from '../../core/images/library.ts';
import { fingerprint } from '../../core/imposition/job/fingerprint.ts';

/** Most pictures kept, all sizes together. */
const MAX_PAINTINGS = 400;

interface Kept {
  readonly painting: ImageBitmap;
  /** Fingerprint of each library image on it. */
  readonly looks: ReadonlyMap<string, string>;
}

/**
 * Pictures by what they were painted from: the contents of a layout, of a card's cells and of the
 * columns, and a width. A document that comes from the server again unchanged finds its pictures, as
 * long as the images it names are the same in the library.
 */
export class PaintingCache {
  /** Documents are not changed in place: each is fingerprinted once. */
  readonly #prints = new WeakMap<object, string>();
  readonly #paintings = new Map<string, Kept>();

  key(layout: object, cells: object, columns: object, width: number, square: boolean): string {
    return `${this.#print(layout)}:${this.#print(cells)}:${this.#print(columns)}:${width}:${square}`;
  }

  get(key: string, library: ImageLibrary = EMPTY_LIBRARY): ImageBitmap | undefined {
    const kept = this.#paintings.get(key);
    if (!kept) return undefined;
    // Used last, let go last.
    this.#paintings.delete(key);
    this.#paintings.set(key, kept);
    const same = [...kept.looks].every(([source, looks]) => looksOf(library.find(source)) === looks);
    return same ? kept.painting : undefined;
  }

  /**
   * Keeps a picture and answers it; the cache closes it when its time has come.
   * @param sources images that it names, found or not in `library`
   */
  set(
    key: string,
    painting: ImageBitmap,
    sources: readonly string[] = [],
    library: ImageLibrary = EMPTY_LIBRARY,
  ): ImageBitmap {
    const old = this.#paintings.get(key)?.painting;
    if (old !== painting) old?.close();
    const looks = new Map(sources.map((source) => [source, looksOf(library.find(source))]));
    this.#paintings.delete(key);
    this.#paintings.set(key, { painting, looks });
    for (const [oldest, kept] of this.#paintings) {
      if (this.#paintings.size <= MAX_PAINTINGS) break;
      this.#paintings.delete(oldest);
      kept.painting.close();
    }
    return painting;
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
export const paintings = new PaintingCache();
