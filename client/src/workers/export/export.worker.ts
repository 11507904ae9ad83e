import subsetWasmUrl from 'harfbuzzjs/dist/harfbuzz-subset.wasm';
import { ImageLibrary } from '../../core/images/library.ts';
import { bytesFingerprint, fingerprint } from '../../core/imposition/job/fingerprint.ts';
import type { PrintPart } from '../../core/imposition/job/print-job.ts';
import { safeFaults } from '../../core/printers/safe-zone.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { FontRegistry } from '../../core/text/fonts/font-registry.ts';
import { toPng } from '../../render/images/to-png.ts';
import { type PdfTools, writePdf } from '../../render/pdf/document.ts';
import { createSubsetter, type Subsetter } from '../../render/pdf/fonts/subset.ts';
import { RenderContext } from '../../render/render-context.ts';
import { type Endpoint, serve } from '../rpc.ts';
import { FONT_LISTS, fetchFace, imageReader } from '../sources/sources.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { writeBundle } from './bundle.ts';
import type {
  BundleRequest,
  ExportMethods,
  ExportProgress,
  ExportRequest,
  FingerprintRequest,
  NamedImages,
  PdfRequest,
  SafeIssue,
  SafeZoneRequest,
} from './export-protocol.ts';
import { TargetFile } from './export-target.ts';
import { PainterPool } from './painter-pool.ts';
import { type Summary, writeSeveral } from './several.ts';
import { writeZippedPdfs } from './zipped-pdfs.ts';

/** Cards checked between two yields to the event loop. */
const CARDS_PER_YIELD = 16;
/** Most texts reported as too near the trim. */
const MAX_SAFE_ISSUES = 1_000;

interface Work {
  readonly created: Date;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly progress: (value: ExportProgress) => void;
  readonly signal: AbortSignal;
  readonly images: NamedImages | undefined;
  readonly library: ImageLibrary;
}

/** Fonts stay for the next export, with their cached shapes. */
const fonts = new FontRegistry();
let subsetter: Promise<Subsetter> | undefined;
let painting: PainterPool | undefined;

function readySubsetter(): Promise<Subsetter> {
  subsetter ??= loadSubsetter();
  subsetter.catch(() => {
    // The next export tries again.
    subsetter = undefined;
  });
  return subsetter;
}

async function loadSubsetter(): Promise<Subsetter> {
  const response = await fetch(subsetWasmUrl);
  if (!response.ok)
    throw new Error(`The font subsetter could not be loaded: the server answered ${response.status}.`);
  return createSubsetter(await response.arrayBuffer());
}

/** Lets messages in; throws once the work is cancelled. */
async function pause(signal: AbortSignal): Promise<void> {
  await yieldToEventLoop();
  signal.throwIfAborted();
}

function renderContextWith(images: NamedImages | undefined, library: ImageLibrary): RenderContext {
  return new RenderContext(
    fetchFace,
    imageReader(images ?? new Map(), () => library),
    FONT_LISTS,
    fonts,
  );
}

async function pdfTools({ progress, signal, images, library }: Work): Promise<PdfTools> {
  const renderContext = renderContextWith(images, library);
  return {
    fonts: renderContext.fonts,
    layOut: (layout, row, columns) => renderContext.layOut(layout, row, columns),
    subsetter: await readySubsetter(),
    imageBytes: async (source) => renderContext.images.bytes(source),
    drawing: (source) => renderContext.images.drawing(source),
    toPng,
    rasterise: renderContext.rasterise,
    onProgress: (done, total) => progress({ done, total }),
    yieldToEventLoop: () => pause(signal),
  };
}

async function exportPdf(request: PdfRequest, work: Work): Promise<Summary> {
  const tools = await pdfTools(work);
  const { maxBytes, ...whole } = request;
  const summary =
    maxBytes === undefined
      ? await writePdf({ ...whole, created: work.created }, tools, work.write)
      : await writeZippedPdfs({ ...request, maxBytes, created: work.created }, tools, work.write);
  return {
    pages: summary.pages,
    cards: summary.cards,
    issues: summary.issues.map(({ part, card, issue }) => ({
      where: request.parts[part]?.name ?? '',
      card,
      issue,
    })),
  };
}

