import { countOf } from '../../board/grid.ts';
import { cellBox } from '../../board/placing.ts';
import { spacesOf } from '../../layout/laid-spaces.ts';
import type { Space } from '../../layout/spaces.ts';
import { cellBoxes } from '../../layout/zones/grid.ts';
import { EMPTY_ROW } from '../../scene/card/row.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import type { Layout } from '../../scene/layout.ts';
import { placedGridOf } from '../../scene/zones/map.ts';
import type { ZoneOf } from '../../scene/zones.ts';

/** A stretch of one axis, in millimetres from the trim's left or top edge. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The cells of a board along one axis: a cut inside a span goes through a cell. Spans of hexagons overlap. */
export interface CellAxis {
  /** From one row or column to the next: the most that a seam moves to keep cells whole. */
  readonly pitch: number;
  readonly spans: readonly Span[];
  /**
   * True if spaces are among the cells. They lie anywhere, so they are kept whole only where that takes no further page
   * and cuts no more cells.
   */
  readonly hasSpaces?: boolean;
  /** The cells without the spaces, where there are spaces and other cells. */
  readonly grid?: CellAxis | undefined;
}

/** Cells that seams should not cut. */
export interface Cells {
  readonly x: CellAxis;
  readonly y: CellAxis;
}

/** Spans nearer than this are the same, in millimetres. */
const SAME_MM = 1e-6;

/** @param boxes of the cells, in millimetres from the trim's top left corner; undefined without any */
export function cellsOf(
  boxes: readonly { readonly x: number; readonly y: number; readonly w: number; readonly h: number }[],
): Cells | undefined {
  if (boxes.length === 0) return undefined;
  return {
    x: axisOf(boxes.map(({ x, w }) => ({ from: x, to: x + w }))),
    y: axisOf(boxes.map(({ y, h }) => ({ from: y, to: y + h }))),
  };
}

function axisOf(all: readonly Span[]): CellAxis {
  const sorted = all.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const spans = sorted.filter(({ from, to }, index) => {
    const before = sorted[index - 1];
    return !before || from - before.from > SAME_MM || Math.abs(to - before.to) > SAME_MM;
  });
  let pitch = 0;
  for (const [index, { from, to }] of spans.entries()) {
    // Rows of shifted cells begin half a step apart; a pitch is never less than a cell.
    pitch = Math.max(pitch, to - from, from - (spans[index - 1]?.from ?? from));
  }
  return { pitch, spans };
}

/** Boxes of the cells of a grid or a map on the card. */
function boxesOf(zone: ZoneOf<'grid' | 'map'>): Rect[] {
  if (zone.kind === 'grid')
    return cellBoxes(zone).map((box) => ({ ...box, x: zone.x + box.x, y: zone.y + box.y }));
  const grid = placedGridOf(zone, zone);
  return Array.from({ length: countOf(grid) }, (_, cell) => cellBox(grid, cell));
}

/** Room that a space takes on the card, turned or not. */
function roomOf({ x, y, w, h, turn }: Space): Rect {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [wide, high] = [w * cos + h * sin, w * sin + h * cos];
  return { x: x - wide / 2, y: y - high / 2, w: wide, h: high };
}

/**
 * The cells of a layout's largest grid or map that stands straight on the card, and all spaces beside it; undefined
 * without any.
 */
export function cellsOfLayout(layout: Pick<Layout, 'zones'>): Cells | undefined {
  const [largest] = layout.zones
    .flatMap((zone) =>
      (zone.kind === 'grid' || zone.kind === 'map') && zone.rotation === 0 && !zone.hidden ? [zone] : [],
    )
    .toSorted((a, b) => b.w * b.h - a.w * a.h);
  const boxes = largest ? boxesOf(largest) : [];
  const grid = cellsOf(boxes);
  const spaces = spacesOf(layout, EMPTY_ROW, []).filter(({ zone }) => zone !== largest?.id);
  if (spaces.length === 0) return grid;
  const all = cellsOf([...boxes, ...spaces.map(roomOf)]);
  return (
    all && {
      x: { ...all.x, hasSpaces: true, grid: grid?.x },
      y: { ...all.y, hasSpaces: true, grid: grid?.y },
    }
  );
}
