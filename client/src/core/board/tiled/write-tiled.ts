import type { Terrain } from '../../scene/board/terrain.ts';
import { parseColour } from '../../scene/colour/colour.ts';
import type { Rgba } from '../../scene/display/display-list.ts';
import { boundedGrid, type CellGrid, cornersOf } from '../grid.ts';
import { decodeTerrain, terrainNumber } from '../terrain-data.ts';
import type { TiledSpace } from './object-spaces.ts';

/** A map as Tiled reads it, and a picture with a tile for each terrain. Edges have no counterpart there. */

/** Pixels across the sides of a cell. */
const TILE_PX = 48;
/** Name of the picture of the tiles. */
export const TILES_FILE = 'terrains.png';

interface TileShape {
  readonly orientation: 'orthogonal' | 'hexagonal';
  readonly axis: 'x' | 'y';
  readonly w: number;
  readonly h: number;
  /** Length of the side that lies along the axis; that of a tile makes bricks. */
  readonly side: number;
}

/** Hexagons are rounded to whole pixels: their sides come out as even as Tiled can have them. */
const HEX_PX = 2 * Math.round(TILE_PX / Math.sqrt(3));
const SHAPES: Readonly<Record<CellGrid['cells'], TileShape>> = {
  square: { orientation: 'orthogonal', axis: 'y', w: TILE_PX, h: TILE_PX, side: 0 },
  offset: { orientation: 'hexagonal', axis: 'y', w: TILE_PX, h: TILE_PX, side: TILE_PX },
  'hex-pointy': { orientation: 'hexagonal', axis: 'y', w: TILE_PX, h: HEX_PX, side: HEX_PX / 2 },
  'hex-flat': { orientation: 'hexagonal', axis: 'x', w: HEX_PX, h: TILE_PX, side: HEX_PX / 2 },
};

/** Width and height of the whole map in pixels. */
function extentOf(
  { cols, rows }: CellGrid,
  { orientation, axis, w, h, side }: TileShape,
): { w: number; h: number } {
  if (orientation === 'orthogonal') return { w: cols * w, h: rows * h };
  if (axis === 'x') return { w: ((w + side) / 2) * (cols - 1) + w, h: rows * h + h / 2 };
  return { w: cols * w + w / 2, h: ((h + side) / 2) * (rows - 1) + h };
}

/** The map as Tiled 1.10 saves it as JSON. */
export function writeTiled(
  grid: CellGrid,
  terrains: readonly Terrain[],
  data: string,
  spaces: readonly TiledSpace[],
) {
  const bounded = boundedGrid(grid);
  const shape = SHAPES[bounded.cells];
  const whole = extentOf(bounded, shape);
  const tiles = new Map(terrains.map(({ symbol }, at) => [terrainNumber(symbol), at + 1]));
  return {
    type: 'map',
    version: '1.10',
    // Programs that read maps of Tiled miss it where it is not there.
    tiledversion: '1.10.2',
    orientation: shape.orientation,
    renderorder: 'right-down',
    ...(shape.orientation === 'hexagonal' && {
      hexsidelength: shape.side,
      staggeraxis: shape.axis,
      staggerindex: 'odd',
    }),
    infinite: false,
    width: bounded.cols,
    height: bounded.rows,
    tilewidth: shape.w,
    tileheight: shape.h,
    nextlayerid: 3,
    nextobjectid: spaces.length + 1,
    layers: [
      {
        type: 'tilelayer' as const,
        id: 1,
        name: 'Terrains',
        visible: true,
        opacity: 1,
        x: 0,
        y: 0,
        width: bounded.cols,
        height: bounded.rows,
        data: Array.from(decodeTerrain(bounded, data), (number) => tiles.get(number) ?? 0),
      },
      {
        type: 'objectgroup' as const,
        id: 2,
        name: 'Spaces',
        visible: true,
        opacity: 1,
        x: 0,
        y: 0,
        draworder: 'topdown',
        objects: spaces.map((space, at) => objectOf(space, at + 1, whole)),
      },
    ],
    tilesets: [
      {
        firstgid: 1,
        name: 'Terrains',
        tilewidth: shape.w,
        tileheight: shape.h,
        tilecount: terrains.length,
        columns: terrains.length,
        margin: 0,
        spacing: 0,
        image: TILES_FILE,
        imagewidth: terrains.length * shape.w,
        imageheight: shape.h,
        tiles: terrains.map(({ name }, id) => ({ id, type: name })),
      },
    ],
  };
}

