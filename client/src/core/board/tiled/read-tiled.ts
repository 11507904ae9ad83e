import { isDeeperThan } from '../../json-depth.ts';
import type { Terrain } from '../../scene/board/terrain.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import { type CellGrid, countOf, MAX_MAP_CELLS } from '../grid.ts';
import { encodeTerrain, terrainNumber } from '../terrain-data.ts';
import { boundedMap, stepsOf } from './bounded-map.ts';
import { tilesOf } from './layer-data.ts';
import { spacesOf, type TiledSpace } from './object-spaces.ts';
import { type TiledJson, type TiledLayer, tiledSchema } from './schema.ts';
import { setOf, terrainsOf } from './terrains.ts';
import { TiledError } from './tiled-error.ts';

/** A map of Tiled as a map and spaces of a board. */
export interface TiledMap {
  readonly grid: CellGrid;
  readonly terrains: readonly Terrain[];
  /** Terrain of every cell, as `terrain-data.ts` has it. */
  readonly data: string;
  readonly spaces: readonly TiledSpace[];
  /** Everything that could not be taken over, in sentences. */
  readonly remarks: readonly string[];
}

/** Most lists and objects of a map within one another: groups of layers in groups. */
const MAX_DEPTH = 60;

/** Reads a map as Tiled saves it in JSON. @throws TiledError in words when it cannot be brought in */
export function readTiled(json: unknown): TiledMap {
  if (isDeeperThan(json, MAX_DEPTH))
    throw new TiledError(
      'The map has too many groups of layers within one another. Take some apart in Tiled.',
    );
  if (isTileSet(json)) throw new TiledError('This is a tile set of Tiled. Open a map that it is used in.');
  if (!isRecord(json) || (json['type'] !== 'map' && !('orientation' in json)))
    throw new TiledError('This is not a Tiled map: nothing in it says how its tiles lie.');
  const read = tiledSchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new TiledError(
      `This is not a Tiled map that can be read: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'unknown shape'}.`,
    );
  }
  const { map, layers } = boundedMap(read.data, shownLayers(read.data.layers));
  const { cols, rows } = gridFor(map).grid;
  if (cols * rows > MAX_MAP_CELLS) {
    const more = cols * rows > map.width * map.height ? ', with a row or column more for its even ones' : '';
    throw new TiledError(`The map has ${cols * rows} cells${more}; a map here has at most ${MAX_MAP_CELLS}.`);
  }
  return converted(map, layers);
}

/** True for what JSON writes in braces. */
export const isRecord = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);
/** True for a tile set that lies in a file of its own. */
export const isTileSet = (json: unknown): json is Record<string, unknown> =>
  isRecord(json) && json['type'] === 'tileset';

/** The layers that are seen, in their order; those of groups are moved as their groups are. */
function shownLayers(layers: readonly TiledLayer[], dx = 0, dy = 0): TiledLayer[] {
  return layers.flatMap((layer) => {
    if (!layer.visible) return [];
    const moved = { ...layer, offsetx: layer.offsetx + dx, offsety: layer.offsety + dy };
    return layer.type === 'group' ? shownLayers(layer.layers ?? [], moved.offsetx, moved.offsety) : [moved];
  });
}

/** Sentences about what a board cannot have. */
function remarksOn(
  map: TiledJson,
  layers: readonly TiledLayer[],
  used: readonly number[],
  turned: boolean,
): string[] {
  const remarks: string[] = [];
  const { orientation, staggeraxis, tilesets } = map;
  const hexagons = orientation === 'staggered' && staggeraxis === 'x';
  if (orientation === 'isometric' || orientation === 'staggered')
    remarks.push(`Its slanted tiles are ${hexagons ? 'hexagons' : 'squares'} here.`);
  if (layers.some(({ type }) => type === 'imagelayer'))
    remarks.push('Its pictures are left out: put them on the board as images.');
  if (turned) remarks.push('Tiles that are turned or mirrored lie as they were drawn.');
  if (layers.some(({ type, offsetx, offsety }) => type === 'tilelayer' && (offsetx !== 0 || offsety !== 0)))
    remarks.push('Layers of tiles that are moved lie in line with the others.');
  if (used.some((tile) => setOf(tilesets, tile)?.source !== undefined))
    remarks.push(
      'Some tile sets lie in files of their own, so their terrains have numbers. To have their names, choose these files together with the map, or “Embed in map” for them in Tiled.',
    );
  return remarks;
}

