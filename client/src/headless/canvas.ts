import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * A canvas for Node: Skia, which Chromium paints with too. The painters find it under the browser's names, so that the
 * same code paints images.
 */

/** The library as the build places it beside the program. */
export const PACKED_SKIA = 'skia.node.packed';

type Skia = typeof import('@napi-rs/canvas');

/** Loads the library from `folder`, or from the installed packages when it is not there. */
async function loadSkia(folder: string): Promise<Skia> {
  const packed = path.join(folder, PACKED_SKIA);
  if (!existsSync(packed)) return import('@napi-rs/canvas');
  const place = mkdtempSync(path.join(tmpdir(), 'tuckbox-skia-'));
  try {
    const file = path.join(place, 'skia.node');
    writeFileSync(file, brotliDecompressSync(readFileSync(packed)));
    process.env['NAPI_RS_NATIVE_LIBRARY_PATH'] = file;
    return await import('@napi-rs/canvas');
  } finally {
    // Once loaded, the library needs no file.
    rmSync(place, { recursive: true, force: true });
  }
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
