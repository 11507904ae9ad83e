import { zip } from '../../../../core/archive/zip.ts';
import { extentOf } from '../../../../core/board/grid.ts';
import { sizeFor } from '../../../../core/board/placing.ts';
import {
  type SpaceOut,
  TILES_FILE,
  tilePixels,
  writeTiled,
} from '../../../../core/board/tiled/write-tiled.ts';
import { writeTmx } from '../../../../core/board/tiled/write-tmx.ts';
import type { Layout } from '../../../../core/scene/layout.ts';
import { gridOf, type MapZone, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { cellsOfCsv, csvOfCells } from '../../../../data/boards/cells-csv.ts';
import { encodePng } from '../../../../render/png/png.ts';
import type { EditorModel } from './editor-store.ts';

/** Resolution written into the picture of the tiles. */
const TILES_DPI = 96;

/** The map's cells as CSV. */
export const cellsFile = (map: MapZone): Blob =>
  new Blob([csvOfCells(gridOf(map), map.terrains, map.data)], { type: 'text/csv' });

/** Spaces of the layout, as shares of the map's cells. */
function spacesOver(scene: Layout, map: MapZone): SpaceOut[] {
  const grid = placedGridOf(map, map);
  const extent = extentOf(grid);
  const [w, h] = [extent.w * grid.stepX, extent.h * grid.stepY];
  if (w <= 0 || h <= 0) return [];
  return scene.zones.flatMap((zone) =>
    zone.kind === 'space'
      ? [
          {
            name: zone.name,
            role: zone.role,
            x: (zone.x - grid.x) / w,
            y: (zone.y - grid.y) / h,
            w: zone.w / w,
            h: zone.h / h,
          },
        ]
      : [],
  );
}

/** The map for Tiled: a ZIP of it as JSON and as XML, and of the picture with its tiles. */
export async function tiledFile(scene: Layout, map: MapZone, name: string): Promise<Blob> {
  const grid = gridOf(map);
  const { width, height, pixels } = tilePixels(grid, map.terrains);
  const json = writeTiled(grid, map.terrains, map.data, spacesOver(scene, map));
  const picture = await encodePng(
    (first, rows) => pixels.subarray(first * width * 4, (first + rows) * width * 4),
    width,
    height,
    TILES_DPI,
  );
  const files = new Map([
    [`${name}.tmj`, new TextEncoder().encode(JSON.stringify(json, null, 1))],
    [`${name}.tmx`, new TextEncoder().encode(writeTmx(json))],
    [TILES_FILE, picture],
  ]);
  return new Blob([zip(files)], { type: 'application/zip' });
}

/**
 * Gives a map the cells of a CSV file, as one act; the zone grows and shrinks with them.
 * @returns names of terrains that the map did not have
 * @throws CellsCsvError
 */
export function openCells(model: EditorModel, map: MapZone, text: string): readonly string[] {
  const { cols, rows, terrains, data, added } = cellsOfCsv(text, map.terrains);
  const { pitch } = placedGridOf(map, map);
  model.actOn<MapZone>(map.id, (draft) => {
    Object.assign(draft, { cols, rows, terrains: terrains.map((one) => ({ ...one })), data });
    Object.assign(draft, sizeFor(gridOf(draft), pitch, draft.gap, draft.rims));
  });
  return added;
}
