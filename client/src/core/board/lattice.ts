import { type CellGrid, centreOf, cornersOf, countOf, extentOf, neighbour, sidesOf } from './grid.ts';

/** Neighbours and corners of all cells of a grid as tables: walking the sides of 10,000 cells takes them 60,000 times. */
export interface Lattice {
  readonly sides: number;
  /** The cell across each side of each cell, side by side; -1 at the rim. */
  readonly beyond: Int32Array;
  /** Number of the corner at which each side of each cell begins, clockwise. */
  readonly corners: Int32Array;
  /** Points in a row of the lattice; numbers of corners run row by row. */
  readonly width: number;
  /** Points of the lattice. */
  readonly points: number;
}

/** Grids whose tables are kept; the largest takes 1.5 MB. */
const MAX_KEPT = 6;

const kept = new Map<string, Lattice>();

/** The tables of a grid; those of the last grids are kept. */
export function latticeOf(grid: CellGrid): Lattice {
  const name = `${grid.cells} ${grid.cols} ${grid.rows}`;
  const known = kept.get(name);
  if (known) return known;
  const made = makeLattice(grid);
  for (const oldest of kept.keys()) {
    if (kept.size < MAX_KEPT) break;
    kept.delete(oldest);
  }
  kept.set(name, made);
  return made;
}

function makeLattice(grid: CellGrid): Lattice {
  const sides = sidesOf(grid);
  const offsets = cornersOf(grid);
  const count = countOf(grid);
  const beyond = new Int32Array(count * sides);
  const corners = new Int32Array(count * sides);
  const extent = extentOf(grid);
  const width = extent.w + 1;
  for (let cell = 0; cell < count; cell++) {
    const centre = centreOf(grid, cell);
    for (let side = 0; side < sides; side++) {
      const at = cell * sides + side;
      beyond[at] = neighbour(grid, cell, side) ?? -1;
      const corner = offsets[side] ?? centre;
      corners[at] = (centre.y + corner.y) * width + centre.x + corner.x;
    }
  }
  return { sides, beyond, corners, width, points: width * (extent.h + 1) };
}
