import type { Rect } from '../../scene/display/matrix.ts';
import { MAX_CELLS } from '../../scene/limits.ts';
import { newZone, type ZoneOf } from '../../scene/zones.ts';
import {
  type CardData,
  REPEAT_MARK,
  repetition,
  type ShownContainer,
  type ShownZone,
  takes,
  within,
} from '../card-data.ts';
import type { ParentLayout } from '../zone-layout.ts';

/** The boxes of a grid's cells in the grid, row by row. Rows and columns beyond `MAX_CELLS` are left out. */
export function cellBoxes(grid: ZoneOf<'grid'>): Rect[] {
  const cols = Math.max(1, grid.cols);
  const rows = Math.max(1, Math.min(grid.rows, Math.floor(MAX_CELLS / cols)));
  const gap = grid.gap as number;
  const boxes: Rect[] = [];
  const shifted = rows > 1 && (grid.cells === 'offset' || grid.cells === 'hex-pointy');
  const sunk = cols > 1 && grid.cells === 'hex-flat';
  // Hexagons reach a quarter of their length into their neighbours' rows (or columns).
  const packX = grid.cells === 'hex-flat' ? 0.75 : 1;
  const packY = grid.cells === 'hex-pointy' ? 0.75 : 1;
  const spanX = packX * (cols - 1) + 1 + (shifted ? 0.5 : 0);
  const spanY = packY * (rows - 1) + 1 + (sunk ? 0.5 : 0);
  const w = Math.max(0, (grid.w - gap * (cols - 1 + (shifted ? 0.5 : 0))) / spanX);
  const h = Math.max(0, (grid.h - gap * (rows - 1 + (sunk ? 0.5 : 0))) / spanY);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const x = col * (w * packX + gap) + (shifted && row % 2 === 1 ? (w + gap) / 2 : 0);
      const y = row * (h * packY + gap) + (sunk && col % 2 === 1 ? (h + gap) / 2 : 0);
      boxes.push({ x, y, w, h });
    }
  }
  return boxes;
}

const HEX_POINTY = 'polygon(50% 0%, 100% 25%, 100% 75%, 50% 100%, 0% 75%, 0% 25%)';
const HEX_FLAT = 'polygon(25% 0%, 75% 0%, 100% 50%, 75% 100%, 25% 100%, 0% 50%)';

function containerOf(grid: ZoneOf<'grid'>, data: CardData, depth: number): ShownContainer {
  const cols = Math.max(1, grid.cols);
  const boxes = cellBoxes(grid);
  if (boxes.length < grid.cols * grid.rows) {
    data.issues.push({
      zone: grid.id,
      code: 'too-many-items',
      message: `A grid has at most ${MAX_CELLS} cells: only the first ${boxes.length} are shown.`,
    });
  }
  const children = boxes.flatMap((box, at) =>
    takes(data, grid) ? [cell(grid, box, at, cols, data, depth)] : [],
  );
  const {
    children: _template,
    cells: _cells,
    cols: _cols,
    rows: _rows,
    cellFill: _fill,
    cellStroke: _stroke,
    ...own
  } = grid;
  return {
    ...newZone('container', grid.id, grid.name, grid),
    ...own,
    id: `${grid.id}${data.suffix}`,
    kind: 'container',
    from: 'grid',
    arrange: 'free',
    children,
  };
}

function cell(
  grid: ZoneOf<'grid'>,
  box: Rect,
  at: number,
  cols: number,
  data: CardData,
  depth: number,
): ShownZone {
  const names = { cell: at + 1, row: Math.floor(at / cols) + 1, col: (at % cols) + 1 };
  const inner = within(data, names, `${REPEAT_MARK}${at + 1}`);
  const ground: ShownZone = {
    ...newZone('shape', `${grid.id}${inner.suffix}-ground`, grid.name, { ...box, x: 0, y: 0 }),
    fill: grid.cellFill,
    stroke: grid.cellStroke,
    clipPath: grid.cells === 'hex-pointy' ? HEX_POINTY : grid.cells === 'hex-flat' ? HEX_FLAT : '',
  };
  return repetition(grid, inner, box, [ground, ...data.show(grid.children, inner, depth + 1)]);
}

/** A grid becomes a container of cells, each with its background and the grid's children. */
export const GRID: ParentLayout<ZoneOf<'grid'>> = { show: containerOf };
