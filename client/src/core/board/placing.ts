import type { Point, Rect } from '../scene/display/matrix.ts';
import {
  type CellGrid,
  type CellKind,
  cellIn,
  centreOf,
  cornersOf,
  extentOf,
  fromAxial,
  type LatticePoint,
  roundAxial,
} from './grid.ts';

/** A grid in a box: all cells as large as fit, side by side, in the middle of it. Lengths in millimetres. */
export interface PlacedGrid extends CellGrid {
  readonly x: number;
  readonly y: number;
  /** Width and height of a step of the lattice. */
  readonly stepX: number;
  readonly stepY: number;
  /** Width of a cell across its sides. */
  readonly pitch: number;
  /** Size of a cell as a share of its room. */
  readonly share: number;
}

/** Steps of the lattice are lower than wide for hexagons: a side is 1/√3 of the width across sides. */
const SLIM = 1 / Math.sqrt(3);
/** A gap takes at most this share of a cell's room. */
const MOST_GAP = 0.9;

/** Steps in units of half the room across sides. */
function unitSteps({ cells }: Pick<CellGrid, 'cells'>): LatticePoint {
  if (cells === 'hex-pointy') return { x: 1, y: SLIM };
  if (cells === 'hex-flat') return { x: SLIM, y: 1 };
  return { x: 1, y: 1 };
}

/** Width and height that a gap takes off the whole, as shares of the gap: a cell's size across it. */
function gapShares({ cells }: Pick<CellGrid, 'cells'>): LatticePoint {
  if (cells === 'hex-pointy') return { x: 1, y: 2 * SLIM };
  if (cells === 'hex-flat') return { x: 2 * SLIM, y: 1 };
  return { x: 1, y: 1 };
}

/** Cells at the rims of shifted rows or columns: whole, or cut so that the rims are straight. */
export const RIMS = ['whole', 'cut'] as const;
export type Rims = (typeof RIMS)[number];

/** The part of a grid that shows, in steps of the lattice, and whether it is cut across and down. */
interface Shown {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly cutX: boolean;
  readonly cutY: boolean;
}

/**
 * Straight rims go through the middles of the cells that stick out: half cells and points of hexagons are cut off, and no
 * ground shows.
 */
function shownOf(grid: CellGrid, rims: Rims): Shown {
  const extent = extentOf(grid);
  const { cells, cols, rows } = grid;
  const cut = rims === 'cut' && cells !== 'square';
  const cutX = cut && (cells === 'hex-flat' ? cols > 0 : rows > 1);
  const cutY = cut && (cells === 'hex-pointy' || (cells === 'hex-flat' && cols > 1));
  return {
    x: cutX ? 1 : 0,
    y: cutY ? 1 : 0,
    w: extent.w - (cutX ? 2 : 0),
    h: extent.h - (cutY ? 2 : 0),
    cutX,
    cutY,
  };
}

/** Size of a grid whose cells have a width across their sides. */
export function sizeFor(
  grid: CellGrid,
  pitch: number,
  gap: number,
  rims: Rims = 'whole',
): { w: number; h: number } {
  const shown = shownOf(grid, rims);
  const unit = unitSteps(grid);
  const lost = gapShares(grid);
  const half = (pitch + gap) / 2;
  return {
    w: shown.w * unit.x * half - (shown.cutX ? 0 : lost.x * gap),
    h: shown.h * unit.y * half - (shown.cutY ? 0 : lost.y * gap),
  };
}

/** Places a grid in a box. */
export function placeGrid(grid: CellGrid, box: Rect, gap: number, rims: Rims = 'whole'): PlacedGrid {
  const shown = shownOf(grid, rims);
  const unit = unitSteps(grid);
  const shares = gapShares(grid);
  // At a rim that is cut there is no gap to take off.
  const lost = { x: shown.cutX ? 0 : shares.x, y: shown.cutY ? 0 : shares.y };
  const half = Math.max(
    0,
    Math.min((box.w + lost.x * gap) / (shown.w * unit.x), (box.h + lost.y * gap) / (shown.h * unit.y)),
  );
  const room = 2 * half;
  const used = Math.min(gap, MOST_GAP * room);
  const share = room > 0 ? 1 - used / room : 1;
  return {
    cells: grid.cells,
    cols: grid.cols,
    rows: grid.rows,
    x: box.x + (box.w - shown.w * unit.x * half) / 2 - shown.x * unit.x * half,
    y: box.y + (box.h - shown.h * unit.y * half) / 2 - shown.y * unit.y * half,
    stepX: unit.x * half,
    stepY: unit.y * half,
    pitch: room - used,
    share,
  };
}

/** The rectangle to which a placed grid is cut; undefined where its cells are whole. */
export function cutBox(grid: PlacedGrid, rims: Rims): Rect | undefined {
  const { x, y, w, h, cutX, cutY } = shownOf(grid, rims);
  if (!cutX && !cutY) return undefined;
  return {
    x: grid.x + x * grid.stepX,
    y: grid.y + y * grid.stepY,
    w: w * grid.stepX,
    h: h * grid.stepY,
  };
}

/** Centre of a cell. */
export function cellCentre(grid: PlacedGrid, cell: number): Point {
  const { x, y } = centreOf(grid, cell);
  return { x: grid.x + x * grid.stepX, y: grid.y + y * grid.stepY };
}

/** Corners of a cell, clockwise. */
export function cellPolygon(grid: PlacedGrid, cell: number): Point[] {
  const centre = cellCentre(grid, cell);
  return cornersOf(grid).map(({ x, y }) => ({
    x: centre.x + x * grid.stepX * grid.share,
    y: centre.y + y * grid.stepY * grid.share,
  }));
}

/** Half the width and height of a cell, in steps of the lattice. */
const REACH: Readonly<Record<CellKind, LatticePoint>> = {
  square: { x: 1, y: 1 },
  offset: { x: 1, y: 1 },
  'hex-pointy': { x: 1, y: 2 },
  'hex-flat': { x: 2, y: 1 },
};

/** The upright box around a cell. */
export function cellBox(grid: PlacedGrid, cell: number): Rect {
  const { x, y } = cellCentre(grid, cell);
  const reach = REACH[grid.cells];
  const w = reach.x * grid.stepX * grid.share;
  const h = reach.y * grid.stepY * grid.share;
  return { x: x - w, y: y - h, w: 2 * w, h: 2 * h };
}

/** The cell at a point; gaps belong to the nearer cell. */
export function cellAtPoint(grid: PlacedGrid, point: Point): number | undefined {
  if (grid.stepX <= 0 || grid.stepY <= 0) return undefined;
  const x = (point.x - grid.x) / grid.stepX;
  const y = (point.y - grid.y) / grid.stepY;
  if (grid.cells === 'square') return cellIn(grid, Math.floor(x / 2), Math.floor(y / 2));
  if (grid.cells === 'offset') {
    const row = Math.floor(y / 2);
    return cellIn(grid, Math.floor((x - (row & 1)) / 2), row);
  }
  if (grid.cells === 'hex-pointy') {
    const r = (y - 2) / 3;
    return fromAxial(grid, roundAxial((x - 1) / 2 - r / 2, r));
  }
  const q = (x - 2) / 3;
  return fromAxial(grid, roundAxial(q, (y - 1) / 2 - q / 2));
}
