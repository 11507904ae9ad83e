import type { PathCommand } from '../scene/display/display-list.ts';
import type { Point } from '../scene/display/matrix.ts';
import { type Image, imagesOf, type Symmetry } from './area.ts';
import { type CellGrid, countOf, sidesOf } from './grid.ts';
import { type Lattice, latticeOf } from './lattice.ts';
import { cellAtPoint, type PlacedGrid } from './placing.ts';
import { decodeTerrain, EMPTY, encodeTerrain, mergeTerrain } from './terrain-data.ts';

/**
 * Lines along the sides of the cells of a map, such as rivers and walls. A side is `cell * sides + side`; one that two
 * cells share has one number, that of the cell whose side is in the first half. They are stored as terrains are, as if
 * every side of a cell were a cell of its row.
 */

/** Longest text: every other side of 20,000 hexagons of another kind. */
export const MAX_EDGE_DATA = 160_000;

/** Sides of a grid as cells of a wider one. */
const wide = (grid: CellGrid): CellGrid => ({ ...grid, cols: grid.cols * sidesOf(grid) });

/** The number of a side: of two cells that share it, the same. */
export function edgeOf({ sides, beyond }: Lattice, cell: number, side: number): number {
  const at = cell * sides + side;
  const across = beyond[at] ?? -1;
  const half = sides / 2;
  return side < half || across < 0 ? at : across * sides + side - half;
}

/** Number of what lies along each side, as terrains are numbered; 0 for nothing. */
export function decodeEdges(grid: CellGrid, data: string): Uint8Array {
  if (data === '') return new Uint8Array(countOf(grid) * sidesOf(grid));
  const edges = decodeTerrain(wide(grid), data);
  const lattice = latticeOf(grid);
  // A side that lay at the rim of a smaller map is its neighbour's now.
  for (let at = 0; at < edges.length; at++) {
    const kind = edges[at] ?? EMPTY;
    if (kind === EMPTY) continue;
    const own = edgeOf(lattice, Math.floor(at / lattice.sides), at % lattice.sides);
    if (own === at) continue;
    edges[at] = EMPTY;
    if (edges[own] === EMPTY) edges[own] = kind;
  }
  return edges;
}

/** The text of what lies along the sides. */
export const encodeEdges = (grid: CellGrid, edges: Uint8Array): string => encodeTerrain(wide(grid), edges);

/** Two changes of the sides of cells in one, side by side; see `mergeTerrain`. */
export const mergeEdges = (
  grid: CellGrid,
  texts: { readonly base: string; readonly mine: string; readonly theirs: string },
  prefer: 'mine' | 'theirs',
): string => mergeTerrain(wide(grid), texts, prefer);

/** The corners between which a side lies. */
export function endsOf({ sides, corners }: Lattice, edge: number): readonly [number, number] {
  const side = edge % sides;
  return [corners[edge] ?? 0, corners[side + 1 < sides ? edge + 1 : edge - side] ?? 0];
}

/** Place of a corner. */
export function cornerPlace(grid: PlacedGrid, corner: number): Point {
  const { width } = latticeOf(grid);
  return {
    x: grid.x + (corner % width) * grid.stepX,
    y: grid.y + Math.floor(corner / width) * grid.stepY,
  };
}

/** The sides that meet at each corner: three or four. */
export function edgesByCorner(grid: CellGrid): ReadonlyMap<number, readonly number[]> {
  const lattice = latticeOf(grid);
  const found = new Map<number, number[]>();
  for (let at = 0; at < lattice.beyond.length; at++) {
    if (edgeOf(lattice, Math.floor(at / lattice.sides), at % lattice.sides) !== at) continue;
    for (const corner of endsOf(lattice, at)) {
      const edges = found.get(corner);
      if (edges) edges.push(at);
      else found.set(corner, [at]);
    }
  }
  return found;
}

/** The corner at the other end of a side. */
export function otherEnd(lattice: Lattice, edge: number, corner: number): number {
  const [from, to] = endsOf(lattice, edge);
  return from === corner ? to : from;
}

/** The fewest sides that lead from one corner to another, in order. */
export function edgePath(
  grid: CellGrid,
  meeting: ReadonlyMap<number, readonly number[]>,
  from: number,
  to: number,
): number[] {
  const lattice = latticeOf(grid);
  const came = new Map<number, number>([[from, -1]]);
  const queue = [from];
  for (let at = 0; at < queue.length && !came.has(to); at++) {
    const corner = queue[at] ?? from;
    for (const edge of meeting.get(corner) ?? []) {
      const next = otherEnd(lattice, edge, corner);
      if (came.has(next)) continue;
      came.set(next, edge);
      queue.push(next);
    }
  }
  const path: number[] = [];
  for (let corner = to; corner !== from; ) {
    const edge = came.get(corner);
    if (edge === undefined || edge < 0) return [];
    path.unshift(edge);
    corner = otherEnd(lattice, edge, corner);
  }
  return path;
}

