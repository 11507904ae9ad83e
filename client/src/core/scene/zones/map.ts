import * as z from 'zod';
import { edgesChanged, MAX_EDGE_DATA, mergeEdges } from '../../board/edges.ts';
import { boundedGrid, CELL_KINDS, type CellGrid, MAX_MAP_CELLS, sidesOf } from '../../board/grid.ts';
import { CELL_LABELS, cellName, cellNamed, cellsOfRange } from '../../board/labels.ts';
import { cellBox, type PlacedGrid, placeGrid, RIMS } from '../../board/placing.ts';
import {
  cellsChanged,
  cellsOfTerrain,
  decodeTerrain,
  MAX_TERRAIN_DATA,
  MAX_TERRAINS,
  mergeTerrain,
  TERRAIN_DATA,
  terrainNumber,
} from '../../board/terrain-data.ts';
import { edgeKindsSchema, STARTING_EDGES } from '../board/edge-kind.ts';
import { spaceTraitsShape } from '../board/space-traits.ts';
import { STARTING_TERRAINS, terrainsSchema } from '../board/terrain.ts';
import type { Rect } from '../display/matrix.ts';
import { colourSchema, mmPositiveSchema, radiiSchema, strokeSchema } from '../style/paint.ts';
import { defaultTextStyle, ptSchema, type TextStyle } from '../style/text-style.ts';
import { commonShape, defineZone, noRadii, type ZoneVersions } from './definition.ts';

/** Most rules by which cells of one map become spaces. */
export const MAX_SPACE_RULES = 20;

/** Longest list of names of cells. */
export const MAX_RANGE_LENGTH = 500;

/** Cells that are spaces. They are worked out when needed, so that a large map stays a short rule. */
export const spaceRuleSchema = z.object({
  id: z.string().min(1).max(64),
  /** All cells, those of a terrain (its symbol in `terrain`), or those named in `range`: `A1:C3, E5`. */
  of: z.enum(['all', 'terrain', 'range']),
  terrain: z.string().max(1),
  range: z.string().max(MAX_RANGE_LENGTH),
  ...spaceTraitsShape,
});
export type SpaceRule = z.infer<typeof spaceRuleSchema>;

/** Most cells of one map with something of their own. */
export const MAX_CELL_OVERRIDES = 500;
/** Longest name of a cell. */
export const MAX_CELL_NAME = 60;

/** A cell that differs from its terrain and its place. */
export const cellOverrideSchema = z.object({
  /** Column and row as `C4`, however names are printed: it stays there when the map grows or shrinks. */
  at: z.string().regex(/^[A-Z]{1,3}[1-9]\d{0,4}$/),
  /** Printed in the cell in place of its column and row, and the name of its space; empty for those. */
  name: z.string().max(MAX_CELL_NAME),
  /** Lies over the terrain; empty for none. */
  color: colourSchema,
});
export type CellOverride = z.infer<typeof cellOverrideSchema>;

const schema = z.object({
  ...commonShape,
  kind: z.literal('map'),
  cells: z.enum(CELL_KINDS),
  cols: z.number().int().min(1).max(MAX_MAP_CELLS),
  rows: z.number().int().min(1).max(MAX_MAP_CELLS),
  /** Cells that stick out at the rims are cut off, so that the rims are straight. */
  rims: z.enum(RIMS).default('whole'),
  /** Between the sides of neighbouring cells. The cells are as large as the zone allows. */
  gap: mmPositiveSchema,
  terrains: terrainsSchema,
  /** Terrain of each cell, as `core/board/terrain-data.ts` has it. */
  data: z.string().max(MAX_TERRAIN_DATA).regex(TERRAIN_DATA),
  /** Kinds of lines along sides of cells. */
  edgeKinds: edgeKindsSchema.default([]),
  /** The kind of line along each side, as `core/board/edges.ts` has it. */
  edges: z.string().max(MAX_EDGE_DATA).regex(TERRAIN_DATA).default(''),
  /** Sides of the cells. */
  cellStroke: strokeSchema,
  /** Names printed in the cells. */
  labels: z.enum(CELL_LABELS),
  labelSize: ptSchema,
  labelColor: colourSchema,
  radius: radiiSchema,
  spaces: z.array(spaceRuleSchema).max(MAX_SPACE_RULES).default([]),
  overrides: z.array(cellOverrideSchema).max(MAX_CELL_OVERRIDES).default([]),
});

export type MapZone = z.infer<typeof schema>;

/** The cells of a map, within the limit. */
export const gridOf = ({ cells, cols, rows }: Pick<MapZone, 'cells' | 'cols' | 'rows'>): CellGrid =>
  boundedGrid({ cells, cols, rows });

/** The cells of a map in its box. */
export const placedGridOf = (
  zone: Pick<MapZone, 'cells' | 'cols' | 'rows' | 'gap' | 'rims'>,
  box: Rect,
): PlacedGrid => placeGrid(gridOf(zone), box, zone.gap, zone.rims);

