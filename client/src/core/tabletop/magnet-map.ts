import type { Painting, PaintingLine } from '../imposition/images/painting.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { spacesOf } from '../layout/laid-spaces.ts';
import type { Space } from '../layout/spaces.ts';
import type { Row } from '../scene/card/row.ts';

/**
 * A magnetic map of Tabletopia: a picture as large as the board's own, black, with a green rectangle for every space. What
 * is dropped on one goes to its middle. Colours must be pure, so the rectangles lie on whole pixels; none may touch
 * another.
 */

/** Most magnetic cells of one board. */
export const MAX_MAGNETS = 1_000;
const GROUND = '#000000';
const CELL = '#00ff00';
/** Side of a cell as a share of the shorter side of its space: the boxes of hexagons overlap, and turned ones are wider. */
const SHARE = 0.6;
/** Pixels between two cells, and of a cell's side, at least. */
const APART_PX = 2;
const LEAST_PX = 5;

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

function cellOf({ x, y, w, h }: Space, scale: number): Cell {
  const side = Math.max(LEAST_PX, Math.floor(Math.min(w, h) * SHARE * scale));
  return { x: Math.round(x * scale - side / 2), y: Math.round(y * scale - side / 2), side };
}

const touch = (a: Cell, b: Cell): boolean =>
  a.x < b.x + b.side + APART_PX &&
  b.x < a.x + a.side + APART_PX &&
  a.y < b.y + b.side + APART_PX &&
  b.y < a.y + a.side + APART_PX;

/**
 * The magnetic map of a board; undefined for one without spaces. Of spaces that lie on one another the first counts, and
 * areas have no cell, as they have no snap point.
 * @param picture the board's own
 */
export function magnetMap(part: PrintPart, row: Row, picture: Painting): Painting | undefined {
  const scale = picture.items[0]?.scale ?? 1;
  const cells: Cell[] = [];
  for (const space of spacesOf(part.layout, row, part.columns)) {
    if (cells.length >= MAX_MAGNETS) break;
    if (space.role === 'area') continue;
    const cell = cellOf(space, scale);
    const inside = cell.x >= 0 && cell.y >= 0 && cell.x + cell.side <= picture.width;
    if (inside && cell.y + cell.side <= picture.height && !cells.some((other) => touch(cell, other)))
      cells.push(cell);
  }
  if (cells.length === 0) return undefined;
  const lines = cells.map(({ x, y, side }): PaintingLine => {
    const middle = y + side / 2;
    return { x1: x, y1: middle, x2: x + side, y2: middle, color: CELL, width: side, dash: [] };
  });
  return { width: picture.width, height: picture.height, background: GROUND, items: [], lines };
}
