import { zip } from '../../../../../core/archive/zip.ts';
import { extentOf } from '../../../../../core/board/grid.ts';
import { sizeFor } from '../../../../../core/board/placing.ts';
import type { TiledSpace } from '../../../../../core/board/tiled/object-spaces.ts';
import { TILES_FILE, tilePixels, writeTiled } from '../../../../../core/board/tiled/write-tiled.ts';
import { writeTmx } from '../../../../../core/board/tiled/write-tmx.ts';
import { spacesOf } from '../../../../../core/layout/laid-spaces.ts';
import { EMPTY_ROW } from '../../../../../core/scene/card/row.ts';
import { applyTo, invert } from '../../../../../core/scene/display/matrix.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { gridOf, type MapZone, placedGridOf } from '../../../../../core/scene/zones/map.ts';
import { cellsOfCsv, csvOfCells } from '../../../../../data/boards/cells-csv.ts';
import { encodePng } from '../../../../../render/png/png.ts';
import type { EditorModel } from '../editor-store.ts';
import { placedZones } from '../zones/placed-zones.ts';
import { allZones } from '../zones/zones.ts';

/** Resolution written into the picture of the tiles. */
const TILES_DPI = 96;

/** The map's cells as CSV. */
export const cellsFile = (map: MapZone): Blob =>
  new Blob([csvOfCells(gridOf(map), map.terrains, map.data)], { type: 'text/csv' });

/** Spaces of the layout that are zones of their own, as shares of the map's cells. */
function spacesOver(scene: Layout, map: MapZone): TiledSpace[] {
  const placed = placedZones(scene.zones).get(map.id);
  const back = placed && invert(placed.matrix);
  const grid = placedGridOf(map, placed?.box ?? map);
  const extent = extentOf(grid);
  const [w, h] = [extent.w * grid.stepX, extent.h * grid.stepY];
  if (!placed || !back || w <= 0 || h <= 0) return [];
  const turned = (Math.atan2(placed.matrix[1], placed.matrix[0]) * 180) / Math.PI;
  const zones = new Map(
    allZones(scene.zones).flatMap((zone) => (zone.kind === 'space' ? [[zone.id, zone] as const] : [])),
  );
  const spaces = spacesOf(scene, EMPTY_ROW, []).flatMap((space) => {
    const zone = zones.get(space.zone);
    return zone ? [{ space, zone }] : [];
  });
  const first = new Map(spaces.map(({ zone }, index) => [zone.id, index] as const).reverse());
  return spaces.map(({ space, zone }) => {
    const { x, y } = applyTo(back, space);
    const { turning, turn } = zone;
    const { name, role, accepts, holds, order } = space;
    return {
      ...{ name, role, turning, turn, accepts, holds, order },
      x: (x - space.w / 2 - grid.x) / w,
      y: (y - space.h / 2 - grid.y) / h,
      w: space.w / w,
      h: space.h / h,
      rotation: Math.round((space.turn - turned) * 1e6) / 1e6,
      links: zone.links.flatMap((id) => first.get(id) ?? []),
    };
  });
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
