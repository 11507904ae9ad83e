import type { PathCommand } from '../scene/display/display-list.ts';
import type { Point } from '../scene/display/matrix.ts';
import { type CellGrid, countOf } from './grid.ts';
import { latticeOf } from './lattice.ts';
import { cellPolygon, type PlacedGrid } from './placing.ts';

/** Outlines of many cells as one path. */

/** Millimetres to a thousandth: a tenth of what a printer can show, and shorter files. */
const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * The closed lines around the cells that `inside` names, as lattice points: one around each connected area, and one around
 * each hole. Lines run clockwise around areas and the other way around holes; straight stretches have no points between.
 */
export function boundaryLoops(grid: CellGrid, inside: (cell: number) => boolean): Point[][] {
  const { sides, beyond, corners, width, points } = latticeOf(grid);
  const within = new Uint8Array(countOf(grid));
  for (let cell = 0; cell < within.length; cell++) within[cell] = inside(cell) ? 1 : 0;
  const next = new NextCorners(points, width);
  for (let cell = 0; cell < within.length; cell++) {
    if (!within[cell]) continue;
    const first = cell * sides;
    for (let side = 0; side < sides; side++) {
      const across = beyond[first + side] ?? -1;
      if (across >= 0 && within[across]) continue;
      next.add(corners[first + side] ?? 0, corners[side + 1 < sides ? first + side + 1 : first] ?? 0);
    }
  }
  return next.loops();
}

/** The corners that follow each corner along a boundary: two where areas touch at a corner alone. */
class NextCorners {
  readonly #starts: number[] = [];
  /** One more than the number of the corner that follows; 0 for none. */
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #width: number;

  constructor(points: number, width: number) {
    this.#first = new Int32Array(points);
    this.#second = new Int32Array(points);
    this.#width = width;
  }

  add(from: number, to: number): void {
    if (this.#first[from]) this.#second[from] = to + 1;
    else {
      this.#first[from] = to + 1;
      this.#starts.push(from);
    }
  }

  /** Every loop, in the order in which their corners were added. */
  loops(): Point[][] {
    const found: Point[][] = [];
    for (const start of this.#starts) while (this.#first[start]) found.push(this.#follow(start));
    return found;
  }

  /** Takes the loop out that begins at a corner. Straight stretches have no points between. */
  #follow(start: number): Point[] {
    const corners: number[] = [];
    for (let corner = start; ; ) {
      corners.push(corner);
      const follower = this.#take(corner);
      if (follower === start || follower < 0) break;
      corner = follower;
    }
    const loop: Point[] = [];
    const width = this.#width;
    const last = corners.length - 1;
    let before = corners[last] ?? 0;
    for (let at = 0; at <= last; at++) {
      const corner = corners[at] ?? 0;
      const after = corners[at < last ? at + 1 : 0] ?? 0;
      const [x, y] = [corner % width, Math.floor(corner / width)];
      const [dx, dy] = [x - (before % width), y - Math.floor(before / width)];
      if (dx * (Math.floor(after / width) - y) !== dy * ((after % width) - x)) loop.push({ x, y });
      before = corner;
    }
    return loop;
  }

  #take(corner: number): number {
    const second = this.#second[corner] ?? 0;
    if (second > 0) {
      this.#second[corner] = 0;
      return second - 1;
    }
    const first = this.#first[corner] ?? 0;
    this.#first[corner] = 0;
    return first - 1;
  }
}

/** The area of some cells as a path to fill: their common outline, or each cell by itself where there are gaps. */
export function areaPath(grid: PlacedGrid, inside: (cell: number) => boolean): PathCommand[] {
  const commands: PathCommand[] = [];
  const add = (points: readonly Point[]): void => {
    for (const [index, { x, y }] of points.entries()) commands.push([index === 0 ? 'M' : 'L', x, y]);
    commands.push(['Z']);
  };
  if (grid.share >= 1) {
    for (const loop of boundaryLoops(grid, inside)) {
      add(loop.map(({ x, y }) => ({ x: round(grid.x + x * grid.stepX), y: round(grid.y + y * grid.stepY) })));
    }
  } else {
    for (let cell = 0; cell < countOf(grid); cell++) {
      if (!inside(cell)) continue;
      add(cellPolygon(grid, cell).map(({ x, y }) => ({ x: round(x), y: round(y) })));
    }
  }
  return commands;
}

/** Sides of all cells as a path to draw lines along, none twice: long strokes where sides follow each other. */
export function linePath(grid: PlacedGrid): PathCommand[] {
  const commands: PathCommand[] = [];
  if (grid.share < 1) return areaPath(grid, () => true);
  const { sides, beyond, corners, width } = latticeOf(grid);
  const place = (corner: number): readonly [number, number] => [
    round(grid.x + (corner % width) * grid.stepX),
    round(grid.y + Math.floor(corner / width) * grid.stepY),
  ];
  const drawn = new Uint8Array(beyond.length);
  // A side is its cell's if the cell beyond does not draw it: each stroke goes on around the cell while sides are free.
  for (let first = 0; first < beyond.length; first += sides) {
    let open = false;
    for (let side = 0; side < sides; side++) {
      if (drawn[first + side]) {
        open = false;
        continue;
      }
      const across = beyond[first + side] ?? -1;
      if (across >= 0) drawn[across * sides + ((side + sides / 2) % sides)] = 1;
      if (!open) commands.push(['M', ...place(corners[first + side] ?? 0)]);
      commands.push(['L', ...place(corners[first + ((side + 1) % sides)] ?? 0)]);
      open = true;
    }
  }
  return commands;
}
