import type { ImageSize, ImageSizes } from '../core/layout/assets.ts';
import { imageSize } from './image-size.ts';

/** An image as it was brought: its bytes, and how much of it is shown. */
export interface ReadImage extends Pick<ImageSize, 'crop' | 'focus'> {
  readonly bytes: Uint8Array;
}

/** Brings an image by its source; undefined when the library does not have it. */
export type ImageReader = (source: string) => Promise<ReadImage | Uint8Array | undefined>;

interface Page {
  readonly bytes: Uint8Array;
  readonly size: ImageSize;
}

/**
 * Images by the source that zones name. Layout asks for sizes and may not wait; what it asked for
 * in vain is noted and brought by `loadWanted`, after which the card is laid out again.
 */
export class ImageBook implements ImageSizes {
  readonly #read: ImageReader;
  readonly #pages = new Map<string, Page | null>();
  readonly #wanted = new Set<string>();
  #asked = new Set<string>();

  constructor(read: ImageReader) {
    this.#read = read;
  }

  size(source: string): ImageSize | undefined {
    this.#asked.add(source);
    const page = this.#pages.get(source);
    if (page === undefined) this.#wanted.add(source);
    return page?.size;
  }

  bytes(source: string): Uint8Array | undefined {
    return this.#pages.get(source)?.bytes;
  }

  /** Whether something was asked for that has not been looked for yet. */
  get wanting(): boolean {
    return this.#wanted.size > 0;
  }

  /**
   * Loads what was asked for in vain.
   * @returns whether anything new arrived; an image that is missing or no image is not asked for again
   */
  async loadWanted(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const arrived = await Promise.all(wanted.map((source) => this.#load(source)));
    return arrived.includes(true);
  }

  /** Every source that was asked for and not forgotten. */
  sources(): string[] {
    return [...this.#pages.keys()];
  }

  /** The sources asked for since this was called last. */
  takeAsked(): string[] {
    const asked = [...this.#asked];
    this.#asked = new Set();
    return asked;
  }

  /** Forgets an image (or every one), so that a changed library is read again. */
  forget(source?: string): void {
    if (source === undefined) this.#pages.clear();
    else this.#pages.delete(source);
  }

  async #load(source: string): Promise<boolean> {
    const read = await this.#read(source).catch(() => undefined);
    const { bytes, crop, focus }: Partial<ReadImage> =
      read instanceof Uint8Array ? { bytes: read } : (read ?? {});
    const size = bytes ? imageSize(bytes) : undefined;
    this.#pages.set(source, bytes && size ? { bytes, size: { ...size, crop, focus } } : null);
    return size !== undefined;
  }
}
