import { valueFingerprint } from '../../imposition/job/fingerprint.ts';
import type { Op } from '../../scene/display/display-list.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import type { Box, Piece } from '../typesetting/box.ts';
import type { PlacedBox } from './fill.ts';
import type { PageFormat } from './formats.ts';
import type { BarePage, PageColumn } from './pages.ts';

/** A box on its page, in millimetres from the page's top left. */
export interface PageBox {
  readonly block: string;
  readonly area: Rect;
  /** Edges of what it sets, and of its column. */
  readonly ink: { readonly from: number; readonly to: number };
  readonly column: { readonly from: number; readonly to: number; readonly bottom: number };
  readonly grid: boolean;
  readonly keep: boolean;
  readonly repeated: boolean;
}

/** A finished page, in millimetres. Its content is made once somebody looks at it: of a long rulebook few pages are. */
export interface Page {
  /** From 1; odd pages are right ones. */
  readonly number: number;
  readonly w: number;
  readonly h: number;
  /** In the order in which they are painted, and read. */
  readonly pieces: readonly Piece[];
  readonly boxes: readonly PageBox[];
  /** The same text is the same picture, as long as one cache is used. */
  readonly mark: string;
}

/** @param head its running head and number */
export function paintedPage(
  { number, columns }: BarePage,
  { w, h }: PageFormat,
  head: readonly Piece[],
): Page {
  let pieces: readonly Piece[] | undefined;
  return {
    number,
    w,
    h,
    boxes: columns.flatMap(boxesOf),
    get pieces() {
      pieces ??= [...columns.flatMap((column) => [...painted(column)]), ...head];
      return pieces;
    },
    get mark() {
      return valueFingerprint([columns.map(markOf), head.map(({ ops }) => ops)]);
    },
  };
}

const boxesOf = ({ placed, x, w, top, bottom }: PageColumn): PageBox[] =>
  placed.map(({ box, y, repeated }) => ({
    block: box.block,
    area: { x, y: top + y, w, h: box.h },
    ink: { from: x + box.ink.from, to: x + box.ink.to },
    column: { from: x, to: x + w, bottom },
    grid: box.grid,
    keep: box.keep,
    repeated,
  }));

function* painted({ placed, x, w, top }: PageColumn): Generator<Piece> {
  for (const frame of framesOf(placed)) {
    yield { path: [], ops: frame.paint({ x, y: top + frame.top, w, h: frame.bottom - frame.top }) };
  }
  for (const { box, y, repeated } of placed) {
    for (const piece of box.paint(x, top + y)) yield repeated ? { path: [], ops: piece.ops } : piece;
  }
}

/** The painters of a column's boxes and of the frames behind them, and their places. */
const markOf = ({ placed, x, w, top }: PageColumn): number[] => [
  ...[x, w, top],
  ...placed.flatMap(({ box, y }) => [nameOf(box.paint), box.group?.frame ? nameOf(box.group.frame) : 0, y]),
];

/** Painters are told apart by numbers: a block that was not composed again paints the same. */
const names = new WeakMap<object, number>();
let named = 0;
function nameOf(paint: object): number {
  const known = names.get(paint) ?? ++named;
  names.set(paint, known);
  return known;
}

interface GroupFrame {
  readonly top: number;
  bottom: number;
  readonly paint: (room: Rect) => readonly Op[];
}

/** The backgrounds of the groups in a column. */
function framesOf(placed: readonly PlacedBox[]): GroupFrame[] {
  const frames: GroupFrame[] = [];
  let last: Box['group'] = null;
  for (const [at, { box, y }] of placed.entries()) {
    const { group } = box;
    const frame = frames.at(-1);
    if (group?.frame && group === last && frame) {
      const tail = placed[at + 1] === undefined && !isEnd(box) ? group.tail : 0;
      frame.bottom = y + box.h + tail;
    } else if (group?.frame) frames.push({ top: y, bottom: y + box.h, paint: group.frame });
    last = group;
  }
  return frames;
}

/** The last box of a group is its own space below. */
const isEnd = (box: Box): boolean => !box.grid && box.h === box.group?.tail;
