import { EMPTY_LIBRARY, ImageLibrary } from '../../core/images/library.ts';
import { canvasSize } from '../../render/canvas/canvas.ts';
import { encodePainting, paintOnCanvas } from '../../render/painting.ts';
import { RenderContext } from '../../render/render-context.ts';
import { type Endpoint, serve } from '../rpc.ts';
import { forgetChanged } from '../sources/library.ts';
import { FONT_LISTS, fetchFace, imageReader } from '../sources/sources.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import type { RenderMethods, RenderRequest } from './protocol.ts';

/** Largest side of a painting in pixels; larger canvases fail silently. */
const MAX_SIDE_PX = 8_192;

const named = new Map<string, Blob>();
let library = EMPTY_LIBRARY;
const renderContext = new RenderContext(
  fetchFace,
  imageReader(named, () => library),
  FONT_LISTS,
);

/** One card at a time: many at once would hold a canvas each and finish no sooner. */
let turn: Promise<unknown> = Promise.resolve();

/** Waits in the queue and yields to the event loop first, so that a cancelled card is never painted. */
function queued<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const mine = turn.then(async () => {
    await yieldToEventLoop();
    signal.throwIfAborted();
    return work();
  });
  turn = mine.catch(() => undefined);
  return mine;
}

function remember(images: ReadonlyMap<string, Blob> | undefined): void {
  for (const [name, blob] of images ?? []) {
    if (named.get(name) !== blob) renderContext.forgetImage(name);
    named.set(name, blob);
  }
}

const makeCanvas = (width: number, height: number): OffscreenCanvas => new OffscreenCanvas(width, height);

async function paintCard({
  layout,
  row,
  columns,
  pxPerMm,
  bleed = false,
  clipToTrim = false,
}: RenderRequest) {
  renderContext.images.takeAsked();
  const list = await renderContext.layOut(layout, row, columns);
  const sources = renderContext.images.takeAsked();
  const { width, height } = canvasSize(list, pxPerMm, bleed);
  if (Math.max(width, height) > MAX_SIDE_PX) {
    throw new RangeError(
      `A picture of ${width} by ${height} pixels is too large: the most is ${MAX_SIDE_PX} a side.`,
    );
  }
  const canvas = new OffscreenCanvas(width, height);
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error(`No canvas of ${width} by ${height} pixels.`);
  await renderContext.paint(ctx, list, { scale: pxPerMm, bleed, clipToTrim });
  const bitmap = canvas.transferToImageBitmap();
  return { value: { bitmap, issues: list.issues, sources }, transfer: [bitmap] };
}

serve<RenderMethods>(self as unknown as Endpoint, {
  takeImages: async (images) => {
    remember(images);
    return { value: null, transfer: [] };
  },
  takeLibrary: (images, { signal }) =>
    queued(signal, async () => {
      const before = library;
      library = new ImageLibrary(images);
      forgetChanged(renderContext, before, library);
      return { value: null, transfer: [] };
    }),
  renderCard: (request, { signal }) => queued(signal, () => paintCard(request)),
  fitGroups: ({ layout, rows, columns }, { signal }) =>
    queued(signal, async () => ({
      value: await renderContext.fitGroups(layout, rows, columns),
      transfer: [],
    })),
  renderPainting: ({ painting, images }, { signal }) =>
    queued(signal, async () => {
      remember(images);
      const { canvas, issues } = await paintOnCanvas(renderContext, painting, makeCanvas, signal);
      const bitmap = canvas.transferToImageBitmap();
      return { value: { bitmap, issues }, transfer: [bitmap] };
    }),
  encodePainting: ({ painting, images, encoding }, { signal }) =>
    queued(signal, async () => {
      remember(images);
      const { bytes, issues } = await encodePainting(renderContext, painting, encoding, makeCanvas, signal);
      return { value: { bytes, issues }, transfer: [bytes.buffer as ArrayBuffer] };
    }),
});
