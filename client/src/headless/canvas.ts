import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * A canvas for Node: Skia, which Chromium paints with too. The painters find it under the browser's names, so that the
 * same code paints images.
 */

/** The library beside the program: the server unpacks it there. */
const SKIA = 'skia.node';

type Skia = typeof import('@napi-rs/canvas');

/** Loads the library from `folder`, or from the installed packages when it is not there. */
async function loadSkia(folder: string): Promise<Skia> {
  const file = path.join(folder, SKIA);
  if (existsSync(file)) process.env['NAPI_RS_NATIVE_LIBRARY_PATH'] = file;
  return import('@napi-rs/canvas');
}

/**
 * Installs the canvas globally.
 * @returns the reason why this kind of machine has none, if so
 */
export async function installCanvas(folder: string): Promise<string | undefined> {
  try {
    install(await loadSkia(folder));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function install({ createCanvas, GlobalFonts, loadImage, Path2D }: Skia): void {
  class Canvas {
    constructor(width: number, height: number) {
      // biome-ignore lint/correctness/noConstructorReturn: what `new OffscreenCanvas` answers must be Skia's own
      return createCanvas(width, height) as unknown as Canvas;
    }
  }
  class Face {
    readonly family: string;
    readonly #bytes: Uint8Array;
    constructor(family: string, bytes: Uint8Array) {
      this.family = family;
      this.#bytes = bytes;
    }
    async load(): Promise<this> {
      GlobalFonts.register(Buffer.from(this.#bytes), this.family);
      return this;
    }
  }
  Object.assign(globalThis, {
    OffscreenCanvas: Canvas,
    Path2D,
    FontFace: Face,
    // Loading a font registers it.
    fonts: { add: () => undefined },
    createImageBitmap: async (blob: Blob) =>
      Object.assign(await loadImage(Buffer.from(await blob.arrayBuffer())), { close: () => undefined }),
  });
}
