import subsetWasmUrl from 'harfbuzzjs/dist/harfbuzz-subset.wasm';
import { cardPainting } from '../../core/imposition/images/image-files.ts';
import type { Row } from '../../core/scene/card/row.ts';
import type { Layout } from '../../core/scene/layout.ts';
import { findFace } from '../../core/text/fonts/catalogue.ts';
import { canvasSize, paintDrawing } from '../canvas/canvas.ts';
import { encodeCanvas, paintOnCanvas } from '../painting.ts';
import { makePdf, type PdfJob } from '../pdf/document.ts';
import { createSubsetter, type Subsetter } from '../pdf/fonts/subset.ts';
import { RenderContext } from '../render-context.ts';

/** Entry of the page that comparing tests open in a browser: paints a card on a canvas, into a PNG and into a PDF. */
declare global {
  interface Window {
    readBase64(kind: 'face' | 'image', name: string): Promise<string | null>;
    paintPng(
      layout: Layout,
      row: Row,
      pxPerMm: number,
      origin: { x: number; y: number },
    ): Promise<{ base64: string; words: string[] }>;
    /** Base64 of the PNG file that an export at this many dots per inch makes of a card. */
    exportPng(layout: Layout, row: Row, dpi: number): Promise<string>;
    /** Base64 of PNGs of a drawing: as the painters and as the browser show it. */
    paintDrawing(source: string, edge: number): Promise<readonly [painted: string, shown: string]>;
    /** Base64 of a PDF. */
    paintPdf(job: Omit<PdfJob, 'maxBytes'>): Promise<string>;
  }
}

async function read(kind: 'face' | 'image', name: string): Promise<Uint8Array | undefined> {
  const text = await window.readBase64(kind, name);
  return text === null ? undefined : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

const isColour = (face: string): boolean => findFace(face)?.colour === true;

const renderContext = new RenderContext(
  async (face) => (await read('face', face.id)) ?? new Uint8Array(),
  (source) => read('image', source),
);

window.paintPng = async (layout, row, pxPerMm, origin) => {
  const list = await renderContext.layOut(layout, row);
  const { width, height } = canvasSize(list, pxPerMm);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('no canvas');
  await renderContext.paint(ctx, list, { scale: pxPerMm, origin });
  const words = list.ops.flatMap((op) =>
    op.op === 'text'
      ? op.runs.flatMap((run) => (isColour(run.face) ? [] : run.words.map(({ text }) => text)))
      : [],
  );
  return { base64: canvas.toDataURL('image/png').split(',')[1] ?? '', words };
};

window.exportPng = async (layout, row, dpi) => {
  const painting = cardPainting({ layout, columns: [] }, row, {
    dpi,
    bleed: 0,
    clipToTrim: false,
    opaque: true,
  });
  const { canvas } = await paintOnCanvas(
    renderContext,
    painting,
    (width, height) => new OffscreenCanvas(width, height),
  );
  return toBase64(await encodeCanvas(canvas, { type: 'image/png', quality: 1, dpi }));
};

window.paintDrawing = async (source, edge) => {
  const bytes = await read('image', source);
  if (!bytes) throw new Error(`no image ${source}`);
  const { readDrawing } = await import('../../core/svg/read.ts');
  const drawing = readDrawing(new TextDecoder().decode(bytes));
  const canvas = paintDrawing(drawing, edge, { fonts: renderContext.fonts, images: new Map() });
  if (!canvas) throw new Error('no canvas');
  const image = new Image(canvas.width, canvas.height);
  image.src = URL.createObjectURL(new Blob([bytes.slice()], { type: 'image/svg+xml' }));
  await image.decode();
  const shown = new OffscreenCanvas(canvas.width, canvas.height);
  shown.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = async (from: OffscreenCanvas): Promise<string> =>
    toBase64(new Uint8Array(await (await from.convertToBlob({ type: 'image/png' })).arrayBuffer()));
  return [await png(canvas), await png(shown)];
};

let subsetter: Promise<Subsetter> | undefined;

window.paintPdf = async (job) => {
  subsetter ??= fetch(subsetWasmUrl)
    .then((response) => response.arrayBuffer())
    .then(createSubsetter);
  const { bytes } = await makePdf(job, {
    fonts: renderContext.fonts,
    layOut: (layout, row, columns) => renderContext.layOut(layout, row, columns),
    subsetter: await subsetter,
    imageBytes: async (source) => renderContext.images.bytes(source),
    drawing: (source) => renderContext.images.drawing(source),
    rasterise: renderContext.rasterise,
  });
  return toBase64(bytes);
};

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}
