import type { Act, Handle, Pointer } from '../../../../core/play/protocol/messages.ts';
import { covers, isArea, type Placed, topmost } from '../../../../core/play/view/arrange.ts';
import { contentsOf } from '../../../../core/play/view/contents.ts';
import type { TableView } from '../../../../core/play/view/view.ts';
import type { Drag } from '../../../../render/play/table-scene.ts';

/** Least way of a drag, in CSS pixels: shorter ones are clicks. */
export const DRAG_FROM_PX = 5;

/** Share of a pile's width and height around its middle from which its top piece is drawn; its rim moves the pile. */
const TOP_SHARE = 0.72;

/** True if a point of a pile is on its rim. */
const onRim = (pile: Placed, x: number, y: number): boolean =>
  !covers({ ...pile, w: pile.w * TOP_SHARE, h: pile.h * TOP_SHARE }, x, y);

/**
 * The things that a drag beginning on a thing moves: the selection of several, the top of a pile, or the thing itself. One
 * that is selected alone is dragged as if it were not: pressing on it has selected it.
 */
export function draggedFrom(
  view: Pick<TableView, 'pieces'>,
  under: Placed,
  [x, y]: readonly [number, number],
  selected: readonly Handle[],
  whole: boolean,
): readonly Handle[] {
  if (selected.length > 1 && selected.includes(under.handle)) return selected;
  const { container } = under.shown;
  if (container?.kind !== 'stack' || whole || onRim(under, x, y)) return [under.handle];
  const top = contentsOf(view.pieces).get(under.handle)?.at(-1);
  return top === undefined ? [under.handle] : [top];
}

/** The things that somebody else drags: their pointer tells where it began. */
export function draggedBy(
  view: Pick<TableView, 'pieces'>,
  placed: readonly Placed[],
  [, x, y, drag]: Pointer,
): Drag | undefined {
  if (!drag) return undefined;
  const [dx, dy] = drag;
  const from = [x - dx, y - dy] as const;
  const under = topmost(placed, ...from);
  if (!under || isGround(under, [], under.handle)) return undefined;
  return { handles: new Set(draggedFrom(view, under, from, [], false)), dx, dy };
}

/** True if a drag on a thing pans or selects instead: boards and areas lie under what is played with. */
export function isGround({ shown }: Placed, selected: readonly Handle[], handle: Handle): boolean {
  if (shown.locked) return true;
  return (shown.kind === 'board' || isArea(shown)) && !selected.includes(handle);
}

/** The pile or area that pieces would go to when they are let go at a point. */
export function targetAt(
  view: Pick<TableView, 'pieces'>,
  placed: readonly Placed[],
  dragged: readonly Handle[],
  x: number,
  y: number,
): Placed | undefined {
  const moving = new Set(dragged);
  const under = topmost(placed, x, y, moving);
  const found = under?.shown.container
    ? under
    : under?.inside !== undefined
      ? placed.find(({ handle }) => handle === under.inside)
      : undefined;
  if (!found || !dragged.every((handle) => fits(view, handle, found))) return undefined;
  return found;
}

function fits({ pieces }: Pick<TableView, 'pieces'>, handle: Handle, { shown }: Placed): boolean {
  const piece = pieces.get(handle);
  const inner = piece?.container;
  const area = isArea(shown);
  if (inner) return area && (inner.kind === 'stack' || inner.kind === 'bag');
  return area || (piece?.kind !== 'board' && piece?.kind !== 'note');
}

/** A place on the table, and the angle that pieces take there; without one they keep theirs. */
export interface Rest {
  readonly x: number;
  readonly y: number;
  readonly piecesTurn?: number | undefined;
}

/** The act of moving pieces to a place on the table. */
export const moveTo = (pieces: readonly Handle[], { x, y, piecesTurn }: Rest): Act => ({
  verb: 'move',
  pieces,
  to: { surface: 0, x: Math.round(x), y: Math.round(y) },
  ...(piecesTurn !== undefined && { turn: Math.round(piecesTurn) % 360 }),
});

/** The act of letting pieces go: into a pile or area, or on the table so far from their place. */
export function dropAct(
  view: Pick<TableView, 'pieces'>,
  dragged: readonly Handle[],
  target: Placed | undefined,
  at: Rest,
): Act | undefined {
  const [lead] = dragged;
  if (lead === undefined) return undefined;
  if (target) {
    const area = isArea(target.shown);
    const already = dragged.every((handle) => view.pieces.get(handle)?.holder === target.handle);
    const free = target.shown.container?.arrangement === 'free';
    if (already && !(area && free)) return undefined;
    const xy = [Math.round(at.x - target.x), Math.round(at.y - target.y)];
    return { verb: 'drop', pieces: dragged, into: target.handle, ...(area && { xy }) };
  }
  return moveTo(dragged, at);
}

/** The place of the first dragged piece before the drag: that of its pile where it lies in one. */
export function startOf(
  view: Pick<TableView, 'pieces'>,
  placed: readonly Placed[],
  handle: Handle,
): Placed | undefined {
  const own = placed.find((one) => one.handle === handle);
  if (own) return own;
  const holder = view.pieces.get(handle)?.holder;
  return holder === undefined ? undefined : placed.find((one) => one.handle === holder);
}
