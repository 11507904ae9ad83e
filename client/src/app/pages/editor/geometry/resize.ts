/** A zone's place and size in its parent, in millimetres, and its turn about its centre in degrees. */
export interface TurnedBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly rotation: number;
}

/** Compass points of the eight handles. */
export type Handle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w';
export const HANDLES: readonly Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

/** Smallest side a drag leaves, in millimetres. */
export const MIN_SIDE_MM = 0.5;

/** Constraints on dragging a handle. */
export interface ResizeOptions {
  /** Keep the proportions (corner handles only). */
  readonly keepRatio?: boolean;
  /** Rounds a coordinate of an edge; applied to zones that are not turned. */
  readonly snap?: (value: number, axis: 'x' | 'y') => number;
}

const signX = (handle: Handle) => (handle.includes('e') ? 1 : handle.includes('w') ? -1 : 0);
const signY = (handle: Handle) => (handle.includes('s') ? 1 : handle.includes('n') ? -1 : 0);

/** Turns a vector clockwise. */
export function turn(x: number, y: number, degrees: number): { x: number; y: number } {
  const radians = (degrees * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/**
 * The box after a handle is dragged by (dx, dy), given in the parent's coordinates. The opposite
 * corner (or edge) stays where it is, however the zone is turned.
 */
export function resizeBox(
  start: TurnedBox,
  handle: Handle,
  dx: number,
  dy: number,
  options: ResizeOptions = {},
): TurnedBox {
  const sx = signX(handle);
  const sy = signY(handle);
  const own = turn(dx, dy, -start.rotation);
  let w = start.w + own.x * sx;
  let h = start.h + own.y * sy;
  const { snap } = options;
  if (snap && start.rotation % 360 === 0) {
    if (sx > 0) w = snap(start.x + w, 'x') - start.x;
    if (sx < 0) w = start.x + start.w - snap(start.x + start.w - w, 'x');
    if (sy > 0) h = snap(start.y + h, 'y') - start.y;
    if (sy < 0) h = start.y + start.h - snap(start.y + start.h - h, 'y');
  }
  if (options.keepRatio && sx !== 0 && sy !== 0 && start.w > 0 && start.h > 0) {
    const scale = Math.max(w / start.w, h / start.h);
    w = start.w * scale;
    h = start.h * scale;
  }
  w = Math.max(MIN_SIDE_MM, w);
  h = Math.max(MIN_SIDE_MM, h);
  // The centre moves by half of what was added, along the zone's own axes.
  const shift = turn(((w - start.w) * sx) / 2, ((h - start.h) * sy) / 2, start.rotation);
  const cx = start.x + start.w / 2 + shift.x;
  const cy = start.y + start.h / 2 + shift.y;
  return { x: cx - w / 2, y: cy - h / 2, w, h, rotation: start.rotation };
}

/** A corner (or edge's middle) of a box, in the parent's coordinates. */
export function anchorOf(box: TurnedBox, handle: Handle): { x: number; y: number } {
  const offset = turn((signX(handle) * box.w) / 2, (signY(handle) * box.h) / 2, box.rotation);
  return { x: box.x + box.w / 2 + offset.x, y: box.y + box.h / 2 + offset.y };
}

const OPPOSITE: Readonly<Record<Handle, Handle>> = {
  nw: 'se',
  n: 's',
  ne: 'sw',
  e: 'w',
  se: 'nw',
  s: 'n',
  sw: 'ne',
  w: 'e',
};

/** The handle across. */
export const oppositeOf = (handle: Handle): Handle => OPPOSITE[handle];
