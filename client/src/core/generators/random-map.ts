import type { CellGrid } from '../board/grid.ts';
import { sizeFor } from '../board/placing.ts';
import { type FillSettings, fillTerrain } from '../board/terrain-fill.ts';
import { MAX_LENGTH_MM } from '../scene/style/paint.ts';
import type { Box } from '../scene/zones/definition.ts';
import { gridOf, type MapZone } from '../scene/zones/map.ts';
import { newZone } from '../scene/zones.ts';

export interface RandomMapSettings extends FillSettings, CellGrid {
  /** Width of a cell across its sides, in millimetres. */
  readonly pitch: number;
  /** Between neighbouring cells, in millimetres. */
  readonly gap: number;
  readonly rims: MapZone['rims'];
}

/** Columns and rows that fill a box with cells of a width, at least one of each. */
export function cellsFor(
  box: { readonly w: number; readonly h: number },
  settings: Pick<RandomMapSettings, 'cells' | 'pitch' | 'gap' | 'rims'>,
): { cols: number; rows: number; pitch: number } {
  const fits = (cols: number, rows: number): boolean => {
    const { w, h } = sizeFor(
      { cells: settings.cells, cols, rows },
      settings.pitch,
      settings.gap,
      settings.rims,
    );
    return w <= box.w && h <= box.h;
  };
  let [cols, rows] = [1, 1];
  // Two rows may be wider than one, and no further row is wider still.
  const least = fits(1, 2) ? 2 : 1;
  while (fits(cols + 1, least)) cols++;
  while (fits(cols, rows + 1)) rows++;
  const unit = sizeFor({ cells: settings.cells, cols, rows }, 1, 0, settings.rims);
  return { cols, rows, pitch: floored(Math.min(settings.pitch, box.w / unit.w, box.h / unit.h)) };
}

/** Hundredths of a millimetre, so that what fits still does. */
const floored = (mm: number): number => Math.max(0.01, Math.floor(mm * 100 + 1e-9) / 100);

/** A map of cells with terrain at random, about the middle of a box. */
export function randomMap(
  { x, y, w, h }: Box,
  settings: RandomMapSettings,
  name: string,
  newId: () => string,
): MapZone {
  const { cells, cols, rows, pitch, gap, rims } = settings;
  const grid = gridOf({ cells, cols, rows });
  const size = sizeFor(grid, pitch, gap, rims);
  const side = { w: Math.min(MAX_LENGTH_MM, size.w), h: Math.min(MAX_LENGTH_MM, size.h) };
  const at = { x: x + (w - side.w) / 2, y: y + (h - side.h) / 2, ...side };
  const known = Object.keys(settings.shares);
  return {
    ...newZone('map', newId(), name, at),
    ...grid,
    gap: gap as MapZone['gap'],
    rims,
    data: fillTerrain(grid, known, '', settings).data,
  };
}
