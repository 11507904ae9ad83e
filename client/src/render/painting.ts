import {
  type Encoding,
  MAX_PIXELS,
  MAX_SIDE_PX,
  type Painting,
  type PaintingItem,
  partOf,
  tooLargeFor,
} from '../core/imposition/images/painting.ts';
import type { Turn } from '../core/imposition/settings.ts';
import { lowInk } from '../core/imposition/sheets/low-ink.ts';
import type { DisplayList, Issue } from '../core/scene/display/display-list.ts';
import type { Rect } from '../core/scene/display/matrix.ts';
import { intersect, outset, reachOfFilters } from './canvas/bounds.ts';
import type { Context2D } from './canvas/canvas.ts';
import { freeCanvas } from './canvas/free-canvas.ts';
import { canvasesOf } from './canvas/layers.ts';
import { jpegWithResolution } from './images/resolution.ts';
import { encodePng } from './png/png.ts';
import type { RenderContext } from './render-context.ts';

/** Pixels painted at a time of a picture larger than a canvas can be: 128 MiB, and as much for the canvas. */
const BAND_PIXELS = 32 * 1024 * 1024;

/** Makes canvases: the browser's in a worker, Skia's in Node. */
export type MakeCanvas = (width: number, height: number) => OffscreenCanvas;

/** A problem of an item, by its index. */
interface ItemIssue {
  readonly item: number;
  readonly issue: Issue;
}

export interface PaintResult {
  readonly canvas: OffscreenCanvas;
  readonly issues: readonly ItemIssue[];
}

const issuesOf = (list: DisplayList, item: number): ItemIssue[] =>
  list.issues.map((issue) => ({ item, issue }));

/**
 * Paints a painting on a canvas. Each card is painted on a canvas of its own size and copied to whole pixels, so that
 * groups with a blend need no canvas of the whole painting.
 * @param lists the items laid out, where they are already
 * @throws RangeError when the painting is larger than a canvas can be
 */
export async function paintOnCanvas(
  renderContext: RenderContext,
  painting: Painting,
  makeCanvas: MakeCanvas,
  signal?: AbortSignal,
  lists?: readonly DisplayList[],
): Promise<PaintResult> {
  const { width, height } = painting;
  if (Math.max(width, height) > MAX_SIDE_PX || width * height > MAX_PIXELS) {
    throw new RangeError(
      `A picture of ${width} by ${height} pixels is too large: the most is ${MAX_SIDE_PX} a side. Choose a lower resolution or fewer cards a sheet.`,
    );
  }
  const canvas = makeCanvas(width, height);
  const ctx = context(canvas);
  if (painting.background !== null) {
    ctx.fillStyle = painting.background;
    ctx.fillRect(0, 0, width, height);
  }
  const issues: ItemIssue[] = [];
  for (const [index, item] of painting.items.entries()) {
    signal?.throwIfAborted();
    const list = lists?.[index] ?? (await listOf(renderContext, item));
    issues.push(...issuesOf(list, index));
    await paintItem(renderContext, ctx, painting, item, list, makeCanvas);
  }
  for (const line of painting.lines) {
    ctx.strokeStyle = line.color;
    ctx.lineWidth = line.width;
    ctx.setLineDash([...line.dash]);
    ctx.beginPath();
    ctx.moveTo(line.x1, line.y1);
    ctx.lineTo(line.x2, line.y2);
    ctx.stroke();
  }
  return { canvas, issues };
}

/**
 * A painting as the bytes of a file. A PNG larger than a canvas can be is painted in bands.
 * @throws RangeError when it is too large for a file of its type
 */
