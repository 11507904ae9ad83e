import type { Rect } from '../../scene/matrix.ts';
import type { Terrain } from '../../scene/terrain.ts';
import { type CellGrid, countOf, MAX_MAP_CELLS } from '../grid.ts';
import { SPACE_ROLES, type SpaceRole } from '../space.ts';
import { encodeTerrain, terrainNumber } from '../terrain-data.ts';
import { tilesOf } from './layer-data.ts';
import { type TiledJson, type TiledLayer, tiledSchema } from './schema.ts';
import { terrainsOf } from './terrains.ts';
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

/** An object of Tiled; its box in shares of the map's width and height, empty for a point. */
export interface TiledSpace extends Rect {
  readonly name: string;
  readonly role: SpaceRole;
}

/** Most objects that become spaces. */
const MAX_SPACES = 200;
/** Widths or heights of the map that a space may be away from it or large: a board has an end. */
const MAX_AWAY = 2;

/** Reads a map as Tiled saves it in JSON. @throws TiledError in words when it cannot be brought in */
export function readTiled(json: unknown): TiledMap {
  const read = tiledSchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new TiledError(
      `This is no map of Tiled that can be read: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'unknown shape'}.`,
    );
  }
  const map = read.data;
  if (map.infinite || map.layers.some(({ chunks }) => chunks !== undefined)) {
    throw new TiledError(
      'The map has no end. Turn off “Infinite” in its properties in Tiled, and save it again.',
    );
  }
  if (map.width * map.height > MAX_MAP_CELLS) {
    throw new TiledError(
      `The map has ${map.width * map.height} cells; a map here has at most ${MAX_MAP_CELLS}.`,
    );
  }
  return converted(map);
}

function converted(map: TiledJson): TiledMap {
  const remarks: string[] = [];
  const layers = map.layers.filter(({ visible }) => visible);
  if (layers.some(({ type }) => type === 'group')) remarks.push('Layers inside of groups are left out.');
  if (map.orientation === 'isometric' || map.orientation === 'staggered')
    remarks.push('Its slanted tiles are squares here.');
  const tiles = merged(
    map,
    layers.filter(({ type }) => type === 'tilelayer'),
  );
  const used = [...new Set(tiles)].filter((tile) => tile > 0).sort((a, b) => a - b);
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
    spaces: spacesOf(map, layers, remarks),
    remarks,
  };
}

/** The tile that is seen in each cell: that of the highest layer that has one there. */
function merged(map: TiledJson, layers: readonly TiledLayer[]): Uint32Array {
  const seen = new Uint32Array(map.width * map.height);
  for (const layer of layers) {
    for (const [at, tile] of tilesOf(layer, seen.length).entries()) if (tile > 0) seen[at] = tile;
  }
  return seen;
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
  if (staggeraxis === 'x' && orientation === 'hexagonal') {
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

/** Width and height of a map in pixels. */
function extentOf(map: TiledJson): { w: number; h: number } {
  const { width, height, tilewidth, tileheight, hexsidelength, orientation, staggeraxis } = map;
  if (orientation === 'orthogonal' || orientation === 'isometric')
    return { w: width * tilewidth, h: height * tileheight };
  if (staggeraxis === 'x') {
    const step = (tilewidth + hexsidelength) / 2;
    return { w: step * (width - 1) + tilewidth, h: height * tileheight + tileheight / 2 };
  }
  const step = (tileheight + hexsidelength) / 2;
  return { w: width * tilewidth + tilewidth / 2, h: step * (height - 1) + tileheight };
}

function spacesOf(map: TiledJson, layers: readonly TiledLayer[], remarks: string[]): TiledSpace[] {
  const { w, h } = extentOf(map);
  const seen = layers.flatMap((layer) => layer.objects ?? []).filter(({ visible }) => visible);
  const isNear = (start: number, length: number, side: number) =>
    Math.abs(start) <= side * MAX_AWAY && length <= side * MAX_AWAY;
  const objects = seen.filter((one) => isNear(one.x, one.width, w) && isNear(one.y, one.height, h));
  if (objects.length < seen.length)
    remarks.push(
      `${seen.length - objects.length} of its objects are left out: they lie far outside of the map.`,
    );
  if (objects.length > MAX_SPACES)
    remarks.push(`${objects.length - MAX_SPACES} of its objects are left out; ${MAX_SPACES} become spaces.`);
  const names = new Set<string>();
  return objects.slice(0, MAX_SPACES).map((object, at) => {
    const wanted = object.name || `Object ${at + 1}`;
    let name = wanted;
    for (let number = 2; names.has(name); number++) name = `${wanted} ${number}`;
    names.add(name);
    const large = object.width > 0 && object.height > 0;
    const told = SPACE_ROLES.find((role) => role === (object.type || object.class));
    return {
      name,
      // A point holds a piece on its middle, whatever else it is called.
      role: large ? (told ?? 'area') : 'spot',
      x: object.x / w,
      y: object.y / h,
      w: large ? object.width / w : 0,
      h: large ? object.height / h : 0,
    };
  });
}
