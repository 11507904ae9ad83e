import { MAX_MAP_CELLS } from '../grid.ts';
import { tilesOf } from './layer-data.ts';
import type { TiledJson, TiledLayer } from './schema.ts';
import { TiledError } from './tiled-error.ts';

/** Maps that Tiled calls infinite: their layers are pieces that lie anywhere. */

/** Most cells of all pieces together; most of them are empty. */
const MAX_CHUNK_CELLS = 50 * MAX_MAP_CELLS;

/** Half-open ranges of columns and rows: `right` and `bottom` are excluded. */
interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A piece with its tiles, turns included. */
interface Piece extends Bounds {
  readonly cells: Uint32Array;
}

function piecesOf(layer: TiledLayer): Piece[] {
  return (layer.chunks ?? []).map(({ x, y, width, height, data }) => ({
    cells: tilesOf({ ...layer, data }, width * height).raw,
    left: x,
    top: y,
    right: x + width,
    bottom: y + height,
  }));
}

/** The smallest box with all tiles in it; undefined without any. */
function boundsOf(pieces: readonly Piece[]): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const { cells, left, top, right } of pieces) {
    const width = right - left;
    for (const [at, tile] of cells.entries()) {
      if (tile === 0) continue;
      const [column, row] = [left + (at % width), top + Math.floor(at / width)];
      bounds = {
        left: Math.min(bounds?.left ?? column, column),
        top: Math.min(bounds?.top ?? row, row),
        right: Math.max(bounds?.right ?? column, column + 1),
        bottom: Math.max(bounds?.bottom ?? row, row + 1),
      };
    }
  }
  return bounds;
}

const evenBefore = (value: number): number => value - Math.abs(value % 2);

/** Pixels from one column and row to the next, as objects count them. */
export function stepsOf({ orientation, staggeraxis, tilewidth, tileheight, hexsidelength }: TiledJson): {
  readonly x: number;
  readonly y: number;
} {
  if (orientation === 'isometric') return { x: tileheight, y: tileheight };
  if (orientation === 'orthogonal') return { x: tilewidth, y: tileheight };
  const side = orientation === 'hexagonal' ? hexsidelength : 0;
  return staggeraxis === 'x'
    ? { x: (tilewidth + side) / 2, y: tileheight }
    : { x: tilewidth, y: (tileheight + side) / 2 };
}

/**
 * A map of pieces as one with a width and a height: the part that has tiles.
 * @param layers those that are seen
 * @throws TiledError when it has none, or too many cells
 */
export function boundedMap(
  map: TiledJson,
  layers: readonly TiledLayer[],
): { readonly map: TiledJson; readonly layers: readonly TiledLayer[] } {
  if (layers.every(({ chunks }) => chunks === undefined)) return { map, layers };
  const all = layers.flatMap(({ chunks = [] }) => chunks);
  if (all.reduce((sum, { width, height }) => sum + width * height, 0) > MAX_CHUNK_CELLS)
    throw new TiledError(`The map is too large: a map here has at most ${MAX_MAP_CELLS} cells.`);
  const pieces = new Map(layers.map((layer) => [layer, piecesOf(layer)]));
  const found = boundsOf([...pieces.values()].flat());
  if (!found) throw new TiledError('The map has no tiles. Draw some in Tiled, and save it again.');
  // If every other row or column is shifted, the first one stays one that is not.
  const shifted = map.orientation === 'staggered' || map.orientation === 'hexagonal';
  const left = shifted && map.staggeraxis === 'x' ? evenBefore(found.left) : found.left;
  const top = shifted && map.staggeraxis === 'y' ? evenBefore(found.top) : found.top;
  const [width, height] = [found.right - left, found.bottom - top];
  if (width * height > MAX_MAP_CELLS)
    throw new TiledError(`The map has ${width * height} cells; a map here has at most ${MAX_MAP_CELLS}.`);
  const step = stepsOf(map);
  return {
    map: { ...map, width, height },
    layers: layers.map((layer) => {
      if (layer.type !== 'tilelayer') {
        return { ...layer, offsetx: layer.offsetx - left * step.x, offsety: layer.offsety - top * step.y };
      }
      const data = new Array<number>(width * height).fill(0);
      for (const piece of pieces.get(layer) ?? []) {
        const across = piece.right - piece.left;
        for (const [at, tile] of piece.cells.entries()) {
          if (tile === 0) continue;
          const [column, row] = [
            piece.left + (at % across) - left,
            piece.top + Math.floor(at / across) - top,
          ];
          data[row * width + column] = tile;
        }
      }
      return { ...layer, chunks: undefined, encoding: undefined, compression: undefined, data };
    }),
  };
}
