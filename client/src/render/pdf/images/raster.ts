import type { PDFContext, PDFRef } from '@cantoo/pdf-lib';
import type { DisplayList, Op, RasterReason } from '../../../core/scene/display/display-list.ts';
import { IDENTITY, invert, type Matrix, multiply, type Rect } from '../../../core/scene/display/matrix.ts';
import { boundsOfOps, boxUnder, intersect, outset } from '../../canvas/bounds.ts';
import { canvasesOf } from '../../canvas/layers.ts';

/**
 * Rasterises the features that vectors lack, with the canvas painter: filters, masks, conic gradients and colour emoji
 * (see `RasterReason`). The text under such an image is set invisibly, so that it can still be found and copied.
 */

/** Longest side of such an image, in pixels; larger ones get coarser. */
const MAX_SIDE_PX = 8_000;
/** Most pixels of one: painted they take 64 MB. */
const MAX_PIXELS = 16_000_000;
/** Most pixels of all canvases that painting one needs at once, nested effects included: 256 MB. */
export const MAX_PIXELS_AT_ONCE = 64_000_000;

/** Unpremultiplied red, green, blue and alpha, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Paints operations on a transparent background; `matrix` maps them to pixels. */
export type Rasterise = (
  list: DisplayList,
  ops: readonly Op[],
  matrix: Matrix,
  width: number,
  height: number,
) => Promise<Pixels>;

/** A group of a list that becomes an image. */
export interface RasterGroup {
  /** Index of its `push`. */
  readonly start: number;
  /** Index of its `pop`. */
  readonly end: number;
  readonly reason: RasterReason;
  /** The part of it on the card, in the group's coordinates. */
  readonly box: Rect;
}

/** The outermost groups that become images. @param shown the part of the card that is printed */
export function rasterGroups(list: DisplayList, shown: Rect): RasterGroup[] {
  const groups: RasterGroup[] = [];
  const matrices: Matrix[] = [];
  let matrix = IDENTITY;
  for (let index = 0; index < list.ops.length; index++) {
    const op = list.ops[index];
    if (op?.op === 'push') {
      if (op.raster) {
        const end = endOf(list.ops, index);
        const back = invert(matrix);
        const view = back ? boxUnder(back, shown) : shown;
        const box = intersect(outset(boundsOfOps(list.ops.slice(index, end + 1)), 0.1), view);
        groups.push({ start: index, end, reason: op.raster, box });
        index = end;
        continue;
      }
      matrices.push(matrix);
      matrix = multiply(matrix, op.matrix);
    } else if (op?.op === 'pop') matrix = matrices.pop() ?? IDENTITY;
  }
  return groups;
}

/** The `pop` of the group that opens at `start`. */
function endOf(ops: readonly Op[], start: number): number {
  let depth = 0;
  for (let index = start; index < ops.length; index++) {
    const op = ops[index]?.op;
    if (op === 'push') depth++;
    else if (op === 'pop' && --depth === 0) return index;
  }
  return ops.length - 1;
}

/** A group's image in the document. */
export interface RasterImage {
  readonly group: RasterGroup;
  readonly image: PDFRef;
}

/** Images already in the document, by content: cards share what they have in common. */
export type RasterCache = Map<string, PDFRef>;

/** @param dpi dots per inch of the images */
export async function rasterImages(
  list: DisplayList,
  shown: Rect,
  rasterise: Rasterise,
  context: PDFContext,
  cache: RasterCache,
  dpi: number,
): Promise<Map<number, RasterImage>> {
  const images = new Map<number, RasterImage>();
  for (const group of rasterGroups(list, shown)) {
    const { box, start, end } = group;
    if (box.w <= 0 || box.h <= 0) continue;
    const ops = list.ops.slice(start, end + 1);
    const key = JSON.stringify([box, ops]);
    let image = cache.get(key);
    if (!image) {
      const scale = Math.min(
        dpi / 25.4,
        MAX_SIDE_PX / Math.max(box.w, box.h),
        Math.sqrt(Math.min(MAX_PIXELS, MAX_PIXELS_AT_ONCE / canvasesOf(ops)) / (box.w * box.h)),
      );
      const width = Math.max(1, Math.ceil(box.w * scale));
      const height = Math.max(1, Math.ceil(box.h * scale));
      const matrix: Matrix = [
        width / box.w,
        0,
        0,
        height / box.h,
        (-box.x * width) / box.w,
        (-box.y * height) / box.h,
      ];
      image = embedPixels(context, await rasterise(list, ops, matrix, width, height));
      cache.set(key, image);
    }
    images.set(start, { group, image });
  }
  return images;
}

function embedPixels(context: PDFContext, { width, height, data }: Pixels): PDFRef {
  const colours = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let at = 0; at < alpha.length; at++) {
    colours[3 * at] = data[4 * at] ?? 0;
    colours[3 * at + 1] = data[4 * at + 1] ?? 0;
    colours[3 * at + 2] = data[4 * at + 2] ?? 0;
    alpha[at] = data[4 * at + 3] ?? 0;
  }
  const size = { Type: 'XObject', Subtype: 'Image', BitsPerComponent: 8, Width: width, Height: height };
  const mask = context.register(context.flateStream(alpha, { ...size, ColorSpace: 'DeviceGray' }));
  return context.register(context.flateStream(colours, { ...size, ColorSpace: 'DeviceRGB', SMask: mask }));
}
