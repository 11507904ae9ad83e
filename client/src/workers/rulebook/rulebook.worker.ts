import subsetWasmUrl from 'harfbuzzjs/dist/harfbuzz-subset.wasm';
import { checkRulebook } from '../../core/book/checks/checks.ts';
import { displayListOf, type Flowed } from '../../core/book/paging/flow.ts';
import { EMPTY_LIBRARY, ImageLibrary } from '../../core/images/library.ts';
import { toPng } from '../../render/images/to-png.ts';
import type { FileTools } from '../../render/pdf/file.ts';
import { createSubsetter, type Subsetter } from '../../render/pdf/fonts/subset.ts';
import { bookletPdf, rulebookPdf, zinePdf } from '../../render/pdf/rulebook/rulebook.ts';
import { RenderContext } from '../../render/render-context.ts';
import { type Endpoint, serve } from '../rpc.ts';
import { forgetChanged } from '../sources/library.ts';
import { FONT_LISTS, fetchFace, imageReader } from '../sources/sources.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { RulebookPages, type SetPages } from './rulebook-pages.ts';
import { pictureCount, picturesOf } from './rulebook-pictures.ts';
import type { BookPicture, OutputRequest, RulebookMethods, SetRequest } from './rulebook-protocol.ts';

/** Largest side of a page's picture in pixels. */
const MAX_SIDE_PX = 8_192;

let library = EMPTY_LIBRARY;
const renderContext = new RenderContext(
  fetchFace,
  imageReader(new Map(), () => library),
  FONT_LISTS,
);
let shown: Flowed | undefined;
let subsetter: Promise<Subsetter> | undefined;

const pages = new RulebookPages(renderContext);

async function setPages(request: SetRequest): Promise<SetPages> {
  const before = library;
  library = new ImageLibrary(request.library);
  if (forgetChanged(renderContext, before, library)) pages.forget();
  return await pages.set(request);
}

const readySubsetter = (): Promise<Subsetter> => {
  subsetter ??= fetch(subsetWasmUrl).then(async (response) => {
    if (!response.ok)
      throw new Error(`The font subsetter could not be loaded: the server answered ${response.status}.`);
    return createSubsetter(await response.arrayBuffer());
  });
  subsetter.catch(() => {
    subsetter = undefined;
  });
  return subsetter;
};

async function writeFile(
  { kind, created, booklet, ...request }: OutputRequest,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<{ bytes: Uint8Array; pages: number }> {
  const { flowed } = await setPages(request);
  signal.throwIfAborted();
  const tools: FileTools = {
    fonts: renderContext.fonts,
    subsetter: await readySubsetter(),
    imageBytes: async (source) => renderContext.images.bytes(source),
    drawing: (source) => renderContext.images.drawing(source),
    toPng,
    rasterise: renderContext.rasterise,
  };
  const { title, language } = request.doc;
  const info = { title, created, language };
  const onPage = async (done: number, total: number): Promise<void> => {
    progress(done, total);
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  const make = { pdf: rulebookPdf, booklet: bookletPdf, zine: zinePdf };
  const bytes =
    kind === 'booklet'
      ? await make.booklet(flowed, booklet, tools, info, onPage)
      : await make[kind](flowed, tools, info, onPage);
  return { bytes, pages: flowed.pages.length };
}

serve<RulebookMethods>(self as unknown as Endpoint, {
  set: async (request, { signal }) => {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const { doc, flowed, project } = await setPages(request);
    shown = flowed;
    const findings = checkRulebook({
      doc,
      project,
      cards: request.project.texts,
      flowed,
    });
    const set = flowed.pages.map((page) => ({
      number: page.number,
      w: page.w,
      h: page.h,
      blocks: page.boxes.map(({ block, area }) => ({ block, area })),
      mark: page.mark,
    }));
    return { value: { pages: set, findings, starts: [...flowed.starts] }, transfer: [] };
  },
  paint: async ({ page: number, pxPerMm }, { signal }) => {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const page = shown?.pages[number - 1];
    if (!page) throw new Error(`There is no page ${number}.`);
    const list = displayListOf(page);
    const [width, height] = [Math.round(page.w * pxPerMm), Math.round(page.h * pxPerMm)];
    if (Math.max(width, height) > MAX_SIDE_PX) throw new RangeError('The picture of a page is too large.');
    const canvas = new OffscreenCanvas(width, height);
    const ctx = canvas.getContext('2d');
    if (!ctx) throw new Error(`No canvas of ${width} by ${height} pixels.`);
    ctx.fillStyle = '#ffffff';
    ctx.fillRect(0, 0, width, height);
    await renderContext.paint(ctx, list, { scale: pxPerMm, bleed: false, clipToTrim: false });
    const bitmap = canvas.transferToImageBitmap();
    return { value: bitmap, transfer: [bitmap] };
  },
  illustrate: async (request, { signal, progress }) => {
    const { project } = await setPages(request);
    const cards = request.project.cards.map(({ name }) => name);
    const total = pictureCount(request.doc, project, cards, renderContext);
    const pictures: BookPicture[] = [];
    for await (const picture of picturesOf(request.doc, project, cards, renderContext)) {
      pictures.push(picture);
      progress({ done: pictures.length, total });
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    return { value: pictures, transfer: pictures.map(({ bytes }) => bytes.buffer) };
  },
  write: async (request, { signal, progress }) => ({
    value: await writeFile(request, signal, (done, total) => progress({ done, total })),
    transfer: [],
  }),
});
