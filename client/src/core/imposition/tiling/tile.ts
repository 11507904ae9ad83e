import { columnLetters } from '../../board/labels.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import { ImpositionError } from '../error.ts';
import { type FoldLine, foldLines } from '../folding/fold.ts';
import { type PageSpec, type PrintSettings, pageName, pageSize } from '../settings.ts';
import type { CellAxis } from '../sheets/cells.ts';
import { marginsOf } from '../sheets/grid.ts';
import type { CardSet } from '../sheets/sheet.ts';
import { type Joint, MAX_STRIPS, type Strip, split } from './split.ts';

/**
 * Splits a card larger than the page into tiles, one a page. Pure arithmetic in millimetres from the trim's top left
 * corner. Cards are never turned: both orientations of the page are tried instead.
 */

/** Room kept free above a tile for its name: what printers leave white, and a line of text. */
export const NAME_ROOM_MM = 11;
/** Art under the beginning of a glue tab, so that an inexact edge shows no white. */
const TAB_ART_MM = 2;

/** Beyond an edge there is nothing, a page that continues the panel, or another panel. */
export type Edge = 'trim' | 'seam' | 'fold' | 'slit';

export interface Tile {
  /** `A1` is the top left one, `A2` the next to the right, `B1` the one below. */
  readonly name: string;
  /** Printed part. */
  readonly window: Rect;
  /** The part of it between the cuts. Those of all tiles lie side by side. */
  readonly keep: Rect;
  /** Length of the tabs beyond the window. */
  readonly tabs: { readonly right: number; readonly bottom: number };
  readonly edges: { readonly left: Edge; readonly right: Edge; readonly top: Edge; readonly bottom: Edge };
  /** Names of the tiles beyond the right and the lower edge. */
  readonly next: { readonly right: string | undefined; readonly bottom: string | undefined };
}

export interface Tiles {
  readonly orientation: PageSpec['orientation'];
  readonly columns: number;
  readonly rows: number;
  /** Row by row. */
  readonly tiles: readonly Tile[];
  /** Seams through cells that no shift avoids. */
  readonly cut: number;
}

/** Left and top of the room for a tile, and its size. */
export function roomOf(settings: PrintSettings, orientation: PageSpec['orientation']): Rect {
  const page = pageSize({ ...settings.page, orientation });
  const margins = marginsOf(settings);
  const top = Math.max(margins.top, NAME_ROOM_MM);
  return {
    x: margins.left,
    y: top,
    w: page.w - margins.left - margins.right,
    h: page.h - top - margins.bottom,
  };
}

/**
 * The tiles of a card in the orientation that takes fewer pages, and those of the other one.
 * @throws ImpositionError when there is too little room in either
 */
export function chooseTiles(
  cards: CardSet,
  settings: PrintSettings,
): { readonly tiles: Tiles; readonly otherwise: Tiles | undefined } {
  const { orientation } = settings.page;
  const own = tilesOn(cards, settings, orientation);
  const turned = tilesOn(cards, settings, orientation === 'portrait' ? 'landscape' : 'portrait');
  const [tiles, otherwise] = isBetter(turned, own) ? [turned, own] : [own, turned];
  if (!tiles) {
    const { w, h } = cards.size;
    throw new ImpositionError(
      `${round(w)} × ${round(h)} mm cannot be split over pages of ${pageName(settings.page)}: beside margins and overlap there is too little room, or more than ${MAX_STRIPS} pages would lie side by side. Choose a larger page, or smaller margins or overlap.`,
    );
  }
  return { tiles, otherwise };
}

