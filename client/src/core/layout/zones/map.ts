import { countOf, MAX_MAP_CELLS } from '../../board/grid.ts';
import { cellName } from '../../board/labels.ts';
import { areaPath, linePath } from '../../board/outlines.ts';
import { cellBox, cellCentre, type PlacedGrid, placeGrid } from '../../board/placing.ts';
import { decodeTerrain, terrainNumber } from '../../board/terrain-data.ts';
import type { Rect } from '../../scene/matrix.ts';
import { rectOutline } from '../../scene/outline.ts';
import type { Terrain } from '../../scene/terrain.ts';
import { gridOf, labelStyleOf, type MapZone } from '../../scene/zones/map.ts';
import { type Label, labelOps } from '../board/short-labels.ts';
import { patternStamp } from '../board/terrain-patterns.ts';
import { rgba, strokeOps } from '../paints.ts';
import type { CardPainter, LeafLayout } from '../zone-layout.ts';

/** The cells of a map in its box. */
export const placedGridOf = (zone: MapZone, box: Rect): PlacedGrid => placeGrid(gridOf(zone), box, zone.gap);

/** All cells of one terrain are one area, its pattern one stamp, and the sides of all cells one line. */
function paintTerrain(terrain: Terrain, grid: PlacedGrid, cells: Uint8Array, card: CardPainter): void {
  const number = terrainNumber(terrain.symbol);
  if (!cells.includes(number)) return;
  const color = rgba(terrain.color);
  if (color[3] > 0) {
    const commands = areaPath(grid, (cell) => cells[cell] === number);
    const fill = { kind: 'solid', color } as const;
    card.paint({ op: 'path', outline: { kind: 'path', commands, evenOdd: false }, fill, stroke: null });
  }
  const at: number[] = [];
  for (const [cell, value] of cells.entries()) {
    if (value !== number) continue;
    const { x, y } = cellCentre(grid, cell);
    at.push(x, y);
  }
  const stamp = patternStamp(terrain, grid.pitch, at);
  if (stamp) card.paint(stamp);
}

/** Names stand in the upper part of their cells, above the pattern and what is put there. */
const LABEL_PLACE = 0.16;

function labelsOf(zone: MapZone, grid: PlacedGrid): Label[] {
  return Array.from({ length: countOf(grid) }, (_, cell) => {
    const { x, y, w, h } = cellBox(grid, cell);
    return { text: cellName(grid, cell, zone.labels), x: x + w / 2, y: y + h * LABEL_PLACE };
  });
}

export const MAP: LeafLayout<MapZone> = {
  outline: ({ radius }, box) => rectOutline(box, radius),
  paint(zone, box, _outline, card) {
    const grid = placedGridOf(zone, box);
    if (grid.pitch <= 0) return undefined;
    const cells = decodeTerrain(grid, zone.data);
    for (const terrain of zone.terrains) paintTerrain(terrain, grid, cells, card);
    const lines = linePath(grid);
    card.paint(
      ...strokeOps(
        { kind: 'path', commands: lines, evenOdd: false },
        { ...zone.cellStroke, align: 'center' },
      ),
    );
    if (zone.labels !== 'none')
      card.paint(...labelOps(labelsOf(zone, grid), labelStyleOf(zone), card.assets));
    if (gridOf(zone).rows < zone.rows) {
      card.report({
        zone: zone.id,
        code: 'too-many-items',
        message: `A map has at most ${MAX_MAP_CELLS} cells: only the first ${grid.rows} rows are shown.`,
      });
    }
    return undefined;
  },
};
