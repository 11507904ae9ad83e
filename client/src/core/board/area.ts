import { type CellGrid, cellIn, colOf, distance, fromAxial, neighbours, rowOf, toAxial } from './grid.ts';

/** Areas that tools paint. */

/** The cells joined to one by cells of its terrain. */
export function floodFill(grid: CellGrid, terrain: Uint8Array, start: number): number[] {
  const wanted = terrain[start];
  const seen = new Uint8Array(terrain.length);
  seen[start] = 1;
  const found = [start];
  for (let at = 0; at < found.length; at++) {
    for (const next of neighbours(grid, found[at] ?? 0)) {
      if (seen[next] || terrain[next] !== wanted) continue;
      seen[next] = 1;
      found.push(next);
    }
  }
  return found;
}

/** The cells within some steps of one: 0 is the cell alone. */
export function brushCells(grid: CellGrid, centre: number, reach: number): number[] {
  const [col, row] = [colOf(grid, centre), rowOf(grid, centre)];
  const found: number[] = [];
  for (let y = row - reach; y <= row + reach; y++) {
    for (let x = col - reach; x <= col + reach; x++) {
      const cell = cellIn(grid, x, y);
      if (cell !== undefined && distance(grid, centre, cell) <= reach) found.push(cell);
    }
  }
  return found;
}

/** The cells of a rectangle of columns and rows between two corners. */
export function rectCells(grid: CellGrid, from: number, to: number): number[] {
  const [colA, colB] = [colOf(grid, from), colOf(grid, to)].sort((a, b) => a - b) as [number, number];
  const [rowA, rowB] = [rowOf(grid, from), rowOf(grid, to)].sort((a, b) => a - b) as [number, number];
  const found: number[] = [];
  for (let row = rowA; row <= rowB; row++)
    for (let col = colA; col <= colB; col++) found.push(row * grid.cols + col);
  return found;
}

export const SYMMETRIES = ['none', 'mirror', 'turn-2', 'turn-3', 'turn-4', 'turn-6'] as const;
export type Symmetry = (typeof SYMMETRIES)[number];

/** The symmetries that cells of a kind can have. */
export function symmetriesOf({ cells }: Pick<CellGrid, 'cells'>): readonly Symmetry[] {
  if (cells === 'square') return ['none', 'mirror', 'turn-2', 'turn-4'];
  if (cells === 'offset') return ['none', 'mirror', 'turn-2'];
  return ['none', 'mirror', 'turn-2', 'turn-3', 'turn-6'];
}

/** A cell that corresponds to another, and how that one came to lie there. */
export interface Image {
  readonly cell: number;
  /** Sides that it was turned by, clockwise. */
  readonly turn: number;
  readonly mirrored: boolean;
}

/**
 * The cells that correspond to one, itself first; those outside of the grid are left out. Squares turn about the middle
 * of the grid, others about its middle cell; the mirror stands upright.
 */
export function imagesOf(grid: CellGrid, cell: number, symmetry: Symmetry): Image[] {
  const itself = { cell, turn: 0, mirrored: false };
  if (symmetry === 'none' || !symmetriesOf(grid).includes(symmetry)) return [itself];
  const found = (at: number | undefined, turn: number, isMirrored: boolean): Image[] =>
    at === undefined ? [] : [{ cell: at, turn, mirrored: isMirrored }];
  if (symmetry === 'mirror') return [itself, ...found(mirrored(grid, cell), 0, true)];
  const turns = Number(symmetry.slice(-1));
  const [round, turned] = grid.cells === 'square' ? ([4, turnedSquare] as const) : ([6, turnedHex] as const);
  const steps = Array.from({ length: turns - 1 }, (_, at) => (round / turns) * (at + 1));
  return [itself, ...steps.flatMap((turn) => found(turned(grid, cell, turn), turn, false))];
}

/** The cells that correspond to one, itself included, each once. */
export const symmetricCells = (grid: CellGrid, cell: number, symmetry: Symmetry): number[] => [
  ...new Set(imagesOf(grid, cell, symmetry).map((image) => image.cell)),
];

function mirrored(grid: CellGrid, cell: number): number | undefined {
  const row = rowOf(grid, cell);
  const shifted = grid.cells === 'offset' || grid.cells === 'hex-pointy' ? row & 1 : 0;
  if (grid.cells !== 'hex-flat') return cellIn(grid, grid.cols - 1 - colOf(grid, cell) - shifted, row);
  // Columns of an even number would change between high and low ones: the mirror then stands on a column.
  return cellIn(grid, grid.cols - (grid.cols & 1 ? 1 : 2) - colOf(grid, cell), row);
}

function turnedSquare(grid: CellGrid, cell: number, quarters: number): number | undefined {
  // Doubled, so that the middle of an even number is whole.
  let [x, y] = [2 * colOf(grid, cell) + 1 - grid.cols, 2 * rowOf(grid, cell) + 1 - grid.rows];
  for (let turn = 0; turn < quarters; turn++) [x, y] = [-y, x];
  return cellIn(grid, Math.floor((x + grid.cols - 1) / 2), Math.floor((y + grid.rows - 1) / 2));
}

function turnedHex(grid: CellGrid, cell: number, sixths: number): number | undefined {
  const middle = toAxial(grid, Math.floor(grid.rows / 2) * grid.cols + Math.floor(grid.cols / 2));
  const here = toAxial(grid, cell);
  let [q, r] = [here.q - middle.q, here.r - middle.r];
  for (let turn = 0; turn < sixths; turn++) [q, r] = [-r, q + r];
  return fromAxial(grid, { q: q + middle.q, r: r + middle.r });
}
