import type { PDFPage } from '@cantoo/pdf-lib';
import type { Flowed } from '../../../core/book/paging/flow.ts';
import { displayListOf } from '../../../core/book/paging/flow.ts';
import type { Page } from '../../../core/book/paging/painted-page.ts';
import type { Path } from '../../../core/book/typesetting/box.ts';
import { ImpositionError } from '../../../core/imposition/error.ts';
import {
  type BookletPage,
  type BookletSettings,
  booklet,
  zine,
} from '../../../core/imposition/folding/booklet.ts';
import { DEFAULT_PRINT_SETTINGS } from '../../../core/imposition/settings.ts';
import type { Line } from '../../../core/imposition/sheets/marks.ts';
import { type FileInfo, type FileTools, PdfFile } from '../file.ts';
import { addPage, type PlacedForm } from '../page.ts';
import { type StructureElement, StructureTree } from './structure.ts';
import { addTaggedLink, addTaggedPage, PT_PER_MM } from './tagged-page.ts';

/** PDFs of a rulebook: pages to read, with links, bookmarks and tags; and sheets to print and fold. */

/** Dots per inch of effects that become images. */
const RASTER_DPI = 300;

/** Called before each page: progress, and a chance to stop by throwing. */
export type OnPage = (done: number, total: number) => Promise<void>;

const goOn: OnPage = async () => undefined;

/** Elements of the structure, made when a page first needs them. */
class Elements {
  readonly #tree: StructureTree;
  readonly #known = new Map<string, StructureElement>();

  constructor(tree: StructureTree) {
    this.#tree = tree;
  }

  of(path: Path): StructureElement | undefined {
    let element: StructureElement | undefined;
    let key = '';
    for (const { tag, key: own, alt } of path) {
      key += `\n${own}`;
      const parent = element;
      element = this.#known.get(key);
      if (!element) {
        element = this.#tree.add(tag, parent, alt === undefined ? {} : { alt });
        this.#known.set(key, element);
      }
    }
    return element;
  }
}

/**
 * Makes the PDF to read: tagged, in reading order, each heading a bookmark and each reference a link.
 * @throws Error naming an image or font that cannot be embedded
 */
export async function rulebookPdf(
  { pages, starts, headings }: Flowed,
  tools: FileTools,
  info: FileInfo,
  onPage: OnPage = goOn,
): Promise<Uint8Array> {
  const file = await PdfFile.create(tools, RASTER_DPI);
  const tree = new StructureTree(file.document);
  const elements = new Elements(tree);
  const added: PDFPage[] = [];
  for (const [at, page] of pages.entries()) {
    await onPage(at, pages.length);
    const parts = page.pieces.map(({ path, ops }) => ({ ops, element: elements.of(path) }));
    added.push(await addTaggedPage(file, tree, { w: page.w, h: page.h, parts }));
  }
  const placeOf = (block: string) => {
    const number = starts.get(block);
    const page = number === undefined ? undefined : added[number - 1];
    const top = number === undefined ? undefined : topOf(pages[number - 1], block);
    return page && { page: page.ref, top: page.getHeight() - (top ?? 0) * PT_PER_MM };
  };
  for (const [at, { pieces }] of pages.entries()) {
    const page = added[at];
    for (const { path, link } of pieces) {
      const element = elements.of(path);
      const target = link && placeOf(link.block);
      if (page && link && target && element)
        addTaggedLink(file, tree, page, { box: link.box, target, element });
    }
  }
  for (const { id, title, level } of headings) {
    const place = placeOf(id);
    if (place) file.bookmark({ title, level, ...place });
  }
  tree.finish();
  return file.finish({ actualSize: false, ...info });
}

/** Top of a block on its page, in millimetres. */
const topOf = (page: Page | undefined, block: string): number | undefined =>
  page?.boxes.find((box) => box.block === block)?.area.y;

/**
 * Makes the sheets of a booklet, fronts and backs in turn, with fold marks and staples.
 * @throws ImpositionError when there are no pages or too many, or the paper is too thick
 */
export async function bookletPdf(
  { pages }: Flowed,
  settings: Omit<BookletSettings, 'page'>,
  tools: FileTools,
  info: FileInfo,
  onPage: OnPage = goOn,
): Promise<Uint8Array> {
  const { w, h } = sizeOf(pages);
  const plan = booklet(pages.length, { ...settings, page: { w, h } });
  const file = await PdfFile.create(tools, RASTER_DPI);
  for (const [at, { front, back, fold, staples }] of plan.sheets.entries()) {
    await onPage(at, plan.sheets.length);
    for (const side of [front, back]) {
      const outside = side === front;
      await addSheet(file, pages, { w: plan.w, h: plan.h }, side, [fold], outside ? staples : []);
    }
  }
  return file.finish(info);
}

/** Pages of a zine of one sheet. */
export const ZINE_PAGES = 8;

/**
 * Makes a zine: eight pages on one side of a sheet that is slit and folded.
 * @throws ImpositionError when there are more than eight pages
 */
export async function zinePdf(
  { pages }: Flowed,
  tools: FileTools,
  info: FileInfo,
  onPage: OnPage = goOn,
): Promise<Uint8Array> {
  const { w, h } = sizeOf(pages);
  if (pages.length > ZINE_PAGES) {
    throw new ImpositionError(
      `A zine has ${ZINE_PAGES} pages and this rulebook has ${pages.length}: shorten it, or print a booklet.`,
    );
  }
  const plan = zine({ w, h });
  const file = await PdfFile.create(tools, RASTER_DPI);
  await onPage(0, 1);
  await addSheet(file, pages, { w: 4 * w, h: 2 * h }, plan.pages, plan.folds, [plan.slit]);
  return file.finish(info);
}

function sizeOf(pages: readonly Page[]): { readonly w: number; readonly h: number } {
  const first = pages[0];
  if (!first) throw new ImpositionError('This rulebook has no pages: write something in it first.');
  return first;
}

async function addSheet(
  file: PdfFile,
  pages: readonly Page[],
  size: { readonly w: number; readonly h: number },
  placed: readonly BookletPage[],
  folds: readonly Line[],
  marks: readonly Line[],
): Promise<void> {
  const forms: PlacedForm[] = [];
  for (const { page: number, x, y, turn } of placed) {
    const page = number === null ? undefined : pages[number - 1];
    if (!page) continue;
    const key = `page ${page.number}`;
    const form = file.form(key) ?? (await file.addForm(key, displayListOf(page), 0));
    forms.push({ form, x, y, w: page.w, h: page.h, turn });
  }
  addPage(file, { ...size, forms, marks, markStyle: DEFAULT_PRINT_SETTINGS.marks, folds });
}
