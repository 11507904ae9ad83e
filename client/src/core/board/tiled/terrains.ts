import { plainTerrain, STARTING_TERRAINS, type Terrain } from '../../scene/board/terrain.ts';
import { MAX_TERRAINS, TERRAIN_SYMBOLS } from '../terrain-data.ts';
import { freshName } from './object-spaces.ts';
import type { TiledJson } from './schema.ts';
import { TiledError } from './tiled-error.ts';

/** Words in names of tiles, in the order of the terrains that a new map has. */
const WORDS = [
  /grass|plain|field|meadow/i,
  /forest|tree|wood/i,
  /hill/i,
  /mountain|rock|stone|cliff/i,
  /water|sea|ocean|lake|river/i,
  /desert|sand|dune|beach/i,
  /swamp|marsh|bog/i,
  /town|city|village|house|castle/i,
];
/** Degrees between the hues of terrains that no word is known for: the golden angle keeps neighbours apart. */
const HUE_STEP = 137.5;

/** Terrains for the tiles that a map uses, in the order of their numbers. @throws TiledError for more than fit */
export function terrainsOf(map: TiledJson, tiles: readonly number[]): Map<number, Terrain> {
  if (tiles.length > MAX_TERRAINS) {
    throw new TiledError(
      `The map uses ${tiles.length} different tiles; a map here has at most ${MAX_TERRAINS} terrains. Hide the layers that only decorate, and save it again.`,
    );
  }
  const names = new Set<string>();
  return new Map(
    tiles.map((tile, at) => {
      const name = freshName(nameOf(map, tile), names);
      return [tile, plainTerrain({ symbol: TERRAIN_SYMBOLS[at] ?? 'A', name, ...lookOf(name, at) })];
    }),
  );
}

/** The tile set that a tile is of. */
export const setOf = (
  tilesets: TiledJson['tilesets'],
  tile: number,
): TiledJson['tilesets'][number] | undefined =>
  tilesets.filter(({ firstgid }) => firstgid <= tile).sort((a, b) => b.firstgid - a.firstgid)[0];

const fileName = (path: string | undefined): string | undefined =>
  /([^/\\]+?)(?:\.\w+)?$/.exec(path ?? '')?.[1];

function nameOf({ tilesets }: TiledJson, tile: number): string {
  const set = setOf(tilesets, tile);
  const id = tile - (set?.firstgid ?? 1);
  const known = set?.tiles.find((one) => one.id === id);
  const named = known?.class || known?.type || fileName(known?.image);
  return named || `${set?.name || fileName(set?.source) || 'Tile'} ${id + 1}`;
}

function lookOf(name: string, at: number): Pick<Terrain, 'color' | 'pattern' | 'ink'> {
  const like = STARTING_TERRAINS[WORDS.findIndex((word) => word.test(name))];
  if (like) return { color: like.color, pattern: like.pattern, ink: like.ink };
  if (/snow|ice/i.test(name)) return { color: '#eef3f6', pattern: 'snow', ink: '#8fa6b5' };
  const hue = Math.round(at * HUE_STEP) % 360;
  return { color: `hsl(${hue}, 45%, 80%)`, pattern: 'none', ink: `hsl(${hue}, 40%, 40%)` };
}
