/** A rectangle of whole pixels. */
export interface Area extends Point {
  readonly w: number;
  readonly h: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const isEmpty = ({ w, h }: Area): boolean => w <= 0 || h <= 0;

/** The part of an area that lies in another one; its width or height is not above zero if there is none. */
export function cut(a: Area, b: Area): Area {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  return { x, y, w: Math.min(a.x + a.w, b.x + b.w) - x, h: Math.min(a.y + a.h, b.y + b.h) - y };
}

/** True if all of `inner` lies in `outer`. */
export const covers = (outer: Area, inner: Area): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.w <= outer.x + outer.w &&
  inner.y + inner.h <= outer.y + outer.h;

/** The parts of an area around one that lies in it. */
export function without({ x, y, w, h }: Area, hole: Area): readonly Area[] {
  const [right, bottom] = [hole.x + hole.w, hole.y + hole.h];
  return [
    { x, y, w, h: hole.y - y },
    { x, y: bottom, w, h: y + h - bottom },
    { x, y: hole.y, w: hole.x - x, h: hole.h },
    { x: right, y: hole.y, w: x + w - right, h: hole.h },
  ].filter((part) => !isEmpty(part));
}
