import type { PDFContext, PDFRef } from '@cantoo/pdf-lib';
import type { Rgba } from '../../../core/scene/display/display-list.ts';
import type { Rect } from '../../../core/scene/display/matrix.ts';
import { blur, type Contours, coverage } from '../../contours/coverage.ts';

/** A blurred shape as an image of one colour behind a soft mask. */
export interface SoftShadow {
  readonly image: PDFRef;
  /** Box of the image, in millimetres. */
  readonly box: Rect;
}

/** A blur has no detail finer than a third of its deviation. */
const PIXELS_PER_SIGMA = 3;
/** Most pixels per millimetre: 600 dpi. */
const MAX_PX_PER_MM = 23.6;
/** Longest side of a mask in pixels; larger shadows get coarser. */
const MAX_MASK_PX = 1_500;
const REACH_SIGMAS = 3;

/**
 * @param bounds of the shape, in millimetres
 * @param contoursAt the shape's contours in pixels, for a scale and a corner
 * @param sigma deviation of the blur in millimetres, above 0
 */
export function softShadow(
  context: PDFContext,
  bounds: Rect,
  sigma: number,
  [r, g, b]: Rgba,
  contoursAt: (scale: number, x: number, y: number) => Contours,
): SoftShadow {
  const reach = REACH_SIGMAS * sigma;
  const x = bounds.x - reach;
  const y = bounds.y - reach;
  const longest = Math.max(bounds.w, bounds.h) + 2 * reach;
  const scale = Math.min(PIXELS_PER_SIGMA / sigma, MAX_PX_PER_MM, MAX_MASK_PX / longest);
  const width = Math.max(1, Math.ceil((bounds.w + 2 * reach) * scale));
  const height = Math.max(1, Math.ceil((bounds.h + 2 * reach) * scale));
  const mask = blur(coverage(contoursAt(scale, x, y), width, height), sigma * scale);
  const size = { Type: 'XObject', Subtype: 'Image', BitsPerComponent: 8 };
  const soft = context.register(
    context.flateStream(mask.data, {
      ...size,
      Width: width,
      Height: height,
      ColorSpace: 'DeviceGray',
      Interpolate: true,
    }),
  );
  const image = context.register(
    context.flateStream(Uint8Array.of(r, g, b), {
      ...size,
      Width: 1,
      Height: 1,
      ColorSpace: 'DeviceRGB',
      SMask: soft,
    }),
  );
  return { image, box: { x, y, w: width / scale, h: height / scale } };
}
