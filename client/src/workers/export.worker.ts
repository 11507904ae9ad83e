import { makeZip } from 'client-zip';
import subsetWasmUrl from 'harfbuzzjs/dist/harfbuzz-subset.wasm';
import { bytesFingerprint, fingerprint } from '../core/imposition/fingerprint.ts';
import { type PdfTools, writePdf } from '../render/pdf/document.ts';
import { createSubsetter, type Subsetter } from '../render/pdf/subset.ts';
import { Stage } from '../render/stage.ts';
import { writeBundle } from './bundle.ts';
import type {
  BundleRequest,
  ExportMethods,
  ExportProgress,
  ExportReply,
  NamedImages,
  PdfRequest,
} from './export-protocol.ts';
import { TargetFile } from './export-target.ts';
import { PainterPool } from './painter-pool.ts';
import { Pipe } from './pipe.ts';
import { type Endpoint, serve } from './rpc.ts';
import { fetchFace, imageReader } from './sources.ts';

interface Work {
  readonly created: Date;
  readonly file: TargetFile;
  readonly progress: (value: ExportProgress) => void;
  readonly signal: AbortSignal;
  readonly images: NamedImages | undefined;
}

type Summary = Omit<ExportReply, 'file' | 'bytes'>;

let subsetter: Promise<Subsetter> | undefined;

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

/** Lets messages in (a cancellation, say) between two stretches of work. */
function breathe(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(() => (signal.aborted ? reject(signal.reason) : resolve()), 0);
  });
}

/** PDF knows JPEG and PNG; the browser reads the rest. */
async function toPng(bytes: Uint8Array): Promise<Uint8Array> {
  const bitmap = await createImageBitmap(new Blob([bytes.slice()]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('no canvas to decode it on');
  ctx.drawImage(bitmap, 0, 0);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new Uint8Array(await blob.arrayBuffer());
}

async function pdfTools({ progress, signal, images }: Work): Promise<PdfTools> {
  const stage = new Stage(fetchFace, imageReader(images ?? new Map()));
  return {
    fonts: stage.fonts,
    layOut: (layout, row, columns) => stage.layOut(layout, row, columns),
    subsetter: await readySubsetter(),
    imageBytes: async (source) => stage.images.bytes(source),
    toPng,
    rasterise: stage.rasterise,
    onProgress: (done, total) => progress({ done, total }),
    breathe: () => breathe(signal),
  };
}

async function exportPdf(request: PdfRequest, work: Work): Promise<Summary> {
  const tools = await pdfTools(work);
  const { maxBytes, ...whole } = request;
  const summary =
    maxBytes === undefined
      ? await writePdf({ ...whole, created: work.created }, tools, (bytes) => work.file.write(bytes))
      : await zippedPdfs({ ...request, maxBytes }, work, tools);
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

async function zippedPdfs(request: PdfRequest & { maxBytes: number }, work: Work, tools: PdfTools) {
  const pipe = new Pipe<{ name: string; input: Uint8Array; lastModified: Date }>();
  const job = { ...request, created: work.created };
  const printed = writePdf(job, tools, (bytes, index) =>
    pipe.push({ name: `${request.fileName} ${index + 1}.pdf`, input: bytes, lastModified: work.created }),
  ).finally(() => pipe.end());
  const reader = makeZip(pipe).getReader();
  const written = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await work.file.write(part.value);
    }
  })();
  const [summary] = await Promise.all([printed, written]);
  return summary;
}

async function exportBundle(
  request: BundleRequest,
  work: Work,
  painterUrl: string,
  painters: number,
): Promise<Summary> {
  const pool = new PainterPool(painterUrl, painters, work.images);
  try {
    const { issues } = await writeBundle(request.entries, {
      encode: (picture, encoding) => pool.encode(picture, encoding, work.signal),
      ahead: pool.size + 1,
      created: work.created,
      onProgress: work.progress,
      write: (chunk) => work.file.write(chunk),
      signal: work.signal,
    });
    const cards = request.entries.filter(({ kind }) => kind === 'picture').length;
    return { pages: request.entries.length, cards, issues };
  } finally {
    pool.dispose();
  }
}

serve<ExportMethods>(self as unknown as Endpoint, {
  write: async ({ request, target, created, painterUrl, painters }, { progress, signal }) => {
    const file = await TargetFile.open(target);
    try {
      const work: Work = { created, file, progress, signal, images: request.images };
      const summary =
        request.kind === 'pdf'
          ? await exportPdf(request, work)
          : await exportBundle(request, work, painterUrl, painters);
      signal.throwIfAborted();
      const { bytes } = file;
      return { value: { ...summary, bytes, file: await file.close() }, transfer: [] };
    } catch (error) {
      await file.discard();
      throw error;
    }
  },
  fingerprints: async ({ parts, images }, { progress, signal }) => {
    const stage = new Stage(fetchFace, imageReader(images ?? new Map()));
    const known = new Map<string, string>();
    const imageMark = (source: string): string => {
      let mark = known.get(source);
      if (mark === undefined) {
        const bytes = stage.images.bytes(source);
        mark = bytes ? bytesFingerprint(bytes) : 'missing';
        known.set(source, mark);
      }
      return mark;
    };
    const total = parts.reduce((sum, { cards }) => sum + cards.length, 0);
    let done = 0;
    const value: string[][] = [];
    for (const part of parts) {
      const marks: string[] = [];
      for (const { row } of part.cards) {
        let text = '';
        for (const layout of part.back ? [part.layout, part.back] : [part.layout]) {
          const { w, h, bleed, trim, ops } = await stage.layOut(layout, row, part.columns);
          const pictures = ops.flatMap((op) => (op.op === 'image' ? [imageMark(op.image)] : []));
          text += JSON.stringify([w, h, bleed, trim, ops, pictures]);
        }
        marks.push(fingerprint(text));
        if (++done % 16 === 0) {
          progress({ done, total });
          await breathe(signal);
        }
      }
      value.push(marks);
    }
    return { value, transfer: [] };
  },
});
