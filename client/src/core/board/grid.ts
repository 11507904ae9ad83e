/**
 * Cells of a map: squares, squares whose odd rows are shifted by half (`offset`), and hexagons with a point or a side
 * up. A cell is its index, row by row. Corners lie on a lattice of whole numbers, so that cells share them exactly.
 */

/** Most cells of one map. */
export const MAX_MAP_CELLS = 20_000;

export const CELL_KINDS = ['square', 'offset', 'hex-pointy', 'hex-flat'] as const;
export type CellKind = (typeof CELL_KINDS)[number];

export interface CellGrid {
  readonly cells: CellKind;
  readonly cols: number;
  readonly rows: number;
}

/** A place in steps of the lattice from the grid's top left corner. */
export interface LatticePoint {
  readonly x: number;
  readonly y: number;
}

/** Columns and rows as they are used: whole numbers of at least 1, at most `MAX_MAP_CELLS` cells. */
export function boundedGrid<G extends CellGrid>(grid: G): G {
  const cols = Math.min(MAX_MAP_CELLS, Math.max(1, Math.floor(grid.cols)));
  const rows = Math.max(1, Math.min(Math.floor(grid.rows), Math.floor(MAX_MAP_CELLS / cols)));
  return cols === grid.cols && rows === grid.rows ? grid : { ...grid, cols, rows };
}

export const countOf = ({ cols, rows }: CellGrid): number => cols * rows;
export const colOf = ({ cols }: CellGrid, cell: number): number => cell % cols;
export const rowOf = ({ cols }: CellGrid, cell: number): number => Math.floor(cell / cols);

/** The cell of a column and row, from 0; undefined outside of the grid. */
export function cellIn({ cols, rows }: CellGrid, col: number, row: number): number | undefined {
  // Rounding gives -0 just left of and above the first cell; adding 0 makes it 0.
  return col >= 0 && row >= 0 && col < cols && row < rows ? row * cols + col + 0 : undefined;
}

type Offsets = readonly LatticePoint[];
const at = (...numbers: readonly number[]): Offsets =>
  Array.from({ length: numbers.length / 2 }, (_, index) => ({
    x: numbers[2 * index] ?? 0,
    y: numbers[2 * index + 1] ?? 0,
  }));

/** Corners about the centre, clockwise; side `n` runs from corner `n` to the next. */
const CORNERS: Readonly<Record<CellKind, Offsets>> = {
  square: at(-1, -1, 1, -1, 1, 1, -1, 1),
  // A long side of a shifted square borders on two cells: it has a corner in its middle.
  offset: at(0, -1, 1, -1, 1, 1, 0, 1, -1, 1, -1, -1),
  'hex-pointy': at(0, -2, 1, -1, 1, 1, 0, 2, -1, 1, -1, -1),
  'hex-flat': at(-1, -1, 1, -1, 2, 0, 1, 1, -1, 1, -2, 0),
};

/** Corners about a cell's centre, in steps of the lattice, clockwise. */
export const cornersOf = ({ cells }: Pick<CellGrid, 'cells'>): readonly LatticePoint[] => CORNERS[cells];

/** Sides of a cell: 4 or 6. */
export const sidesOf = ({ cells }: Pick<CellGrid, 'cells'>): number => CORNERS[cells].length;

/** Centre of a cell, in steps of the lattice. */
export function centreOf(grid: CellGrid, cell: number): LatticePoint {
  const col = colOf(grid, cell);
  const row = rowOf(grid, cell);
  switch (grid.cells) {
    case 'square':
      return { x: 2 * col + 1, y: 2 * row + 1 };
    case 'offset':
      return { x: 2 * col + 1 + (row & 1), y: 2 * row + 1 };
    case 'hex-pointy':
      return { x: 2 * col + 1 + (row & 1), y: 3 * row + 2 };
    case 'hex-flat':
      return { x: 3 * col + 2, y: 2 * row + 1 + (col & 1) };
  }
}

/** Width and height of the whole grid, in steps of the lattice. */
export function extentOf({ cells, cols, rows }: CellGrid): { w: number; h: number } {
  const shifted = rows > 1 ? 1 : 0;
  switch (cells) {
    case 'square':
      return { w: 2 * cols, h: 2 * rows };
    case 'offset':
      return { w: 2 * cols + shifted, h: 2 * rows };
    case 'hex-pointy':
      return { w: 2 * cols + shifted, h: 3 * rows + 1 };
    case 'hex-flat':
      return { w: 3 * cols + 1, h: 2 * rows + (cols > 1 ? 1 : 0) };
  }
}

