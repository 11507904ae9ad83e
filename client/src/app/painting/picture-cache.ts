/** Most pictures kept, all sizes together. */
const MAX_PICTURES = 400;

/**
 * Pictures by the objects they were painted from: a layout, a card's cells, a width. Documents that
 * did not change keep their identity, so identity is the key, and nothing has to be compared.
 */
export class PictureCache {
  readonly #ids = new WeakMap<object, number>();
  #nextId = 1;
  readonly #pictures = new Map<string, ImageBitmap>();

  key(layout: object, cells: object, columns: object, width: number, square: boolean): string {
    return `${this.#id(layout)}:${this.#id(cells)}:${this.#id(columns)}:${width}:${square}`;
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

  set(key: string, picture: ImageBitmap): void {
    this.#pictures.get(key)?.close();
    this.#pictures.set(key, picture);
    for (const [oldest, bitmap] of this.#pictures) {
      if (this.#pictures.size <= MAX_PICTURES) break;
      this.#pictures.delete(oldest);
      bitmap.close();
    }
  }

  #id(object: object): number {
    let id = this.#ids.get(object);
    if (id === undefined) {
      id = this.#nextId++;
      this.#ids.set(object, id);
    }
    return id;
  }
}

/** The page's pictures. */
export const pictures = new PictureCache();
