import type { ImageOp } from '../../core/scene/display/display-list.ts';
import type { Rect } from '../../core/scene/display/matrix.ts';

/** Box of the whole image when a part of it fills the box. */
export function wholeBox({ box, crop }: Pick<ImageOp, 'box' | 'crop'>): Rect {
  if (!crop) return box;
  const [w, h] = [box.w / crop.w, box.h / crop.h];
  return { x: box.x - crop.x * w, y: box.y - crop.y * h, w, h };
}