/** Steps in column and row to the neighbour across each side, from even and from odd rows (or columns). */
const ROWS_EVEN = at(0, -1, 1, 0, 0, 1, -1, 1, -1, 0, -1, -1);
const ROWS_ODD = at(1, -1, 1, 0, 1, 1, 0, 1, -1, 0, 0, -1);
const COLS_EVEN = at(0, -1, 1, -1, 1, 0, 0, 1, -1, 0, -1, -1);
const COLS_ODD = at(0, -1, 1, 0, 1, 1, 0, 1, -1, 1, -1, 0);
const SQUARE = at(0, -1, 1, 0, 0, 1, -1, 0);

/** The neighbour across a side; undefined at the rim. */
export function neighbour(grid: CellGrid, cell: number, side: number): number | undefined {
  const col = colOf(grid, cell);
  const row = rowOf(grid, cell);
  const step = stepsFrom(grid, col, row)[side];
  return step && cellIn(grid, col + step.x, row + step.y);
}

function stepsFrom({ cells }: CellGrid, col: number, row: number): Offsets {
  if (cells === 'square') return SQUARE;
  if (cells === 'hex-flat') return col & 1 ? COLS_ODD : COLS_EVEN;
  return row & 1 ? ROWS_ODD : ROWS_EVEN;
}

/** The cells across the sides of a cell. */
export function neighbours(grid: CellGrid, cell: number): number[] {
  const found: number[] = [];
  for (let side = 0; side < sidesOf(grid); side++) {
    const next = neighbour(grid, cell, side);
    if (next !== undefined) found.push(next);
  }
  return found;
}

/** Axes of cells with six neighbours, in which every step to a neighbour changes one or both by 1. */
export interface Axial {
  readonly q: number;
  readonly r: number;
}

export function toAxial(grid: CellGrid, cell: number): Axial {
  const col = colOf(grid, cell);
  const row = rowOf(grid, cell);
  if (grid.cells === 'square') return { q: col, r: row };
  if (grid.cells === 'hex-flat') return { q: col, r: row - (col - (col & 1)) / 2 };
  return { q: col - (row - (row & 1)) / 2, r: row };
}

export function fromAxial(grid: CellGrid, { q, r }: Axial): number | undefined {
  if (grid.cells === 'square') return cellIn(grid, q, r);
  if (grid.cells === 'hex-flat') return cellIn(grid, q, r + (q - (q & 1)) / 2);
  return cellIn(grid, q + (r - (r & 1)) / 2, r);
}

/** Steps from neighbour to neighbour between two cells. */
export function distance(grid: CellGrid, from: number, to: number): number {
  const [a, b] = [toAxial(grid, from), toAxial(grid, to)];
  const [dq, dr] = [b.q - a.q, b.r - a.r];
  if (grid.cells === 'square') return Math.abs(dq) + Math.abs(dr);
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** The nearest whole cell to a place between cells. */
export function roundAxial(q: number, r: number): Axial {
  const s = -q - r;
  let [rq, rr] = [Math.round(q), Math.round(r)];
  const rs = Math.round(s);
  const [dq, dr, ds] = [Math.abs(rq - q), Math.abs(rr - r), Math.abs(rs - s)];
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return { q: rq, r: rr };
}

/** Added to a line's places, so that one that runs along the sides of cells keeps to one of them. */
const NUDGE = 1e-6;

/**
 * The cells of a straight line, both ends included. With six neighbours each is a neighbour of the one before; squares
 * may touch at a corner.
 */
export function lineOf(grid: CellGrid, from: number, to: number): number[] {
  const [a, b] = [toAxial(grid, from), toAxial(grid, to)];
  const square = grid.cells === 'square';
  const steps = square ? Math.max(Math.abs(b.q - a.q), Math.abs(b.r - a.r)) : distance(grid, from, to);
  const cells: number[] = [];
  for (let step = 0; step <= steps; step++) {
    const share = steps === 0 ? 0 : step / steps;
    const q = a.q + (b.q - a.q) * share + (square ? 0 : NUDGE);
    const r = a.r + (b.r - a.r) * share + (square ? 0 : 2 * NUDGE);
    const cell = fromAxial(grid, square ? { q: Math.round(q), r: Math.round(r) } : roundAxial(q, r));
    // A line between odd columns may leave the grid by half a cell.
    if (cell !== undefined) cells.push(cell);
  }
  return cells;
}
