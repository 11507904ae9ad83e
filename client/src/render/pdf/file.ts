import { PDFDocument, PDFHexString, PDFName, PDFRawStream, type PDFRef } from '@cantoo/pdf-lib';
import type { DisplayList } from '../../core/scene/display-list.ts';
import type { Drawing } from '../../core/svg/drawing.ts';
import type { FontRegistry } from '../../core/text/font-registry.ts';
import { cardForm } from './card-form.ts';
import { FontEmbedder } from './fonts.ts';
import { embedImage, type ToPng } from './images.ts';
import { type RasterCache, type Rasterise, rasterImages } from './raster.ts';
import { Resources } from './resources.ts';
import type { Subsetter } from './subset.ts';

/** Dependencies of making a PDF. */
export interface FileTools {
  readonly fonts: FontRegistry;
  readonly subsetter: Subsetter;
  /** Bytes of an image by its source; undefined when the library does not have it. */
  readonly imageBytes: (source: string) => Promise<Uint8Array | undefined>;
  /** The paths of an image that is a drawing. */
  readonly drawing?: (source: string) => Drawing | undefined;
  readonly toPng?: ToPng;
  /** Paints groups that vectors cannot express as images; without it such groups lose the effect. */
  readonly rasterise?: Rasterise;
}

export interface FileInfo {
  readonly title: string;
  /** Creation date written into the file; the caller's clock. */
  readonly created: Date;
}

/** Overhead of an object in bytes: its number, the words around it and its place in the table. */
const OBJECT_BYTES = 40;

/** A PDF under construction: forms, images and fonts, each embedded once. */
export class PdfFile {
  readonly document: PDFDocument;
  readonly resources: Resources;
  readonly #embedder: FontEmbedder;
  readonly #tools: FileTools;
  readonly #rasterDpi: number;
  readonly #images = new Map<string, PDFRef>();
  readonly #forms = new Map<string, PDFRef>();
  readonly #rasters: RasterCache = new Map();
  readonly #bookmarks: { readonly title: string; readonly page: PDFRef }[] = [];
  #counted = 0;
  #bytes = 0;

  private constructor(document: PDFDocument, tools: FileTools, rasterDpi: number) {
    this.#rasterDpi = rasterDpi;
    this.document = document;
    this.resources = new Resources(document.context);
    this.#embedder = new FontEmbedder(tools.fonts, this.resources);
    this.#tools = tools;
  }

  /** @param rasterDpi dots per inch of effects that become images */
  static async create(tools: FileTools, rasterDpi: number): Promise<PdfFile> {
    return new PdfFile(await PDFDocument.create(), tools, rasterDpi);
  }

  form(key: string): PDFRef | undefined {
    return this.#forms.get(key);
  }

  /**
   * Paints a card into the file.
   * @param bleed millimetres shown around the trim
   * @throws Error naming an image or font that cannot be embedded
   */
  async addForm(key: string, list: DisplayList, bleed: number): Promise<PDFRef> {
    await this.#embedImages(list);
    const { fonts, rasterise } = this.#tools;
    const shown = { x: -bleed, y: -bleed, w: list.w + 2 * bleed, h: list.h + 2 * bleed };
    const { context } = this.document;
    const rasters =
      rasterise && (await rasterImages(list, shown, rasterise, context, this.#rasters, this.#rasterDpi));
    const tools = {
      resources: this.resources,
      embedder: this.#embedder,
      fonts,
      images: this.#images,
      drawings: this.#tools.drawing,
    };
    const form = cardForm(list, { ...tools, ...(rasters && { rasters }) }, bleed);
    this.#forms.set(key, form);
    return form;
  }

  async #embedImages(list: DisplayList): Promise<void> {
    for (const op of list.ops) {
      if (op.op !== 'image' || this.#images.has(op.image) || this.#tools.drawing?.(op.image)) continue;
      const bytes = await this.#tools.imageBytes(op.image);
      if (!bytes) continue;
      const ref = await embedImage(this.document.context, op.image, bytes, this.#tools.toPng);
      this.#images.set(op.image, ref);
    }
  }

  bookmark(title: string, page: PDFRef): void {
    this.#bookmarks.push({ title, page });
  }

  /** Bytes of everything but fonts and lists so far: a lower bound of the file's size. */
  size(): number {
    const objects = this.document.context.enumerateIndirectObjects();
    for (; this.#counted < objects.length; this.#counted++) {
      const object = objects[this.#counted]?.[1];
      if (object instanceof PDFRawStream) this.#bytes += object.sizeInBytes() + OBJECT_BYTES;
    }
    return this.#bytes;
  }

  async finish(info: FileInfo): Promise<Uint8Array> {
    this.#embedder.finish(this.#tools.subsetter);
    this.#outline();
    const { document } = this;
    document.setTitle(info.title);
    document.setProducer('Tuckbox');
    document.setCreator('Tuckbox');
    document.setCreationDate(info.created);
    document.setModificationDate(info.created);
    // Cards must print at their size: viewers should not offer to shrink the page.
    document.catalog.set(PDFName.of('ViewerPreferences'), document.context.obj({ PrintScaling: 'None' }));
    // The library would wait for a timer after every few objects.
    const objectsPerTick = Number.POSITIVE_INFINITY;
    return document.save({ useObjectStreams: true, addDefaultPage: false, objectsPerTick });
  }

  #outline(): void {
    if (this.#bookmarks.length === 0) return;
    const { context, catalog } = this.document;
    const root = context.nextRef();
    const refs = this.#bookmarks.map(() => context.nextRef());
    for (const [index, { title, page }] of this.#bookmarks.entries()) {
      const item = context.obj({ Parent: root, Dest: [page, 'Fit'] });
      item.set(PDFName.of('Title'), PDFHexString.fromText(title));
      const [previous, next] = [refs[index - 1], refs[index + 1]];
      if (previous) item.set(PDFName.of('Prev'), previous);
      if (next) item.set(PDFName.of('Next'), next);
      context.assign(refs[index] as PDFRef, item);
    }
    const [first, last] = [refs[0] as PDFRef, refs.at(-1) as PDFRef];
    context.assign(root, context.obj({ Type: 'Outlines', First: first, Last: last, Count: refs.length }));
    catalog.set(PDFName.of('Outlines'), root);
    if (refs.length > 1) catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'));
  }
}
