import type { PathCommand } from '../scene/display-list.ts';
import type { Point } from '../scene/matrix.ts';
import { type CellGrid, centreOf, cornersOf, countOf, neighbour, sidesOf } from './grid.ts';
import { cellPolygon, type PlacedGrid } from './placing.ts';

/** Outlines of many cells as one path. */

/** Millimetres to a thousandth: a tenth of what a printer can show, and shorter files. */
const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Width of the lattice in keys of its points: more than any grid is wide. */
const KEY = 1 << 17;

/**
 * The closed lines around the cells that `inside` names, as lattice points: one around each connected area, and one around
 * each hole. Lines run clockwise around areas and the other way around holes; straight stretches have no points between.
 */
export function boundaryLoops(grid: CellGrid, inside: (cell: number) => boolean): Point[][] {
  const next = new Map<number, number[]>();
  const corners = cornersOf(grid);
  for (let cell = 0; cell < countOf(grid); cell++) {
    if (!inside(cell)) continue;
    const centre = centreOf(grid, cell);
    for (let side = 0; side < sidesOf(grid); side++) {
      const beyond = neighbour(grid, cell, side);
      if (beyond !== undefined && inside(beyond)) continue;
      const from = corners[side] ?? centre;
      const to = corners[(side + 1) % corners.length] ?? centre;
      const key = (centre.y + from.y) * KEY + centre.x + from.x;
      const ends = next.get(key);
      const end = (centre.y + to.y) * KEY + centre.x + to.x;
      if (ends) ends.push(end);
      else next.set(key, [end]);
    }
  }
  const loops: Point[][] = [];
  for (const start of next.keys()) {
    while ((next.get(start)?.length ?? 0) > 0) loops.push(straightened(follow(next, start)));
  }
  return loops;
}

function follow(next: Map<number, number[]>, start: number): Point[] {
  const loop: Point[] = [];
  for (let key = start; ; ) {
    loop.push({ x: key % KEY, y: Math.floor(key / KEY) });
    const to = next.get(key)?.pop();
    if (to === undefined || to === start) return loop;
    key = to;
  }
}

function straightened(loop: readonly Point[]): Point[] {
  return loop.filter((point, index) => {
    const before = loop.at(index - 1) ?? point;
    const after = loop[(index + 1) % loop.length] ?? point;
    return (point.x - before.x) * (after.y - point.y) !== (point.y - before.y) * (after.x - point.x);
  });
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
  const corners = cornersOf(grid);
  const sides = sidesOf(grid);
  const place = (x: number, y: number): readonly [number, number] => [
    round(grid.x + x * grid.stepX),
    round(grid.y + y * grid.stepY),
  ];
  const drawn = new Uint8Array(countOf(grid) * sides);
  // A side is its cell's if the cell beyond does not draw it: each stroke goes on around the cell while sides are free.
  for (let cell = 0; cell < countOf(grid); cell++) {
    const centre = centreOf(grid, cell);
    let open = false;
    for (let side = 0; side < sides; side++) {
      if (drawn[cell * sides + side]) {
        open = false;
        continue;
      }
      const beyond = neighbour(grid, cell, side);
      if (beyond !== undefined) drawn[beyond * sides + ((side + sides / 2) % sides)] = 1;
      const from = corners[side] ?? centre;
      const to = corners[(side + 1) % sides] ?? centre;
      if (!open) commands.push(['M', ...place(centre.x + from.x, centre.y + from.y)]);
      commands.push(['L', ...place(centre.x + to.x, centre.y + to.y)]);
      open = true;
    }
  }
  return commands;
}