async function exportBundle(
  request: BundleRequest,
  work: Work,
  painterUrl: string,
  painters: number,
): Promise<Summary> {
  // Painters stay for the next export, with their fonts; a cancelled or failed export leaves none behind.
  painting ??= new PainterPool(painterUrl, painters);
  const pool = painting;
  try {
    const { issues } = await writeBundle(request.entries, {
      encode: (painting, encoding) => pool.encode(painting, encoding, work, work.signal),
      ahead: pool.size + 1,
      created: work.created,
      onProgress: work.progress,
      write: work.write,
      signal: work.signal,
    });
    const cards = request.entries.filter(({ kind }) => kind === 'painting').length;
    return { pages: request.entries.length, cards, issues };
  } catch (error) {
    painting = undefined;
    pool.dispose();
    throw error;
  }
}

async function exportAny(
  request: ExportRequest,
  work: Work,
  painterUrl: string,
  painters: number,
): Promise<Summary> {
  if (request.kind === 'pdf') return exportPdf(request, work);
  if (request.kind === 'bundle') return exportBundle(request, work, painterUrl, painters);
  return writeSeveral(request.files, {
    make: (one, write, progress) => exportAny(one, { ...work, write, progress }, painterUrl, painters),
    created: work.created,
    onProgress: work.progress,
    write: work.write,
  });
}

/** A card's front and, where it has one, its back. */
function sidesOf(part: PrintPart): { side: 'front' | 'back'; layout: Layout }[] {
  const front = { side: 'front', layout: part.layout } as const;
  return part.back ? [front, { side: 'back', layout: part.back }] : [front];
}

async function fingerprintCards(
  { parts, images, library }: FingerprintRequest,
  progress: (value: ExportProgress) => void,
  signal: AbortSignal,
): Promise<string[][]> {
  const renderContext = renderContextWith(images, new ImageLibrary(library ?? []));
  const known = new Map<string, string>();
  const imageMark = (source: string): string => {
    let mark = known.get(source);
    if (mark === undefined) {
      const bytes = renderContext.images.bytes(source);
      mark = bytes ? bytesFingerprint(bytes) : 'missing';
      known.set(source, mark);
    }
    return mark;
  };
  const total = parts.reduce((sum, { cards }) => sum + cards.length, 0);
  let done = 0;
  const all: string[][] = [];
  for (const part of parts) {
    const marks: string[] = [];
    for (const [card, { row }] of part.cards.entries()) {
      let text = '';
      for (const { layout } of sidesOf(part)) {
        const placed = { index: card + 1, count: part.cards.length, ...row };
        const { w, h, bleed, trim, ops } = await renderContext.layOut(layout, placed, part.columns);
        const pictures = ops.flatMap((op) => (op.op === 'image' ? [imageMark(op.image)] : []));
        text += JSON.stringify([w, h, bleed, trim, ops, pictures]);
      }
      marks.push(fingerprint(text));
      if (++done % CARDS_PER_YIELD === 0) {
        progress({ done, total });
        await pause(signal);
      }
    }
    all.push(marks);
  }
  return all;
}

async function checkSafeZone(
  { part, safe, images, library }: SafeZoneRequest,
  signal: AbortSignal,
): Promise<SafeIssue[]> {
  const renderContext = renderContextWith(images, new ImageLibrary(library ?? []));
  const issues: SafeIssue[] = [];
  for (const [card, { row, copies }] of part.cards.entries()) {
    if (copies <= 0) continue;
    for (const { side, layout } of sidesOf(part)) {
      const placed = { index: card + 1, count: part.cards.length, ...row };
      const list = await renderContext.layOut(layout, placed, part.columns);
      for (const fault of safeFaults(list, safe)) {
        if (issues.length < MAX_SAFE_ISSUES) issues.push({ card, side, ...fault });
      }
    }
    if (card % CARDS_PER_YIELD === CARDS_PER_YIELD - 1) await pause(signal);
  }
  return issues;
}

/** The library at the start of an export: the same for all painters. */
const known = ({ images, library }: ExportRequest) => ({
  images,
  library: new ImageLibrary(library ?? []),
});

serve<ExportMethods>(self as unknown as Endpoint, {
  write: async ({ request, target, created, painterUrl, painters }, { progress, signal }) => {
    const file = await TargetFile.open(target);
    try {
      const write = (bytes: Uint8Array) => file.write(bytes);
      const work: Work = { created, write, progress, signal, ...known(request) };
      const summary = await exportAny(request, work, painterUrl, painters);
      signal.throwIfAborted();
      const { bytes } = file;
      return { value: { ...summary, bytes, file: await file.close() }, transfer: [] };
    } catch (error) {
      await file.discard();
      throw error;
    }
  },
  fingerprints: async (request, { progress, signal }) => ({
    value: await fingerprintCards(request, progress, signal),
    transfer: [],
  }),
  safeZone: async (request, { signal }) => ({ value: await checkSafeZone(request, signal), transfer: [] }),
});
