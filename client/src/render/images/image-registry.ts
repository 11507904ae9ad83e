import { MAX_IMAGE_PIXELS } from '../../core/images/limits.ts';
import type { ImageSize, ImageSizes } from '../../core/layout/assets.ts';
import { type Drawing, MAX_SVG_BYTES, NotVector } from '../../core/svg/drawing.ts';
import { decodeSvg, isSvg } from '../../core/svg/is-svg.ts';
import { imageSize } from './image-size.ts';

/** An image as read: its bytes, and the part of it that is shown. */
export interface ReadImage extends Pick<ImageSize, 'crop' | 'focus'> {
  readonly bytes: Uint8Array;
}

/** An existing image that is not shown. The message goes on after the image's name: “lies on another server: …”. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';
}

/**
 * Reads an image by its source; undefined when the library does not have it.
 * @throws ImageRefused when it may not be shown
 */
export type ImageReader = (source: string) => Promise<ReadImage | Uint8Array | undefined>;

interface Entry {
  readonly bytes: Uint8Array;
  readonly size: ImageSize;
  readonly drawing?: Drawing;
}

/**
 * Images by the source that zones name. Layout asks for sizes and cannot wait; a missing one is noted and loaded by
 * `loadWanted`, after which the card is laid out again.
 */
export class ImageRegistry implements ImageSizes {
  readonly #read: ImageReader;
  readonly #entries = new Map<string, Entry | null>();
  readonly #refusals = new Map<string, string>();
  readonly #wanted = new Set<string>();
  #asked = new Set<string>();

  constructor(read: ImageReader) {
    this.#read = read;
  }

  size(source: string): ImageSize | undefined {
    this.#asked.add(source);
    const entry = this.#entries.get(source);
    if (entry === undefined) this.#wanted.add(source);
    return entry?.size;
  }

  refusal(source: string): string | undefined {
    return this.#refusals.get(source);
  }

  bytes(source: string): Uint8Array | undefined {
    return this.#entries.get(source)?.bytes;
  }

  /** The paths of an image that is a drawing. */
  drawing(source: string): Drawing | undefined {
    return this.#entries.get(source)?.drawing;
  }

  /** True if some requested source has not been read yet. */
  get wanting(): boolean {
    return this.#wanted.size > 0;
  }

  /**
   * Loads the sources noted as missing.
   * @returns whether cards look different now; an image that is missing or invalid is not requested again
   */
  async loadWanted(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const arrived = await Promise.all(wanted.map((source) => this.#load(source)));
    return arrived.includes(true);
  }

  /** Every source requested and not forgotten since. */
  sources(): string[] {
    return [...this.#entries.keys()];
  }

  /** The sources requested since the last call. */
  takeAsked(): string[] {
    const asked = [...this.#asked];
    this.#asked = new Set();
    return asked;
  }

  /** Forgets an image (or all of them), so that it is read again. */
  forget(source?: string): void {
    if (source === undefined) this.#entries.clear();
    else this.#entries.delete(source);
  }

  async #load(source: string): Promise<boolean> {
    this.#refusals.delete(source);
    const entry = await this.#readEntry(source).catch((error: unknown) => {
      if (error instanceof ImageRefused) this.#refusals.set(source, error.message);
      return null;
    });
    this.#entries.set(source, entry);
    return entry !== null || this.#refusals.has(source);
  }

  async #readEntry(source: string): Promise<Entry | null> {
    const read = await this.#read(source);
    const { bytes, crop, focus }: Partial<ReadImage> =
      read instanceof Uint8Array ? { bytes: read } : (read ?? {});
    if (bytes && isSvg(bytes)) {
      const drawing = await readVector(bytes);
      return { bytes, drawing, size: { w: drawing.w, h: drawing.h, vector: true, crop, focus } };
    }
    // The file's header gives its size in pixels; nothing is decoded before that is known.
    const size = bytes ? imageSize(bytes) : undefined;
    if (!bytes || !size) return null;
    if (size.w * size.h > MAX_IMAGE_PIXELS) {
      throw new ImageRefused(
        `has ${size.w} × ${size.h} pixels; the most is ${MAX_IMAGE_PIXELS / 1e6} megapixels. Save it smaller.`,
      );
    }
    return { bytes, size: { ...size, crop, focus } };
  }
}

/**
 * The paths of an SVG. Its reader is loaded on first use.
 * @throws ImageRefused with the reason and the remedy
 */
async function readVector(bytes: Uint8Array): Promise<Drawing> {
  if (bytes.length > MAX_SVG_BYTES) {
    throw new ImageRefused(
      `has more than ${MAX_SVG_BYTES / 1024 / 1024} MB. Simplify its paths, or save it as PNG.`,
    );
  }
  const { readDrawing } = await import('../../core/svg/read.ts');
  try {
    return readDrawing(decodeSvg(bytes));
  } catch (error) {
    if (!(error instanceof NotVector)) throw error;
    throw new ImageRefused(`${error.message}. Change the drawing, or save it as PNG.`);
  }
}
