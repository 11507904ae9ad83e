import { brushCells, floodFill, rectCells, type Symmetry, symmetricCells } from './area.ts';
import { type CellGrid, lineOf } from './grid.ts';

/** Tools that change the cells of a map. */
export const MAP_TOOLS = ['brush', 'line', 'rect', 'fill', 'erase', 'pick'] as const;
export type MapTool = (typeof MAP_TOOLS)[number];

/** Most steps that a brush reaches around its cell. */
export const MAX_REACH = 6;

export interface StrokeManner {
  readonly tool: MapTool;
  readonly reach: number;
  readonly symmetry: Symmetry;
}

/**
 * Cells that a tool covers between two cells: `from` is where the pointer was before for brush and eraser, and where it
 * went down for lines and rectangles.
 */
export function strokeCells(
  grid: CellGrid,
  terrain: Uint8Array,
  { tool, reach, symmetry }: StrokeManner,
  from: number,
  to: number,
): number[] {
  const covered = new Set<number>();
  const add = (cell: number): void => {
    for (const one of symmetricCells(grid, cell, symmetry)) covered.add(one);
  };
  if (tool === 'pick') return [];
  if (tool === 'fill') {
    // Every area is filled from its own corresponding cell: maps need not be symmetric yet.
    for (const start of symmetricCells(grid, to, symmetry))
      for (const cell of floodFill(grid, terrain, start)) covered.add(cell);
  } else if (tool === 'rect') for (const cell of rectCells(grid, from, to)) add(cell);
  else {
    for (const cell of lineOf(grid, from, to)) for (const near of brushCells(grid, cell, reach)) add(near);
  }
  return [...covered];
}

/** True if a tool's cells follow the pointer, each stretch added to those before; others begin anew. */
export const grows = (tool: MapTool): boolean => tool === 'brush' || tool === 'erase';
