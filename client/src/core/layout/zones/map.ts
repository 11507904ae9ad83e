import { countOf, MAX_MAP_CELLS } from '../../board/grid.ts';
import { cellName } from '../../board/labels.ts';
import { areaPath, linePath } from '../../board/outlines.ts';
import { cellBox, cellCentre, type PlacedGrid } from '../../board/placing.ts';
import { cellsOfTerrain, decodeTerrain, terrainNumber } from '../../board/terrain-data.ts';
import { rectOutline } from '../../scene/outline.ts';
import type { Terrain } from '../../scene/terrain.ts';
import { gridOf, labelStyleOf, type MapZone, placedGridOf } from '../../scene/zones/map.ts';
import { type Label, labelOps } from '../board/short-labels.ts';
import { patternStamp } from '../board/terrain-patterns.ts';
import { rgba, strokeOps } from '../paints.ts';
import type { CardPainter, LeafLayout } from '../zone-layout.ts';

/** All cells of one terrain are one area, its pattern one stamp, and the sides of all cells one line. */
function paintTerrain(terrain: Terrain, grid: PlacedGrid, cells: Uint8Array, card: CardPainter): void {
  const number = terrainNumber(terrain.symbol);
  const own = cellsOfTerrain(cells, number);
  if (own.length === 0) return;
  const color = rgba(terrain.color);
  if (color[3] > 0) {
    const commands = areaPath(grid, (cell) => cells[cell] === number);
    const fill = { kind: 'solid', color } as const;
    card.paint({ op: 'path', outline: { kind: 'path', commands, evenOdd: false }, fill, stroke: null });
  }
  if (terrain.pattern === 'none') return;
  const at = own.flatMap((cell) => {
    const { x, y } = cellCentre(grid, cell);
    return [x, y];
  });
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
    if (zone.cellStroke.width > 0) {
      const lines = { kind: 'path', commands: linePath(grid), evenOdd: false } as const;
      card.paint(...strokeOps(lines, { ...zone.cellStroke, align: 'center' }));
    }
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
