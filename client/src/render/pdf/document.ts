import { PDFDocument, PDFName, type PDFRef } from '@cantoo/pdf-lib';
import type { DisplayList, Issue } from '../../core/scene/display-list.ts';
import type { Row } from '../../core/scene/row.ts';
import type { Layout } from '../../core/scene/zone.ts';
import type { FontBook } from '../../core/text/font-book.ts';
import { impose, type MarksSpec, type PageSpec, type Sheet, type SheetPlan } from '../impose.ts';
import { cardForm } from './card-form.ts';
import { Content } from './content.ts';
import { FontEmbedder } from './fonts.ts';
import { embedImage, type ToPng } from './images.ts';
import { type RasterCache, type Rasterise, rasterImages } from './raster.ts';
import { Resources } from './resources.ts';
import type { Subsetter } from './subset.ts';

const PT_PER_MM = 72 / 25.4;
/** Colour of crop marks: every plate, so that they show on any press. */
const MARK_GRAY = 0;

/** A card to print and how often. */
export interface PrintCard {
  readonly row: Row;
  readonly copies: number;
}

export interface PdfJob {
  readonly layout: Layout;
  readonly cards: readonly PrintCard[];
  readonly page: PageSpec;
  readonly marks: MarksSpec;
  readonly title: string;
  /** Written into the file; the caller's clock. */
  readonly created: Date;
}

export interface PdfTools {
  readonly fonts: FontBook;
  /** Lays a card out, with whatever loading that takes. */
  readonly layOut: (row: Row) => DisplayList | Promise<DisplayList>;
  readonly subsetter: Subsetter;
  /** Bytes of an image by its source; undefined when the library does not have it. */
  readonly imageBytes: (source: string) => Promise<Uint8Array | undefined>;
  readonly toPng?: ToPng;
  /** Makes pictures of what vectors cannot do; without it such groups are painted without the effect. */
  readonly rasterise?: Rasterise;
  /** Called after each step with steps done and steps in all. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Awaited now and then, so that a worker can hear a cancellation; rejects to stop. */
  readonly breathe?: () => Promise<void>;
}

export interface PdfResult {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly cards: number;
  /** What was wrong with single cards: index into `cards` and the issue. */
  readonly issues: readonly { readonly card: number; readonly issue: Issue }[];
}

/** Cards laid out between two breaths. */
const BREATH_CARDS = 8;

/**
 * Makes the PDF of a deck: each card once as a form, placed on sheets by `impose`.
 * @throws ImpositionError when the cards do not fit the page; Error naming an image or font that
 *   cannot be embedded; whatever `breathe` rejects with
 */
export async function makePdf(job: PdfJob, tools: PdfTools): Promise<PdfResult> {
  const plan = impose(
    job.layout.size,
    job.cards.map(({ copies }) => copies),
    job.page,
    job.marks,
  );
  const document = await PDFDocument.create();
  const { context } = document;
  const resources = new Resources(context);
  const embedder = new FontEmbedder(tools.fonts, resources);
  const issues: { card: number; issue: Issue }[] = [];
  const images = new Map<string, PDFRef>();
  const forms = new Map<number, PDFRef>();
  const rasterCache: RasterCache = new Map();
  const printed = job.cards.map((card, index) => ({ card, index })).filter(({ card }) => card.copies >= 1);
  const total = printed.length + 1;
  const bleed = shownBleed(job);
  for (const [step, { card, index }] of printed.entries()) {
    const row = { index: index + 1, count: job.cards.length, ...card.row };
    const list = await tools.layOut(row);
    issues.push(...list.issues.map((issue) => ({ card: index, issue })));
    await embedImages(list, images, document, tools);
    const shown = { x: -bleed, y: -bleed, w: list.w + 2 * bleed, h: list.h + 2 * bleed };
    const rasters =
      tools.rasterise && (await rasterImages(list, shown, tools.rasterise, context, rasterCache));
    const cardTools = { resources, embedder, fonts: tools.fonts, images, ...(rasters && { rasters }) };
    forms.set(index, cardForm(list, cardTools, bleed));
    tools.onProgress?.(step + 1, total);
    if (step % BREATH_CARDS === BREATH_CARDS - 1) await tools.breathe?.();
  }
  for (const sheet of plan.sheets) addPage(document, resources, plan, sheet, forms, job.marks);
  if (plan.sheets.length === 0) document.addPage([plan.w * PT_PER_MM, plan.h * PT_PER_MM]);
  await tools.breathe?.();
  embedder.finish(tools.subsetter);
  describe(document, job);
  const bytes = await document.save({ useObjectStreams: true, addDefaultPage: false });
  tools.onProgress?.(total, total);
  return {
    bytes,
    pages: Math.max(1, plan.sheets.length),
    cards: plan.sheets.reduce((sum, { placements }) => sum + placements.length, 0),
    issues,
  };
}

/** Bleed shows as far as the gap between cards leaves room for both neighbours. */
function shownBleed(job: PdfJob): number {
  return Math.min(job.layout.bleed, (job.page.gap as number) / 2);
}

async function embedImages(
  list: DisplayList,
  images: Map<string, PDFRef>,
  document: PDFDocument,
  tools: PdfTools,
): Promise<void> {
  for (const op of list.ops) {
    if (op.op !== 'image' || images.has(op.image)) continue;
    const bytes = await tools.imageBytes(op.image);
    if (bytes) images.set(op.image, await embedImage(document.context, op.image, bytes, tools.toPng));
  }
}

function addPage(
  document: PDFDocument,
  resources: Resources,
  plan: SheetPlan,
  sheet: Sheet,
  forms: ReadonlyMap<number, PDFRef>,
  marks: MarksSpec,
): void {
  const content = new Content();
  const height = plan.h * PT_PER_MM;
  if (sheet.marks.length > 0) {
    content
      .save()
      .op('G', MARK_GRAY)
      .op('w', marks.width * PT_PER_MM);
    for (const { x1, y1, x2, y2 } of sheet.marks) {
      content
        .op('m', x1 * PT_PER_MM, height - y1 * PT_PER_MM)
        .op('l', x2 * PT_PER_MM, height - y2 * PT_PER_MM)
        .raw('S');
    }
    content.restore();
  }
  for (const { card, x, y } of sheet.placements) {
    const form = forms.get(card);
    if (!form) continue;
    content
      .save()
      .transform([1, 0, 0, 1, x * PT_PER_MM, height - y * PT_PER_MM])
      .use('Do', resources.unique('XObject', form))
      .restore();
  }
  const page = document.addPage([plan.w * PT_PER_MM, height]);
  page.node.set(PDFName.of('Resources'), resources.ref);
  page.node.set(
    PDFName.of('Contents'),
    document.context.register(document.context.flateStream(content.toString())),
  );
}

function describe(document: PDFDocument, job: PdfJob): void {
  document.setTitle(job.title);
  document.setProducer('Tuckbox');
  document.setCreator('Tuckbox');
  document.setCreationDate(job.created);
  document.setModificationDate(job.created);
  // Cards must come out at their size: viewers should not offer to shrink the page.
  document.catalog.set(PDFName.of('ViewerPreferences'), document.context.obj({ PrintScaling: 'None' }));
}
