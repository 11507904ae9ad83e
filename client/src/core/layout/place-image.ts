import type { ImageOp, MaskPaint, Op, Outline } from '../scene/display/display-list.ts';
import { IDENTITY, type Rect } from '../scene/display/matrix.ts';
import type { ImagePlacement } from '../scene/style/image-placement.ts';
import type { Mask } from '../scene/style/paint.ts';
import type { ImageSize } from './assets.ts';

/** Box of an image that covers, is contained in or fills a box. */
export function imageBox(
  placement: Pick<ImagePlacement, 'fit' | 'posX' | 'posY' | 'scale'>,
  image: ImageSize,
  box: Rect,
): Rect {
  let { w, h } = box;
  if (placement.fit !== 'stretch' && image.w > 0 && image.h > 0) {
    const ratios = [box.w / image.w, box.h / image.h];
    const factor = placement.fit === 'cover' ? Math.max(...ratios) : Math.min(...ratios);
    w = image.w * factor;
    h = image.h * factor;
  }
  w *= placement.scale;
  h *= placement.scale;
  return {
    x: box.x + ((box.w - w) * placement.posX) / 100,
    y: box.y + ((box.h - h) * placement.posY) / 100,
    w,
    h,
  };
}

/** Most tiles of one image; finer tiles are enlarged to stay below it. */
export const MAX_TILES = 1_000;
/** Pieces of a nine-slice overlap by this much, so that no seam shows between them. */
const OVERLAP_MM = 0.02;

/** Operations that paint an image inside an outline. */
export function imageOps(
  source: string,
  placement: ImagePlacement,
  image: ImageSize,
  box: Rect,
  outline: Outline,
  opacity = 1,
): Op[] {
  const shown = shownPart(image);
  if (placement.fit === 'tile' || placement.fit === 'nine-slice') {
    const pieces: readonly Pick<ImageOp, 'box' | 'crop'>[] =
      placement.fit === 'tile' ? tiles(placement, shown, box) : slices(placement, shown, box);
    const ops = pieces.map(
      ({ box: place, crop }): Op => ({
        op: 'image',
        image: source,
        clip: null,
        opacity,
        box: place,
        ...cropOf(image, crop),
      }),
    );
    return [{ ...CLIPPED, clip: outline }, ...ops, { op: 'pop' }];
  }
  const place = imageBox(focused(placement, image), shown, box);
  return [{ op: 'image', image: source, box: place, clip: outline, opacity, ...cropOf(image) }];
}

/** Paint of an image as a mask of a box; its crop and point of focus count as when it is shown. */
export function maskPaint({ source, fit, by }: Mask, image: ImageSize, box: Rect): MaskPaint {
  const placement = focused({ fit, posX: 50, posY: 50, scale: 1 }, image);
  return { image: source, box: imageBox(placement, shownPart(image), box), by, ...cropOf(image) };
}

/** Size of what is shown of an image. */
function shownPart({ w, h, crop }: ImageSize): ImageSize {
  return crop ? { w: w * crop.w, h: h * crop.h } : { w, h };
}

/** Part of the whole image, for a part of its crop. */
function cropOf({ crop }: ImageSize, part?: Rect): { crop?: Rect } {
  if (!crop) return part ? { crop: part } : {};
  if (!part) return { crop };
  return {
    crop: {
      x: crop.x + part.x * crop.w,
      y: crop.y + part.y * crop.h,
      w: part.w * crop.w,
      h: part.h * crop.h,
    },
  };
}

/** A centred placement yields to the image's own point of focus. */
function focused<P extends Pick<ImagePlacement, 'fit' | 'posX' | 'posY'>>(
  placement: P,
  { focus, crop }: ImageSize,
): P {
  if (!focus || placement.fit !== 'cover' || placement.posX !== 50 || placement.posY !== 50) return placement;
  const share = (at: number, from: number, length: number) =>
    100 * Math.min(1, Math.max(0, (at - from) / length));
  return {
    ...placement,
    posX: share(focus.x, crop?.x ?? 0, crop?.w ?? 1),
    posY: share(focus.y, crop?.y ?? 0, crop?.h ?? 1),
  };
}

const CLIPPED = { op: 'push', matrix: IDENTITY, opacity: 1, blend: 'normal' } as const;

function tiles(placement: ImagePlacement, image: ImageSize, box: Rect): Pick<ImageOp, 'box'>[] {
  const ratio = image.w > 0 ? image.h / image.w : 1;
  let w = Math.max(0.1, placement.tile * placement.scale);
  const count = (box.w / w + 1) * (box.h / (w * ratio) + 1);
  if (count > MAX_TILES) w *= Math.sqrt(count / MAX_TILES);
  const h = w * ratio;
  // The tile that `posX` and `posY` place; the others surround it.
  const left = firstBefore(((box.w - w) * placement.posX) / 100, w);
  const top = firstBefore(((box.h - h) * placement.posY) / 100, h);
  const found: Pick<ImageOp, 'box'>[] = [];
  for (let y = top; y < box.h; y += h) {
    for (let x = left; x < box.w; x += w) found.push({ box: { x: box.x + x, y: box.y + y, w, h } });
  }
  return found;
}

/** The place of the tile that reaches over the box's edge. */
function firstBefore(at: number, step: number): number {
  const rest = at % step;
  return rest > 0 ? rest - step : rest;
}

function slices(placement: ImagePlacement, image: ImageSize, box: Rect): Pick<ImageOp, 'box' | 'crop'>[] {
  const [top, right, bottom, left] = placement.slice.map((share) => share / 100) as [
    number,
    number,
    number,
    number,
  ];
  const width = placement.sliceWidth * placement.scale;
  // Corners keep their proportions: the left one is `width` wide, the others to the same scale.
  const unit =
    left > 0
      ? width / (left * image.w)
      : right > 0
        ? width / (right * image.w)
        : width / Math.max(1, image.h * Math.max(top, bottom, 0.01));
  const shrink = Math.min(
    1,
    box.w / Math.max(1e-9, (left + right) * image.w * unit),
    box.h / Math.max(1e-9, (top + bottom) * image.h * unit),
  );
  const x = bands(box.x, box.w, left * image.w * unit * shrink, right * image.w * unit * shrink, left, right);
  const y = bands(box.y, box.h, top * image.h * unit * shrink, bottom * image.h * unit * shrink, top, bottom);
  const found: Pick<ImageOp, 'box' | 'crop'>[] = [];
  for (const row of y) {
    for (const column of x) {
      if (row.size <= 0 || column.size <= 0 || row.share <= 0 || column.share <= 0) continue;
      found.push({
        box: { x: column.at, y: row.at, w: column.size + column.over, h: row.size + row.over },
        crop: { x: column.from, y: row.from, w: column.share, h: row.share },
      });
    }
  }
  return found;
}

interface Band {
  readonly at: number;
  readonly size: number;
  readonly over: number;
  readonly from: number;
  readonly share: number;
}

function bands(start: number, length: number, first: number, last: number, from: number, to: number): Band[] {
  return [
    { at: start, size: first, over: OVERLAP_MM, from: 0, share: from },
    { at: start + first, size: length - first - last, over: OVERLAP_MM, from, share: 1 - from - to },
    { at: start + length - last, size: last, over: 0, from: 1 - to, share: to },
  ];
}
