import { fingerprint } from '../../core/imposition/fingerprint.ts';

/** Most pictures kept, all sizes together. */
const MAX_PICTURES = 400;

/**
 * Pictures by what they were painted from: the contents of a layout, of a card's cells and of the
 * columns, and a width. A document that comes from the server again unchanged finds its pictures.
 */
export class PictureCache {
  /** Documents are not changed in place: each is fingerprinted once. */
  readonly #prints = new WeakMap<object, string>();
  readonly #pictures = new Map<string, ImageBitmap>();

  key(layout: object, cells: object, columns: object, width: number, square: boolean): string {
    return `${this.#print(layout)}:${this.#print(cells)}:${this.#print(columns)}:${width}:${square}`;
  }

  get(key: string): ImageBitmap | undefined {
    const picture = this.#pictures.get(key);
    if (picture) {
      // Used last, let go last.
      this.#pictures.delete(key);
      this.#pictures.set(key, picture);
    }
    return picture;
  }

  /** Keeps a picture and answers it; the cache closes it when its time has come. */
  set(key: string, picture: ImageBitmap): ImageBitmap {
    const old = this.#pictures.get(key);
    if (old !== picture) old?.close();
    this.#pictures.delete(key);
    this.#pictures.set(key, picture);
    for (const [oldest, bitmap] of this.#pictures) {
      if (this.#pictures.size <= MAX_PICTURES) break;
      this.#pictures.delete(oldest);
      bitmap.close();
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