export async function encodePainting(
  renderContext: RenderContext,
  painting: Painting,
  encoding: Encoding,
  makeCanvas: MakeCanvas,
  signal?: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly issues: readonly ItemIssue[] }> {
  const { width, height } = painting;
  const limit = tooLargeFor(encoding.type, width, height);
  if (limit !== undefined) {
    throw new RangeError(
      `A picture of ${width} by ${height} pixels is too large: ${limit}, or a lower resolution.`,
    );
  }
  if (Math.max(width, height) > MAX_SIDE_PX || width * height > MAX_PIXELS) {
    return encodeInBands(renderContext, painting, encoding.dpi, makeCanvas, signal);
  }
  const { canvas, issues } = await paintOnCanvas(renderContext, painting, makeCanvas, signal);
  const bytes = await encodeCanvas(canvas, encoding);
  freeCanvas(canvas);
  return { bytes, issues };
}

/** @param bandPixels pixels painted and packed at a time */
export async function encodeInBands(
  renderContext: RenderContext,
  painting: Painting,
  dpi: number,
  makeCanvas: MakeCanvas,
  signal?: AbortSignal,
  bandPixels = BAND_PIXELS,
): Promise<{ readonly bytes: Uint8Array; readonly issues: readonly ItemIssue[] }> {
  const { width, height } = painting;
  const lists: DisplayList[] = [];
  for (const item of painting.items) lists.push(await listOf(renderContext, item));
  const margins = painting.items.map(({ scale }, index) => marginOf(lists[index] as DisplayList, scale));
  const widest = Math.max(1, Math.min(MAX_SIDE_PX - 2 * Math.max(0, ...margins), width));
  const read = async (firstRow: number, rows: number): Promise<Uint8ClampedArray> => {
    const band = new Uint8ClampedArray(4 * width * rows);
    for (let x = 0; x < width; x += widest) {
      const w = Math.min(widest, width - x);
      const part = partOf(painting, { x, y: firstRow, w, h: rows });
      const { canvas } = await paintOnCanvas(renderContext, part, makeCanvas, signal, lists);
      const { data } = context(canvas).getImageData(0, 0, w, rows);
      for (let row = 0; row < rows; row++) {
        band.set(data.subarray(4 * w * row, 4 * w * (row + 1)), 4 * (width * row + x));
      }
      freeCanvas(canvas);
    }
    return band;
  };
  const bytes = await encodePng(read, width, height, dpi, bandPixels);
  return { bytes, issues: lists.flatMap(issuesOf) };
}

/** A canvas as the bytes of a file. */
export async function encodeCanvas(canvas: OffscreenCanvas, encoding: Encoding): Promise<Uint8Array> {
  if (encoding.type === 'image/png') {
    const ctx = context(canvas);
    const { width, height } = canvas;
    return encodePng((row, rows) => ctx.getImageData(0, row, width, rows).data, width, height, encoding.dpi);
  }
  const blob = await canvas.convertToBlob({ type: encoding.type, quality: encoding.quality });
  if (blob.type !== encoding.type) {
    throw new Error(`This browser cannot write ${encoding.type.slice(6).toUpperCase()} pictures.`);
  }
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return encoding.type === 'image/jpeg' ? jpegWithResolution(bytes, encoding.dpi) : bytes;
}

function context(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const ctx = canvas.getContext('2d');
  if (!ctx)
    throw new Error(`No canvas of ${canvas.width} by ${canvas.height} pixels: choose a lower resolution.`);
  return ctx;
}

/** @throws RangeError when a card with its effects needs more memory for canvases than there is */
function refuseTooLarge(width: number, height: number, canvases: number): void {
  if (width * height * canvases <= MAX_PIXELS) return;
  throw new RangeError(
    `A card of ${width} by ${height} pixels is too large: its effects take ${canvases} canvases at once, and the most is ${Math.floor(MAX_PIXELS / 1e6)} megapixels for all of them. Choose a lower resolution, or put fewer effects inside one another.`,
  );
}

async function listOf(renderContext: RenderContext, item: PaintingItem): Promise<DisplayList> {
  // A hair more than is shown, so that the painting's edge is not half transparent.
  const needed = item.bleed + 1 / item.scale;
  const layout = (item.layout.bleed as number) >= needed ? item.layout : { ...item.layout, bleed: needed };
  const list = await renderContext.layOut(layout, item.row, item.columns);
  return item.lowInk ? lowInk(list) : list;
}

