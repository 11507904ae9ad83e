import type { Assets } from '../core/layout/assets.ts';
import { layout as layCard } from '../core/layout/card.ts';
import { fitGroups } from '../core/layout/fit-groups.ts';
import { type GroupSizes, hasGroups } from '../core/layout/group-sizes.ts';
import type { Column, Row } from '../core/scene/card/row.ts';
import { type DisplayList, shownImage } from '../core/scene/display/display-list.ts';
import type { Layout } from '../core/scene/layout.ts';
import { findFace } from '../core/text/fonts/catalogue.ts';
import { type FaceReader, FontRegistry } from '../core/text/fonts/font-registry.ts';
import { type FontLists, FontLoader } from '../core/text/fonts/required-faces.ts';
import { BitmapCache, FILE_LIMITS } from './canvas/bitmap-cache.ts';
import { type CanvasOptions, type Context2D, paintCanvas, paintDrawing, paintOps } from './canvas/canvas.ts';
import { freeCanvas } from './canvas/free-canvas.ts';
import { type ImageReader, ImageRegistry } from './images/image-registry.ts';
import type { Rasterise } from './pdf/images/raster.ts';

export type PaintOptions = Omit<CanvasOptions, 'fonts' | 'images' | 'drawings' | 'cache'> & {
  /** For a file: cached bitmaps are painted for their exact position. */
  readonly forFile?: boolean;
};

/** Longer edge, in pixels, of a drawing rasterised as a mask. */
const MASK_EDGE_PX = 2_048;

function closeBitmap(bitmap: ImageBitmap | OffscreenCanvas | null | undefined): void {
  if (!bitmap) return;
  if ('close' in bitmap) bitmap.close();
  else freeCanvas(bitmap);
}

/**
 * Everything needed to show cards: fonts and images loaded as layouts ask for them, layout, and the
 * canvas painter. One context serves many layouts; the page has one, each worker has one.
 */
export class RenderContext {
  readonly fonts: FontRegistry;
  readonly images: ImageRegistry;
  readonly #fontLoader: FontLoader;
  readonly #shownFonts = new Set<string>();
  readonly #bitmaps = new Map<string, ImageBitmap | OffscreenCanvas | null>();
  readonly #cache = new BitmapCache();
  readonly #fileCache = new BitmapCache(FILE_LIMITS);

  /** @param fonts fonts already loaded; several contexts may share a registry */
  constructor(readFace: FaceReader, readImage: ImageReader, lists?: FontLists, fonts = new FontRegistry()) {
    this.fonts = fonts;
    this.#fontLoader = new FontLoader(fonts, readFace, lists);
    this.images = new ImageRegistry(readImage);
  }

  /** Loads the fonts that these rows need; call again when texts or families change. */
  async loadFonts(document: Layout, rows: readonly Row[]): Promise<void> {
    await this.#fontLoader.load(document, rows);
  }

  /** Lays a card out with what is loaded: at once, for every frame of a drag. */
  layOutNow(document: Layout, row: Row, columns: readonly Column[] = []): DisplayList {
    return layCard(document, row, this.assets(columns));
  }

  /** Lays a card out, loading the fonts and images it needs. */
  async layOut(document: Layout, row: Row, columns: readonly Column[] = []): Promise<DisplayList> {
    await this.loadFonts(document, [row]);
    const list = this.layOutNow(document, row, columns);
    return (await this.images.loadWanted()) ? this.layOutNow(document, row, columns) : list;
  }

