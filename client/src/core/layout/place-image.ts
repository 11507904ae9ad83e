import type { ImageOp } from '../scene/display-list.ts';
import type { Rect } from '../scene/matrix.ts';
import { rectOutline } from '../scene/outline.ts';
import type { Radii } from '../scene/paint.ts';
import type { ImagePlacement } from '../scene/zone.ts';
import type { ImageSize } from './assets.ts';

/** Where an image lies so that it covers, is contained in or fills a box. */
export function imageBox(placement: ImagePlacement, image: ImageSize, box: Rect): Rect {
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

export function imageOp(
  source: string,
  placement: ImagePlacement,
  image: ImageSize,
  box: Rect,
  radii: Radii,
  opacity = 1,
): ImageOp {
  return {
    op: 'image',
    image: source,
    box: imageBox(placement, image, box),
    clip: rectOutline(box, radii),
    opacity,
  };
}
