import { lowInk } from '../core/imposition/low-ink.ts';
import {
  type Encoding,
  MAX_PIXELS,
  MAX_SIDE_PX,
  type Painting,
  type PaintingItem,
} from '../core/imposition/painting.ts';
import type { DisplayList, Issue } from '../core/scene/display-list.ts';
import type { Context2D } from './canvas.ts';
import { freeCanvas } from './free-canvas.ts';
import { canvasesOf } from './layers.ts';
import { encodePng } from './png/png.ts';
import type { RenderContext } from './render-context.ts';
import { jpegWithResolution } from './resolution.ts';

/** Makes canvases: the browser's in a worker, Skia's in Node. */
export type MakeCanvas = (width: number, height: number) => OffscreenCanvas;

export interface PaintResult {
  readonly canvas: OffscreenCanvas;
  /** Problems, by index of the item. */
  readonly issues: readonly { readonly item: number; readonly issue: Issue }[];
}

/**
 * Paints a painting on a canvas. Each card is painted on a canvas of its own size and copied to whole pixels, so that
 * groups with a blend need no canvas of the whole painting.
 * @throws RangeError when the painting is larger than a canvas can be
 */
export async function paintOnCanvas(
  renderContext: RenderContext,
  painting: Painting,
  makeCanvas: MakeCanvas,
  signal?: AbortSignal,
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
  const issues: { item: number; issue: Issue }[] = [];
  for (const [index, item] of painting.items.entries()) {
    signal?.throwIfAborted();
    const list = await listOf(renderContext, item);
    issues.push(...list.issues.map((issue) => ({ item: index, issue })));
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

async function paintItem(
  renderContext: RenderContext,
  ctx: Context2D,
  painting: Painting,
  item: PaintingItem,
  list: DisplayList,
  makeCanvas: MakeCanvas,
): Promise<void> {
  const { scale, bleed, turn } = item;
  const sideways = turn === 90 || turn === 270;
  const [w, h] = [list.w as number, list.h as number];
  const [left, top] = [Math.round(item.x - bleed * scale), Math.round(item.y - bleed * scale)];
  const right = Math.round(item.x + ((sideways ? h : w) + bleed) * scale);
  const bottom = Math.round(item.y + ((sideways ? w : h) + bleed) * scale);
  const [width, height] = sideways ? [bottom - top, right - left] : [right - left, bottom - top];
  if (width <= 0 || height <= 0) return;
  const inside = { x: bleed * scale, y: bleed * scale };
  const options = { scale, bleed: true, clipToTrim: item.clipToTrim, forFile: true };
  const whole = left <= 0 && top <= 0 && right >= painting.width && bottom >= painting.height;
  if (turn === 0 && whole && painting.items.length === 1) {
    refuseTooLarge(painting.width, painting.height, canvasesOf(list.ops));
    await renderContext.paint(ctx, list, { ...options, origin: { x: item.x, y: item.y } });
    return;
  }
  refuseTooLarge(width, height, canvasesOf(list.ops));
  const card = makeCanvas(width, height);
  await renderContext.paint(context(card), list, { ...options, origin: inside });
  ctx.save();
  ctx.translate((left + right) / 2, (top + bottom) / 2);
  ctx.rotate((turn * Math.PI) / 180);
  ctx.drawImage(card, -width / 2, -height / 2);
  ctx.restore();
  freeCanvas(card);
}
