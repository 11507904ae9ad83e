import { AREA_GAP, AREA_HEAD } from '../box/set-up.ts';
import type { BackLook } from '../protocol/looks.ts';
import type { Handle, Shown } from '../protocol/messages.ts';
import { contentsOf } from './contents.ts';
import type { TableView } from './view.ts';

/**
 * Places of everything on the table's first surface, in the order in which it is painted. Tenths of a millimetre;
 * positions are centres.
 */
export interface Placed {
  readonly handle: Handle;
  readonly shown: Shown;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Degrees clockwise. */
  readonly turn: number;
  /** Area or pile that it lies in. */
  readonly inside?: Handle;
  /** The top piece of a pile, if it is seen. */
  readonly top?: Shown;
}

/** Sizes of things without one of their own. */
const PLAIN: readonly [number, number] = [635, 889];
const NOTE: readonly [number, number] = [700, 500];
const BAG: readonly [number, number] = [700, 800];
/** Also the size of an area that a new step makes. */
export const AREA: readonly [number, number] = [2_000, 1_200];
/** A round counter or timer. */
const COUNTER: readonly [number, number] = [300, 300];

type Looks = Pick<TableView, 'backs' | 'pieces'>;

const tenths = ({ size }: BackLook): readonly [number, number] => [size.w * 10, size.h * 10];

/** True for a part of the table that pieces lie in side by side. */
export const isArea = ({ container }: Shown): boolean =>
  container?.kind === 'zone' || container?.kind === 'tray';

/** Width and height of a piece. */
export function sizeOf(view: Looks, shown: Shown, top?: Shown): readonly [number, number] {
  const { container, back, kind } = shown;
  if (container) {
    const [w, h] = container.size;
    if (isArea(shown)) return w > 0 && h > 0 ? [w, h] : AREA;
    if (container.kind === 'bag') return w > 0 && h > 0 ? [w, h] : BAG;
    if (top) return sizeOf(view, top);
    return w > 0 && h > 0 ? [w, h] : PLAIN;
  }
  const look = back === undefined ? undefined : view.backs.get(back);
  if (look) return tenths(look);
  if (kind === 'note') return NOTE;
  return kind === 'counter' || kind === 'timer' ? COUNTER : PLAIN;
}

/** Order of painting: boards lie under areas, those under the rest; what was put down last lies on top. */
function layer(shown: Shown): number {
  if (shown.kind === 'board') return 0;
  return isArea(shown) ? 1 : 2;
}

/** Everything that lies on the surface. Hands lie beside the table. */
export function arranged(view: Pick<TableView, 'backs' | 'pieces'>): readonly Placed[] {
  const contents = contentsOf(view.pieces);
  const free = [...view.pieces].filter(
    ([, shown]) => shown.holder === undefined && shown.container?.kind !== 'hand',
  );
  free.sort(([, a], [, b]) => layer(a) - layer(b) || a.z - b.z);
  return free.flatMap(([handle, shown]) => placed(view, contents, handle, shown, shown.x, shown.y));
}

function placed(
  view: Looks,
  contents: ReadonlyMap<Handle, readonly Handle[]>,
  handle: Handle,
  shown: Shown,
  x: number,
  y: number,
  inside?: Handle,
): Placed[] {
  const { container, turn = 0 } = shown;
  const within = contents.get(handle) ?? [];
  const top = container?.kind === 'stack' ? topOf(view, shown, within) : undefined;
  const [w, h] = sizeOf(view, shown, top);
  const own: Placed = {
    handle,
    shown,
    x,
    y,
    w,
    h,
    turn: top?.turn ? turn + top.turn : turn,
    ...(inside !== undefined && { inside }),
    ...(top && { top }),
  };
  if (!container || !isArea(shown)) return [own];
  const shownInside = within.flatMap((inner) => {
    const piece = view.pieces.get(inner);
    return piece ? [[inner, piece] as const] : [];
  });
  const spots =
    container.arrangement === 'free'
      ? shownInside.map(([, piece]) => ({ x: x + piece.x, y: y + piece.y }))
      : spotsIn(
          view,
          own,
          shownInside.map(([, piece]) => piece),
        );
  return [
    own,
    ...shownInside.flatMap(([inner, piece], index) => {
      const spot = spots[index] ?? { x, y };
      return placed(view, contents, inner, piece, spot.x, spot.y, handle);
    }),
  ];
}

/** The top of a pile, unless somebody who looks through it is shown all of it. */
function topOf(view: Looks, { container }: Shown, within: readonly Handle[]): Shown | undefined {
  const last = within.at(-1);
  const piece = last === undefined ? undefined : view.pieces.get(last);
  if (!piece || (container?.count !== undefined && piece.at !== container.count - 1)) return undefined;
  return piece;
}

/** Places in rows from the top left of an area. */
function spotsIn(view: Looks, area: Placed, pieces: readonly Shown[]): { x: number; y: number }[] {
  const sizes = pieces.map((piece) => sizeOf(view, piece));
  const cellW = Math.max(1, ...sizes.map(([w]) => w)) + AREA_GAP;
  const cellH = Math.max(1, ...sizes.map(([, h]) => h)) + AREA_GAP;
  const columns = Math.max(1, Math.floor((area.w - AREA_GAP) / cellW));
  const left = area.x - (columns * cellW) / 2;
  const top = area.y - area.h / 2 + AREA_HEAD;
  return pieces.map((_, index) => ({
    x: left + (index % columns) * cellW + cellW / 2,
    y: top + Math.floor(index / columns) * cellH + cellH / 2,
  }));
}

/** True if a point is inside of something that lies there. */
export function covers(
  { x, y, w, h, turn }: Pick<Placed, 'x' | 'y' | 'w' | 'h' | 'turn'>,
  px: number,
  py: number,
): boolean {
  const angle = (-turn * Math.PI) / 180;
  const [dx, dy] = [px - x, py - y];
  const along = dx * Math.cos(angle) - dy * Math.sin(angle);
  const across = dx * Math.sin(angle) + dy * Math.cos(angle);
  return Math.abs(along) <= w / 2 && Math.abs(across) <= h / 2;
}

/** The topmost thing at a point. */
export function topmost(
  all: readonly Placed[],
  x: number,
  y: number,
  but: ReadonlySet<Handle> = new Set(),
): Placed | undefined {
  return all.findLast((one) => !but.has(one.handle) && !but.has(one.inside ?? '') && covers(one, x, y));
}

/** The rectangle around all of it; undefined for an empty table. */
export function boundsOf(
  all: readonly Placed[],
): { readonly x: number; readonly y: number; readonly w: number; readonly h: number } | undefined {
  if (all.length === 0) return undefined;
  const half = ({ w, h, turn }: Placed) =>
    (turn % 180 === 0 ? [w / 2, h / 2] : [Math.hypot(w, h) / 2, Math.hypot(w, h) / 2]) as [number, number];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const one of all) {
    const [dx, dy] = half(one);
    left = Math.min(left, one.x - dx);
    right = Math.max(right, one.x + dx);
    top = Math.min(top, one.y - dy);
    bottom = Math.max(bottom, one.y + dy);
  }
  return { x: left, y: top, w: right - left, h: bottom - top };
}