/** The part of a map that Tiled knows. */
export type TiledMap = ReturnType<typeof writeTiled>;

/** A spot is a point at its middle. Tiled turns objects about their upper left corners. */
function objectOf(space: TiledSpace, id: number, whole: { w: number; h: number }) {
  const { name, role, rotation } = space;
  const [w, h] = [space.w * whole.w, space.h * whole.h];
  const [x, y] = [(space.x + space.w / 2) * whole.w, (space.y + space.h / 2) * whole.h];
  const properties = propertiesOf(space);
  const common = {
    id,
    name,
    type: role,
    rotation,
    visible: true,
    ...(properties.length > 0 && { properties }),
  };
  if (role === 'spot') return { ...common, x, y, width: 0, height: 0, point: true };
  const angle = (rotation * Math.PI) / 180;
  const corner = {
    x: x - (w / 2) * Math.cos(angle) + (h / 2) * Math.sin(angle),
    y: y - (w / 2) * Math.sin(angle) - (h / 2) * Math.cos(angle),
  };
  return { ...common, ...corner, width: w, height: h, point: false };
}

/** Properties for the traits that Tiled has no field for. Arrows show there which objects they name. */
function propertiesOf({ turning, turn, accepts, holds, order, links }: TiledSpace) {
  return [
    ...(turning === 'usual' ? [] : [{ name: 'turning', type: 'string' as const, value: turning }]),
    ...(turn === 0 ? [] : [{ name: 'turn', type: 'float' as const, value: turn }]),
    ...(accepts.length === 0
      ? []
      : [{ name: 'accepts', type: 'string' as const, value: accepts.join(', ') }]),
    ...(holds === 0 ? [] : [{ name: 'holds', type: 'int' as const, value: holds }]),
    ...(order === 0 ? [] : [{ name: 'order', type: 'int' as const, value: order }]),
    ...links.map((index, at) => ({ name: `leads to ${at + 1}`, type: 'object' as const, value: index + 1 })),
  ];
}

/** The tiles side by side, each a cell in its terrain's colour and clear around it; RGBA, row by row. */
export function tilePixels(
  { cells }: Pick<CellGrid, 'cells'>,
  terrains: readonly Terrain[],
): { readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray } {
  const { w, h } = SHAPES[cells];
  const width = Math.max(1, terrains.length) * w;
  const pixels = new Uint8ClampedArray(width * h * 4);
  const colours = terrains.map(({ color }): Rgba => parseColour(color) ?? [0, 0, 0, 0]);
  const inside = insideOf({ cells });
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b, a] = colours[Math.floor(x / w)] ?? [0, 0, 0, 0];
      if (inside(((x % w) + 0.5) / w, (y + 0.5) / h)) pixels.set([r, g, b, 255 * a], (y * width + x) * 4);
    }
  }
  return { width, height: h, pixels };
}

/** Tells of a place in the box around a cell, as shares of it, if it lies in the cell. */
function insideOf(grid: Pick<CellGrid, 'cells'>): (x: number, y: number) => boolean {
  const corners = cornersOf(grid);
  const [w, h] = [Math.max(...corners.map(({ x }) => x)), Math.max(...corners.map(({ y }) => y))];
  return (x, y) => {
    const [px, py] = [(2 * x - 1) * w, (2 * y - 1) * h];
    return corners.every((from, at) => {
      const to = corners[(at + 1) % corners.length] ?? from;
      return (to.x - from.x) * (py - from.y) - (to.y - from.y) * (px - from.x) >= 0;
    });
  };
}