/** The cells that a rule makes spaces; undefined if its range cannot be read. */
export function cellsOfRule(zone: MapZone, rule: SpaceRule): number[] | undefined {
  const grid = gridOf(zone);
  if (rule.of === 'all') return Array.from({ length: grid.cols * grid.rows }, (_, cell) => cell);
  if (rule.of === 'range') return cellsOfRange(grid, rule.range);
  return cellsOfTerrain(decodeTerrain(grid, zone.data), terrainNumber(rule.terrain));
}

/** Names and colours of single cells, by cell; those beyond the rims are left out. */
export function overridesOf(
  zone: Pick<MapZone, 'cells' | 'cols' | 'rows' | 'overrides'>,
): Map<number, CellOverride> {
  const grid = gridOf(zone);
  return new Map(
    zone.overrides.flatMap((own) => {
      const cell = cellNamed(grid, own.at);
      return cell === undefined ? [] : [[cell, own] as const];
    }),
  );
}

/** Names of the cells: their own, or their column and row. */
export function cellNamesOf(zone: MapZone): (cell: number) => string {
  const [grid, own] = [gridOf(zone), overridesOf(zone)];
  return (cell) => own.get(cell)?.name || cellName(grid, cell, zone.labels);
}

/** True if names are printed in cells: columns and rows, or names of single cells. */
export const hasCellNames = ({ labels, overrides }: MapZone): boolean =>
  labels !== 'none' || overrides.some(({ name }) => name !== '');

/** Edges are merged side by side, and taken whole where the cells of one version have other sides. */
function mergedEdges(
  { base, mine, theirs, merged }: ZoneVersions<MapZone>,
  prefer: 'mine' | 'theirs',
): string {
  const sides = sidesOf(merged);
  const fitting = [mine, theirs].filter((zone) => sidesOf(zone) === sides);
  if (fitting.length === 1) return fitting[0]?.edges ?? '';
  const was = base && sidesOf(base) === sides ? base.edges : '';
  return mergeEdges(gridOf(merged), { base: was, mine: mine.edges, theirs: theirs.edges }, prefer);
}

/** Style of the names of cells. */
export const labelStyleOf = ({ labelSize, labelColor }: MapZone): TextStyle => ({
  ...defaultTextStyle(),
  family: 'inter',
  size: labelSize,
  color: labelColor,
});

/** Cells side by side, each with a terrain. */
export const MAP = defineZone<MapZone>({
  schema,
  newName: 'Map',
  create: (common) => ({
    ...common,
    kind: 'map',
    cells: 'hex-pointy',
    cols: 9,
    rows: 7,
    rims: 'whole',
    gap: 0,
    terrains: STARTING_TERRAINS.map((terrain) => ({ ...terrain })),
    data: '',
    edgeKinds: STARTING_EDGES.map((kind) => ({ ...kind })),
    edges: '',
    cellStroke: { color: '#4a4f5c', width: 0.2, align: 'center', dash: [] },
    labels: 'none',
    labelSize: 5,
    labelColor: '#1f2430',
    radius: noRadii(),
    spaces: [],
    overrides: [],
  }),
  isEmpty: ({ data, edges, overrides }) => data === '' && edges === '' && overrides.length === 0,
  texts: ({ labels, overrides }) => [
    ...(labels === 'none' ? [] : ['ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']),
    ...overrides.map(({ name }) => name),
  ],
  style: (zone) => (hasCellNames(zone) ? labelStyleOf(zone) : undefined),
  merge: ({ base, mine, theirs, merged }, prefer) => ({
    ...merged,
    data: mergeTerrain(
      gridOf(merged),
      { base: base?.data ?? '', mine: mine.data, theirs: theirs.data },
      prefer,
    ),
    edges: mergedEdges({ base, mine, theirs, merged }, prefer),
  }),
  lists: {
    terrains: { by: 'symbol', most: MAX_TERRAINS },
    edgeKinds: { by: 'symbol', most: MAX_TERRAINS },
    spaces: { by: 'id', most: MAX_SPACE_RULES },
    overrides: { by: 'at', most: MAX_CELL_OVERRIDES },
  },
  spaceTraits: ({ spaces }) => spaces,
  spaces(zone, box) {
    const grid = placedGridOf(zone, box);
    const nameOf = cellNamesOf(zone);
    return zone.spaces.flatMap((rule) => {
      const { role, turning, turn, accepts, holds } = rule;
      return (cellsOfRule(zone, rule) ?? []).map((cell) => ({
        name: nameOf(cell),
        ...{ role, turning, turn, accepts, holds, order: 0, links: [] },
        box: cellBox(grid, cell),
      }));
    });
  },
  describe(key, before, after) {
    if (key === 'edges') {
      const changed = edgesChanged(gridOf(after), before.edges, after.edges);
      return changed === 1 ? '1 edge' : `${changed} edges`;
    }
    if (key === 'overrides') return 'single cells';
    if (key !== 'data') return undefined;
    const count = cellsChanged(gridOf(after), before.data, after.data);
    return count === 1 ? '1 cell' : `${count} cells`;
  },
});
