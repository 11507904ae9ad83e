import { PDFDocument, PDFName, PDFRawStream, type PDFRef } from '@cantoo/pdf-lib';
import { type DisplayList, shownImage } from '../../core/scene/display/display-list.ts';
import type { Rect } from '../../core/scene/display/matrix.ts';
import type { Drawing } from '../../core/svg/drawing.ts';
import type { FontRegistry } from '../../core/text/fonts/font-registry.ts';
import { type CardTools, cardForm, pageContent } from './card-form.ts';
import type { Content } from './content.ts';
import { FontEmbedder } from './fonts/fonts.ts';
import type { Subsetter } from './fonts/subset.ts';
import { embedImage, type ToPng } from './images/images.ts';
import { type RasterCache, type Rasterise, rasterImages } from './images/raster.ts';
import { type Bookmark, writeOutline } from './outline.ts';
import { Resources } from './resources.ts';

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
  /** Language of the text, such as `en` or `pt-br`. */
  readonly language?: string;
  /** Viewers should print at actual size; true when left out. */
  readonly actualSize?: boolean;
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
  readonly #bookmarks: Bookmark[] = [];
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
    const shown = { x: -bleed, y: -bleed, w: list.w + 2 * bleed, h: list.h + 2 * bleed };
    const form = cardForm(list, await this.#cardTools(list, shown), bleed);
    this.#forms.set(key, form);
    return form;
  }

  /**
   * Paints a list for a page's own content.
   * @throws Error naming an image or font that cannot be embedded
   */
  async paintPageContent(list: DisplayList): Promise<Content> {
    return pageContent(list, await this.#cardTools(list, { x: 0, y: 0, w: list.w, h: list.h }));
  }

  /** Embeds the images of a list, and paints as images the groups that vectors cannot express. */
  async #cardTools(list: DisplayList, shown: Rect): Promise<CardTools> {
    await this.#embedImages(list);
    const { fonts, rasterise } = this.#tools;
    const { context } = this.document;
    const rasters =
      rasterise && (await rasterImages(list, shown, rasterise, context, this.#rasters, this.#rasterDpi));
    return {
      resources: this.resources,
      embedder: this.#embedder,
      fonts,
      images: this.#images,
      drawings: this.#tools.drawing,
      ...(rasters && { rasters }),
    };
  }

  async #embedImages(list: DisplayList): Promise<void> {
    for (const op of list.ops) {
      const image = shownImage(op);
      if (image === undefined || this.#images.has(image) || this.#tools.drawing?.(image)) continue;
      const bytes = await this.#tools.imageBytes(image);
      if (!bytes) continue;
      const ref = await embedImage(this.document.context, image, bytes, this.#tools.toPng);
      this.#images.set(image, ref);
    }
  }

  bookmark(bookmark: Bookmark): void {
    this.#bookmarks.push(bookmark);
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
    writeOutline(this.document, this.#bookmarks);
    const { document } = this;
    document.setTitle(info.title);
    if (info.language) document.setLanguage(info.language);
    document.setProducer('Tuckbox');
    document.setCreator('Tuckbox');
    document.setCreationDate(info.created);
    document.setModificationDate(info.created);
    // The window shows the title, not the file's name. Cards must print at their size: viewers should not offer to
    // shrink the page.
    const preferences = { DisplayDocTitle: true, ...(info.actualSize !== false && { PrintScaling: 'None' }) };
    document.catalog.set(PDFName.of('ViewerPreferences'), document.context.obj(preferences));
    // The library would wait for a timer after every few objects.
    const objectsPerTick = Number.POSITIVE_INFINITY;
    return document.save({ useObjectStreams: true, addDefaultPage: false, objectsPerTick });
  }
}