function converted(map: TiledJson, layers: readonly TiledLayer[]): TiledMap {
  const { tiles, turned } = merged(
    map,
    layers.filter(({ type }) => type === 'tilelayer'),
  );
  const used = [...new Set(tiles)].filter((tile) => tile > 0).sort((a, b) => a - b);
  const remarks = remarksOn(map, layers, used, turned);
  const terrains = terrainsOf(map, used);
  const numbers = new Map([...terrains].map(([tile, { symbol }]) => [tile, terrainNumber(symbol)]));
  const { grid, place } = gridFor(map);
  const cells = new Uint8Array(countOf(grid));
  for (const [at, tile] of tiles.entries()) {
    if (tile > 0) cells[place(at % map.width, Math.floor(at / map.width))] = numbers.get(tile) ?? 0;
  }
  return {
    grid,
    terrains: [...terrains.values()],
    data: encodeTerrain(grid, cells),
    spaces: spacesOf(frameOf(map), layers, remarks),
    remarks,
  };
}

/** The tile that is seen in each cell: that of the highest layer that has one there. */
function merged(
  map: TiledJson,
  layers: readonly TiledLayer[],
): { readonly tiles: Uint32Array; readonly turned: boolean } {
  const tiles = new Uint32Array(map.width * map.height);
  let turned = false;
  for (const layer of layers) {
    const own = tilesOf(layer, tiles.length);
    turned ||= own.turned;
    for (const [at, tile] of own.numbers.entries()) if (tile > 0) tiles[at] = tile;
  }
  return { tiles, turned };
}

interface Placed {
  readonly grid: CellGrid;
  /** The cell of a column and row of Tiled. */
  place(column: number, row: number): number;
}

/** The grid of a map. Where Tiled shifts even rows and ours are the odd ones, a row of empty cells comes before. */
function gridFor({
  orientation,
  width,
  height,
  tileheight,
  hexsidelength,
  staggeraxis,
  staggerindex,
}: TiledJson): Placed {
  if (orientation === 'orthogonal' || orientation === 'isometric') {
    const grid: CellGrid = { cells: 'square', cols: width, rows: height };
    return { grid, place: (column, row) => row * width + column };
  }
  const before = staggerindex === 'even' ? 1 : 0;
  if (staggeraxis === 'x') {
    const cols = width + before;
    return {
      grid: { cells: 'hex-flat', cols, rows: height },
      place: (column, row) => row * cols + column + before,
    };
  }
  // Hexagons whose upright sides are as long as the tile are bricks.
  const bricks = orientation !== 'hexagonal' || hexsidelength >= tileheight;
  const cells = bricks ? 'offset' : 'hex-pointy';
  return {
    grid: { cells, cols: width, rows: height + before },
    place: (column, row) => (row + before) * width + column,
  };
}

/**
 * The frame of the grid in pixels, as the map's objects count them: along the sides of slanted tiles, and with the row or
 * column that comes before.
 */
function frameOf(map: TiledJson): Rect {
  const { width, height, tilewidth, tileheight, orientation, staggeraxis } = map;
  const step = stepsOf(map);
  if (orientation === 'isometric' || orientation === 'orthogonal')
    return { x: 0, y: 0, w: width * step.x, h: height * step.y };
  const before = map.staggerindex === 'even' ? 1 : 0;
  if (staggeraxis === 'x') {
    const w = step.x * (width + before - 1) + tilewidth;
    return { x: -before * step.x, y: 0, w, h: height * step.y + tileheight / 2 };
  }
  const h = step.y * (height + before - 1) + tileheight;
  return { x: 0, y: -before * step.y, w: width * step.x + tilewidth / 2, h };
}
