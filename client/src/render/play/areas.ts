import type { Rect } from '../../core/scene/display/matrix.ts';

/** True for an area, a rectangle of whole pixels, without any. */
export const isEmpty = ({ w, h }: Rect): boolean => w <= 0 || h <= 0;

/** True if all of `inner` lies in `outer`. */
export const covers = (outer: Rect, inner: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.w <= outer.x + outer.w &&
  inner.y + inner.h <= outer.y + outer.h;

/** The parts of an area around one that lies in it. */
export function without({ x, y, w, h }: Rect, hole: Rect): readonly Rect[] {
  const [right, bottom] = [hole.x + hole.w, hole.y + hole.h];
  return [
    { x, y, w, h: hole.y - y },
    { x, y: bottom, w, h: y + h - bottom },
    { x, y: hole.y, w: hole.x - x, h: hole.h },
    { x: right, y: hole.y, w: x + w - right, h: hole.h },
  ].filter((part) => !isEmpty(part));
}