  /** Lays a card out with what is loaded, and tells whether that was everything it needs. */
  tryLayOut(
    document: Layout,
    row: Row,
    columns: readonly Column[] = [],
  ): { readonly list: DisplayList; readonly complete: boolean } {
    const list = this.layOutNow(document, row, columns);
    return { list, complete: !this.images.wanting && this.#fontLoader.hasAll(document, [row]) };
  }

  /** One size for each text that all cards of a project share; see `fitGroups`. */
  async fitGroups(
    document: Layout,
    rows: readonly Row[],
    columns: readonly Column[] = [],
  ): Promise<GroupSizes> {
    if (!hasGroups(document)) return new Map();
    await this.loadFonts(document, rows);
    return fitGroups(document, rows, this.assets(columns));
  }

  assets(columns: readonly Column[]): Assets {
    return { fonts: this.fonts, images: this.images, columns };
  }

  /** Paints a list once its images are decoded. */
  async paint(ctx: Context2D, list: DisplayList, options: PaintOptions): Promise<void> {
    await this.decode(list);
    this.paintNow(ctx, list, options);
  }

  /** Paints a list at once, leaving out images that are not decoded yet. */
  paintNow(ctx: Context2D, list: DisplayList, options: PaintOptions): void {
    const cache = options.forFile ? this.#fileCache : this.#cache;
    paintCanvas(ctx, list, { ...options, cache, ...this.#materials() });
  }

  /** Decodes the images a list shows. */
  async decode(list: DisplayList): Promise<void> {
    const { images, faces } = this.#missing(list);
    await Promise.all(images.map((source) => this.#decode(source)));
    await Promise.all(faces.map((id) => this.#showFont(id)));
  }

  /** True if `paintNow` would leave nothing out. */
  canPaint(list: DisplayList): boolean {
    const { images, faces } = this.#missing(list);
    return images.length === 0 && faces.length === 0;
  }

  /** Images of a list that are not decoded, and its colour faces that the browser does not have. */
  #missing(list: DisplayList): { images: string[]; faces: string[] } {
    const images = new Set<string>();
    const faces = new Set<string>();
    for (const op of list.ops) {
      const shown = shownImage(op);
      if (shown !== undefined) {
        if (!this.images.drawing(shown)) images.add(shown);
      } else if (op.op === 'push' && op.mask) images.add(op.mask.image);
      else if (op.op === 'text') for (const { face } of op.runs) faces.add(face);
    }
    return {
      images: [...images].filter((source) => !this.#bitmaps.has(source)),
      faces: [...faces].filter((id) => findFace(id)?.colour && !this.#shownFonts.has(id)),
    };
  }

  /** Paints part of a list on a transparent background, for the PDF painter. */
  readonly rasterise: Rasterise = async (list, ops, matrix, width, height) => {
    await this.decode(list);
    const ctx = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    if (!ctx) throw new Error(`No canvas of ${width} by ${height} pixels for a picture in the PDF.`);
    paintOps(ctx, ops, matrix, this.#materials());
    const pixels = ctx.getImageData(0, 0, width, height);
    freeCanvas(ctx.canvas);
    return pixels;
  };

  #materials(): Pick<CanvasOptions, 'fonts' | 'images' | 'drawings'> {
    const images = new Map<string, CanvasImageSource>();
    for (const [source, bitmap] of this.#bitmaps) if (bitmap) images.set(source, bitmap);
    return { fonts: this.fonts, images, drawings: (source) => this.images.drawing(source) };
  }

  /** Registers a face of colour glyphs with the browser, which alone can paint them. */
  async #showFont(id: string): Promise<void> {
    const bytes = this.fonts.face(id)?.bytes;
    const shown = (globalThis as { fonts?: FontFaceSet }).fonts ?? document.fonts;
    if (!bytes || this.#shownFonts.has(id)) return;
    shown.add(await new FontFace(id, bytes.slice()).load());
    this.#shownFonts.add(id);
  }

  async #decode(source: string): Promise<void> {
    const drawing = this.images.drawing(source);
    if (drawing) {
      this.#bitmaps.set(source, paintDrawing(drawing, MASK_EDGE_PX, this.#materials()));
      return;
    }
    const bytes = this.images.bytes(source);
    if (!bytes) return;
    const bitmap = await createImageBitmap(new Blob([bytes.slice()])).catch(() => null);
    this.#bitmaps.set(source, bitmap);
  }

  /** Forgets an image, so that it is read again. */
  forgetImage(source: string): void {
    this.images.forget(source);
    closeBitmap(this.#bitmaps.get(source));
    this.#bitmaps.delete(source);
  }

  /** Frees the memory of decoded images. */
  release(): void {
    for (const bitmap of this.#bitmaps.values()) closeBitmap(bitmap);
    this.#bitmaps.clear();
    this.#cache.clear();
    this.#fileCache.clear();
  }
}