const distanceTo = (point: Point, { x, y }: Point): number => Math.hypot(point.x - x, point.y - y);

/** The corner of the cell at a point that lies nearest to it. */
export function cornerAtPoint(grid: PlacedGrid, point: Point): number | undefined {
  const cell = cellAtPoint(grid, point);
  if (cell === undefined) return undefined;
  const { sides, corners } = latticeOf(grid);
  const own = [...corners.subarray(cell * sides, (cell + 1) * sides)];
  const far = (corner: number): number => distanceTo(point, cornerPlace(grid, corner));
  return own.reduce((best, corner) => (far(corner) < far(best) ? corner : best));
}

/** The side of the cell at a point whose middle lies nearest to it. */
export function edgeAtPoint(grid: PlacedGrid, point: Point): number | undefined {
  const cell = cellAtPoint(grid, point);
  if (cell === undefined) return undefined;
  const lattice = latticeOf(grid);
  const middle = (edge: number): Point => {
    const [a, b] = endsOf(lattice, edge).map((corner) => cornerPlace(grid, corner));
    return { x: ((a?.x ?? 0) + (b?.x ?? 0)) / 2, y: ((a?.y ?? 0) + (b?.y ?? 0)) / 2 };
  };
  const own = Array.from({ length: lattice.sides }, (_, side) => edgeOf(lattice, cell, side));
  const far = (edge: number): number => distanceTo(point, middle(edge));
  return own.reduce((best, edge) => (far(edge) < far(best) ? edge : best));
}

/** A side of a cell after its cell was turned and mirrored. */
function sideOf({ cells }: CellGrid, side: number, { turn, mirrored }: Image): number {
  const sides = sidesOf({ cells });
  // The first side of squares and of hexagons with a side up lies on the mirror's axis, that of others beside it.
  const across = cells === 'square' || cells === 'hex-flat' ? sides : sides - 1;
  return ((mirrored ? across - side : side) + turn) % sides;
}

/** The sides that correspond to one, itself included; those outside of the grid are left out. */
export function symmetricEdges(grid: CellGrid, edge: number, symmetry: Symmetry): number[] {
  const lattice = latticeOf(grid);
  const { sides, beyond } = lattice;
  const [cell, side] = [Math.floor(edge / sides), edge % sides];
  const found = new Set([edge]);
  const add = (of: number, at: number): void => {
    for (const image of imagesOf(grid, of, symmetry))
      found.add(edgeOf(lattice, image.cell, sideOf(grid, at, image)));
  };
  add(cell, side);
  // At the rim, only one of the two cells of a side may have a counterpart.
  const across = beyond[edge] ?? -1;
  if (across >= 0) add(across, (side + sides / 2) % sides);
  return [...found];
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Sides as lines that run on from one to the next, each side once: from ends and crossings first, then round and round. */
export function edgeLines(grid: PlacedGrid, edges: readonly number[]): PathCommand[] {
  const lattice = latticeOf(grid);
  const meeting = new Map<number, number[]>();
  for (const edge of edges) {
    for (const corner of endsOf(lattice, edge)) {
      const own = meeting.get(corner);
      if (own) own.push(edge);
      else meeting.set(corner, [edge]);
    }
  }
  const left = new Set(edges);
  const commands: PathCommand[] = [];
  const place = (corner: number): readonly [number, number] => {
    const { x, y } = cornerPlace(grid, corner);
    return [round(x), round(y)];
  };
  const walk = (start: number): void => {
    let corner = start;
    const nextEdge = (): number | undefined => meeting.get(corner)?.find((edge) => left.has(edge));
    for (let edge = nextEdge(); edge !== undefined; edge = nextEdge()) {
      if (corner === start || commands.length === 0) commands.push(['M', ...place(corner)]);
      left.delete(edge);
      corner = otherEnd(lattice, edge, corner);
      if (corner === start) commands.push(['Z']);
      else commands.push(['L', ...place(corner)]);
    }
  };
  for (const [corner, own] of meeting)
    if (own.length !== 2) while (own.some((edge) => left.has(edge))) walk(corner);
  for (const [corner, own] of meeting) while (own.some((edge) => left.has(edge))) walk(corner);
  return commands;
}

/** Number of sides that differ. */
export function edgesChanged(grid: CellGrid, before: string, after: string): number {
  const [was, is] = [decodeEdges(grid, before), decodeEdges(grid, after)];
  return is.reduce((count, kind, edge) => (kind === was[edge] ? count : count + 1), 0);
}
