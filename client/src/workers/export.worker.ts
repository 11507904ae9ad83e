import subsetWasmUrl from 'harfbuzzjs/dist/harfbuzz-subset.wasm';
import { makePdf } from '../render/pdf/document.ts';
import { createSubsetter, type Subsetter } from '../render/pdf/subset.ts';
import { Stage } from '../render/stage.ts';
import type { ExportMethods } from './protocol.ts';
import { type Endpoint, serve } from './rpc.ts';
import { fetchFace, imageReader } from './sources.ts';

let subsetter: Promise<Subsetter> | undefined;

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

serve<ExportMethods>(self as unknown as Endpoint, {
  exportPdf: async (job, { progress, signal }) => {
    subsetter ??= loadSubsetter();
    subsetter.catch(() => {
      // The next export tries again.
      subsetter = undefined;
    });
    const stage = new Stage(fetchFace, imageReader(job.images ?? new Map()));
    await stage.loadFonts(job.layout, job.rows);
    signal.throwIfAborted();
    const result = await makePdf(
      { ...job, cards: job.rows.map((row) => ({ row, copies: row.copies ?? 1 })) },
      {
        fonts: stage.fonts,
        layOut: (row) => stage.layOut(job.layout, row, job.columns ?? []),
        subsetter: await subsetter,
        imageBytes: async (source) => stage.images.bytes(source),
        toPng,
        onProgress: (done, total) => progress({ done, total }),
        breathe: () => breathe(signal),
      },
    );
    return { value: result, transfer: [result.bytes.buffer as ArrayBuffer] };
  },
});
