import { countOf, MAX_MAP_CELLS } from '../../board/grid.ts';
import { cellName } from '../../board/labels.ts';
import { cellBox, cutBox, type PlacedGrid } from '../../board/placing.ts';
import { decodeTerrain, terrainNumber } from '../../board/terrain-data.ts';
import { EDGE_LINES, type EdgeKind } from '../../scene/board/edge-kind.ts';
import type { Terrain } from '../../scene/board/terrain.ts';
import type { Outline } from '../../scene/display/display-list.ts';
import { IDENTITY } from '../../scene/display/matrix.ts';
import { rectOutline } from '../../scene/display/outline.ts';
import {
  gridOf,
  hasCellNames,
  labelStyleOf,
  type MapZone,
  overridesOf,
  placedGridOf,
} from '../../scene/zones/map.ts';
import { type MapShapes, mapShapes, type TerrainShape } from '../board/map-shapes.ts';
import { type CellName, type Label, labelOps, nameOps } from '../board/short-labels.ts';
import { patternStamp } from '../board/terrain-patterns.ts';
import { pictureStamp } from '../board/terrain-pictures.ts';
import { rgba, strokeOps } from '../paints.ts';
import type { CardPainter, LeafLayout } from '../zone-layout.ts';

/** All cells of one terrain are one area, its picture or pattern one stamp, and the sides of all cells one line. */
function paintTerrain(
  zone: string,
  terrain: Terrain,
  grid: PlacedGrid,
  { area, middles }: TerrainShape,
  card: CardPainter,
): void {
  if (middles.length === 0) return;
  const color = rgba(terrain.color);
  if (color[3] > 0) card.paint({ op: 'path', outline: area, fill: { kind: 'solid', color }, stroke: null });
  const size = terrain.source.trim() === '' ? undefined : card.assets.images.size(terrain.source);
  // The pattern stands in for a picture that is not there.
  const stamp = size
    ? pictureStamp(terrain, grid, size, middles)
    : patternStamp(terrain, grid.pitch, middles);
  if (stamp) card.paint(stamp);
  if (!size && terrain.source.trim() !== '') card.missingImage(zone, terrain.source);
}

/** Ends are round, so that lines that branch meet without notches. */
function paintEdges(kind: EdgeKind, outline: Outline, card: CardPainter): void {
  const color = rgba(kind.color);
  const { width } = kind;
  if (width <= 0 || color[3] === 0 || (outline.kind === 'path' && outline.commands.length === 0)) return;
  const dash = EDGE_LINES[kind.line].map((length) => length * width);
  const cap = kind.line === 'dashed' ? 'butt' : 'round';
  card.paint({ op: 'path', outline, fill: null, stroke: { color, width, dash, cap, join: 'round' } });
}

/** Names stand in the upper part of their cells, above the pattern and what is put there. */
const LABEL_PLACE = 0.16;
/** Names of single cells are longer, and begin below the narrow tops of hexagons. */
const NAME_PLACE = 0.27;
const NAME_SHARE = 0.9;

/** Columns and rows of the cells that have no name of their own. */
function labelsOf(zone: MapZone, grid: PlacedGrid): Label[] {
  if (zone.labels === 'none') return [];
  const own = overridesOf(zone);
  return Array.from({ length: countOf(grid) }, (_, cell) => cell).flatMap((cell) => {
    if (own.get(cell)?.name) return [];
    const { x, y, w, h } = cellBox(grid, cell);
    return [{ text: cellName(grid, cell, zone.labels), x: x + w / 2, y: y + h * LABEL_PLACE }];
  });
}

function namesOf(zone: MapZone, grid: PlacedGrid): CellName[] {
  return [...overridesOf(zone)].flatMap(([cell, { name }]) => {
    const { x, y, w, h } = cellBox(grid, cell);
    return name === '' ? [] : [{ text: name, x: x + w / 2, y: y + h * NAME_PLACE, w: w * NAME_SHARE }];
  });
}

/** Colours of single cells over their terrains: those of one colour are one area. */
function paintOwnCells(zone: MapZone, shapes: MapShapes, card: CardPainter): void {
  const byColour = new Map<string, Set<number>>();
  for (const [cell, { color }] of overridesOf(zone)) {
    if (color.trim() === '') continue;
    const cells = byColour.get(color) ?? new Set();
    byColour.set(color, cells.add(cell));
  }
  for (const [text, outline] of shapes.cellAreas(byColour)) {
    const color = rgba(text);
    if (color[3] > 0) card.paint({ op: 'path', outline, fill: { kind: 'solid', color }, stroke: null });
  }
}

export const MAP: LeafLayout<MapZone> = {
  outline: ({ radius }, box) => rectOutline(box, radius),
  paint(zone, box, _outline, card) {
    const grid = placedGridOf(zone, box);
    if (grid.pitch <= 0) return undefined;
    const shapes = mapShapes(grid, decodeTerrain(grid, zone.data));
    const cut = cutBox(grid, zone.rims);
    if (cut)
      card.paint({ op: 'push', matrix: IDENTITY, clip: rectOutline(cut), opacity: 1, blend: 'normal' });
    for (const terrain of zone.terrains)
      paintTerrain(zone.id, terrain, grid, shapes.terrain(terrainNumber(terrain.symbol)), card);
    paintOwnCells(zone, shapes, card);
    if (zone.cellStroke.width > 0)
      card.paint(...strokeOps(shapes.lines, { ...zone.cellStroke, align: 'center' }));
    for (const kind of zone.edgeKinds)
      paintEdges(kind, shapes.edgeLine(zone.edges, terrainNumber(kind.symbol)), card);
    if (hasCellNames(zone)) {
      const style = labelStyleOf(zone);
      const { fonts } = card.assets;
      const own = JSON.stringify(zone.overrides.map(({ at, name }) => [at, name]));
      const key = `${zone.labels} ${style.size} ${style.color} ${fonts.version} ${own}`;
      card.paint(
        ...shapes.labels(fonts, key, () => [
          ...labelOps(labelsOf(zone, grid), style, card.assets),
          ...nameOps(namesOf(zone, grid), style, card.assets),
        ]),
      );
    }
    if (cut) card.paint({ op: 'pop' });
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