function isBetter(one: Tiles | undefined, than: Tiles | undefined): one is Tiles {
  if (!one || !than) return one !== undefined;
  return (
    one.tiles.length < than.tiles.length || (one.tiles.length === than.tiles.length && one.cut < than.cut)
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** @returns undefined when there is too little room */
export function tilesOn(
  { size, bleed: own, cells }: Pick<CardSet, 'size' | 'bleed' | 'cells'>,
  settings: PrintSettings,
  orientation: PageSpec['orientation'],
): Tiles | undefined {
  const room = roomOf(settings, orientation);
  const bleed = settings.bleed ? own : 0;
  const joint = jointOf(settings);
  const lines = foldLines(settings.boards.fold, size);
  const across = along({
    size: size.w,
    bleed,
    room: room.w,
    joint,
    cells: cells?.x,
    folds: places(lines.flatMap(({ x1, x2 }) => (x1 === x2 ? [x1] : []))),
  });
  const down = along({
    size: size.h,
    bleed,
    room: room.h,
    joint,
    cells: cells?.y,
    folds: places(lines.flatMap(({ y1, y2 }) => (y1 === y2 ? [y1] : []))),
  });
  if (!across || !down) return undefined;
  const [columns, rows] = [across.strips.length, down.strips.length];
  const tiles = down.strips.flatMap((tall, row) =>
    across.strips.map((wide, column) => tileAt({ wide, tall, column, row, columns, rows, lines })),
  );
  return { orientation, columns, rows, tiles, cut: across.cut + down.cut };
}

const places = (all: readonly number[]): number[] => [...new Set(all)].sort((a, b) => a - b);

function jointOf({ boards }: PrintSettings): Joint {
  return boards.split === 'tabs'
    ? { overlap: Math.min(TAB_ART_MM, boards.overlap), tab: boards.overlap }
    : { overlap: boards.overlap, tab: 0 };
}

/** A strip, and what lies at its ends. */
interface Piece extends Strip {
  readonly before: Edge;
  readonly after: Edge;
}

interface Axis {
  readonly size: number;
  readonly bleed: number;
  readonly room: number;
  readonly joint: Joint;
  readonly cells: CellAxis | undefined;
  /** Places at which windows end, so that none lies on two panels. */
  readonly folds: readonly number[];
}

/** Splits one axis panel by panel: neighbours overlap at a fold as they do at any seam. */
function along({
  size,
  bleed,
  room,
  joint,
  cells,
  folds,
}: Axis): { strips: Piece[]; cut: number } | undefined {
  const strips: Piece[] = [];
  let cut = 0;
  const bounds = [0, ...folds, size];
  for (const [index, to] of bounds.slice(1).entries()) {
    const from = bounds[index] ?? 0;
    const [first, last] = [index === 0, index === folds.length];
    const half = joint.overlap / 2;
    const tabbed = joint.tab > 0;
    // The tab at a panel's end is as long as those within it.
    const tab = last ? 0 : Math.max(0, joint.tab - joint.overlap);
    const panel = split({
      printed: {
        from: first ? -bleed : from - (tabbed ? 0 : half),
        to: last ? size + bleed : to + (tabbed ? joint.overlap : half),
      },
      trim: { from, to },
      room: room - tab,
      joint: last || !tabbed ? joint : { overlap: joint.overlap, tab: joint.overlap },
      cells,
    });
    if (!panel) return undefined;
    cut += panel.cut;
    for (const [at, strip] of panel.strips.entries()) {
      const isEnd = at === panel.strips.length - 1;
      strips.push({
        ...strip,
        tab: last ? strip.tab : tab,
        before: at > 0 ? 'seam' : first ? 'trim' : 'fold',
        after: isEnd ? (last ? 'trim' : 'fold') : 'seam',
      });
    }
  }
  return strips.length > MAX_STRIPS ? undefined : { strips, cut };
}

function tileAt(at: {
  readonly wide: Piece;
  readonly tall: Piece;
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
  readonly lines: readonly FoldLine[];
}): Tile {
  const { wide, tall, column, row, lines } = at;
  const keep = boxOf(wide.keep, tall.keep);
  const middle = { x: keep.x + keep.w / 2, y: keep.y + keep.h / 2 };
  const upright = (edge: Edge, x: number): Edge =>
    edge === 'fold' &&
    lines.some((one) => isSlit(one) && one.x1 === x && one.x2 === x && between(middle.y, one.y1, one.y2))
      ? 'slit'
      : edge;
  const level = (edge: Edge, y: number): Edge =>
    edge === 'fold' &&
    lines.some((one) => isSlit(one) && one.y1 === y && one.y2 === y && between(middle.x, one.x1, one.x2))
      ? 'slit'
      : edge;
  const edges = {
    left: upright(wide.before, wide.keep.from),
    right: upright(wide.after, wide.keep.to),
    top: level(tall.before, tall.keep.from),
    bottom: level(tall.after, tall.keep.to),
  };
  return {
    name: nameOf(column, row),
    window: boxOf(wide, tall),
    keep,
    edges,
    tabs: {
      right: edges.right === 'slit' ? 0 : wide.tab,
      bottom: edges.bottom === 'slit' ? 0 : tall.tab,
    },
    next: {
      right: column + 1 < at.columns ? nameOf(column + 1, row) : undefined,
      bottom: row + 1 < at.rows ? nameOf(column, row + 1) : undefined,
    },
  };
}

const isSlit = ({ kind }: FoldLine): boolean => kind === 'slit';
const between = (value: number, from: number, to: number): boolean => value > from && value < to;

interface Stretch {
  readonly from: number;
  readonly to: number;
}

const boxOf = (wide: Stretch, tall: Stretch): Rect => ({
  x: wide.from,
  y: tall.from,
  w: wide.to - wide.from,
  h: tall.to - tall.from,
});

/** Letters for the row, as columns of a spreadsheet have them, and the number of the column. */
const nameOf = (column: number, row: number): string => `${columnLetters(row)}${column + 1}`;