/** The part of an item that is painted, in pixels of the painting. */
interface Shown {
  /** The whole item. */
  readonly box: Rect;
  /** The part that shows. */
  readonly part: Rect;
  /** The part with as much around it as its filters look at. */
  readonly painted: Rect;
}

function shownOf(painting: Painting, item: PaintingItem, list: DisplayList): Shown {
  const { scale, bleed, turn, clip } = item;
  const sideways = turn === 90 || turn === 270;
  const [w, h] = [list.w as number, list.h as number];
  const box = wholePixels(
    item.x - bleed * scale,
    item.y - bleed * scale,
    item.x + ((sideways ? h : w) + bleed) * scale,
    item.y + ((sideways ? w : h) + bleed) * scale,
  );
  const inPainting = intersect(box, { x: 0, y: 0, w: painting.width, h: painting.height });
  const part = clip
    ? intersect(inPainting, wholePixels(clip.x, clip.y, clip.x + clip.w, clip.y + clip.h))
    : inPainting;
  return { box, part, painted: intersect(box, outset(part, marginOf(list, scale))) };
}

function wholePixels(left: number, top: number, right: number, bottom: number): Rect {
  const [x, y] = [Math.round(left), Math.round(top)];
  return { x, y, w: Math.round(right) - x, h: Math.round(bottom) - y };
}

/** Pixels around a part that its filters look at. */
const marginOf = (list: DisplayList, scale: number): number => Math.ceil(reachOfFilters(list.ops) * scale);

async function paintItem(
  renderContext: RenderContext,
  ctx: Context2D,
  painting: Painting,
  item: PaintingItem,
  list: DisplayList,
  makeCanvas: MakeCanvas,
): Promise<void> {
  const { scale, bleed, turn } = item;
  const { box, part, painted } = shownOf(painting, item, list);
  if (part.w <= 0 || part.h <= 0) return;
  const options = { scale, bleed: true, clipToTrim: item.clipToTrim, forFile: true };
  const whole = part.w === painting.width && part.h === painting.height;
  if (turn === 0 && whole && painting.items.length === 1 && painted.w === part.w && painted.h === part.h) {
    refuseTooLarge(painting.width, painting.height, canvasesOf(list.ops));
    await renderContext.paint(ctx, list, { ...options, origin: { x: item.x, y: item.y } });
    return;
  }
  const sideways = turn === 90 || turn === 270;
  const [width, height] = sideways ? [painted.h, painted.w] : [painted.w, painted.h];
  refuseTooLarge(width, height, canvasesOf(list.ops));
  const card = makeCanvas(width, height);
  const corner = cornerInCard(box, painted, turn);
  // A card alone lies between pixels, so that its bands do as the whole would; many are moved to whole ones.
  const origin =
    turn === 0 && painting.items.length === 1
      ? { x: item.x - painted.x, y: item.y - painted.y }
      : { x: bleed * scale - corner.x, y: bleed * scale - corner.y };
  await renderContext.paint(context(card), list, { ...options, origin });
  ctx.save();
  ctx.beginPath();
  ctx.rect(part.x, part.y, part.w, part.h);
  ctx.clip();
  ctx.translate(painted.x + painted.w / 2, painted.y + painted.h / 2);
  ctx.rotate((turn * Math.PI) / 180);
  ctx.drawImage(card, -width / 2, -height / 2);
  ctx.restore();
  freeCanvas(card);
}

/** The top left corner of a part of a turned card, from the card's own. */
function cornerInCard(box: Rect, part: Rect, turn: Turn): { x: number; y: number } {
  const left = part.x - box.x;
  const top = part.y - box.y;
  const right = box.x + box.w - part.x - part.w;
  const bottom = box.y + box.h - part.y - part.h;
  switch (turn) {
    case 0:
      return { x: left, y: top };
    case 90:
      return { x: top, y: right };
    case 180:
      return { x: right, y: bottom };
    case 270:
      return { x: bottom, y: left };
  }
}
