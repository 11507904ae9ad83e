import { randomFrom } from '../random.ts';
import type { Point } from '../scene/display/matrix.ts';
import { type CellGrid, centreOf, countOf, distance } from './grid.ts';

/** A board that is put together from tiles: dealt and turned from a seed, side by side. */

export const MODULAR_CELLS = ['square', 'hex-pointy', 'hex-flat'] as const;
export type ModularCells = (typeof MODULAR_CELLS)[number];
export const MODULAR_SHAPES = ['rings', 'rows'] as const;
export type ModularShape = (typeof MODULAR_SHAPES)[number];

/** Most rings of tiles around the middle one. */
export const MAX_RINGS = 8;
/** Most tiles across or down. */
export const MAX_TILES_ASIDE = 20;

export interface ModularSettings {
  readonly seed: string;
  readonly cells: ModularCells;
  /** Rings around a middle tile, which squares have not, or rows of tiles. */
  readonly shape: ModularShape;
  readonly rings: number;
  readonly columns: number;
  readonly rows: number;
  /** Between neighbouring tiles, in millimetres. */
  readonly gap: number;
  /** Tiles are laid at random, else in their order. */
  readonly shuffles: boolean;
  /** Tiles are turned at random. */
  readonly turns: boolean;
}

/** A tile in its place. */
export interface DealtTile {
  /** Number of the tile among those given. */
  readonly tile: number;
  /** Its middle, in millimetres from the top left corner of the whole. */
  readonly middle: Point;
  /** Degrees clockwise. */
  readonly turn: number;
}

export interface DealtBoard {
  readonly w: number;
  readonly h: number;
  readonly tiles: readonly DealtTile[];
  /** Places for which there was no tile. */
  readonly empty: number;
  /** Tiles for which there was no place. */
  readonly left: number;
}

/** Deals tiles to the places of a board. @param copies of each tile @param size of every tile, in millimetres */
export function dealTiles(
  copies: readonly number[],
  size: { readonly w: number; readonly h: number },
  settings: ModularSettings,
): DealtBoard {
  const places = placesOf(size, settings);
  const deck = deckOf(copies, settings);
  const random = randomFrom(`${settings.seed} turns`);
  const step = turnStep(size, settings);
  const turnOf = () => (settings.turns ? step * Math.floor(random() * (360 / step)) : 0);
  const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))];
  const tiles = deck.slice(0, places.length).map((tile, at): DealtTile => {
    const { x, y } = places[at] ?? { x: 0, y: 0 };
    return { tile, middle: { x: x - left + size.w / 2, y: y - top + size.h / 2 }, turn: turnOf() };
  });
  const span = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  return {
    w: span(places.map(({ x }) => x)) + size.w,
    h: span(places.map(({ y }) => y)) + size.h,
    tiles,
    empty: Math.max(0, places.length - deck.length),
    left: Math.max(0, deck.length - places.length),
  };
}

/** Every tile as often as it is there; the same seed gives the same order whatever the places. */
function deckOf(copies: readonly number[], { seed, shuffles }: ModularSettings): number[] {
  const deck = copies.flatMap((count, tile) => Array.from({ length: Math.max(0, count) }, () => tile));
  if (!shuffles) return deck;
  const random = randomFrom(seed);
  for (let at = deck.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [deck[at], deck[other]] = [deck[other] ?? 0, deck[at] ?? 0];
  }
  return deck;
}

/** Smallest turn after which a tile covers its place. */
function turnStep({ w, h }: { readonly w: number; readonly h: number }, { cells }: ModularSettings): number {
  if (cells !== 'square') return 60;
  return Math.abs(w - h) < 0.01 ? 90 : 180;
}

const within = (count: number, most: number): number => Math.min(most, Math.max(1, Math.floor(count)));

/** Middles of the places, row by row. */
function placesOf({ w, h }: { readonly w: number; readonly h: number }, settings: ModularSettings): Point[] {
  const { cells, gap } = settings;
  const rings = cells !== 'square' && settings.shape === 'rings';
  const aside = 2 * within(settings.rings, MAX_RINGS) + 1;
  const grid: CellGrid = rings
    ? { cells, cols: aside, rows: aside }
    : {
        cells,
        cols: within(settings.columns, MAX_TILES_ASIDE),
        rows: within(settings.rows, MAX_TILES_ASIDE),
      };
  const middle = Math.floor(countOf(grid) / 2);
  // A hexagon is four steps of the lattice long between corners and two between sides.
  const stepX = (w + gap) / (cells === 'hex-flat' ? 4 : 2);
  const stepY = (h + gap) / (cells === 'hex-pointy' ? 4 : 2);
  return Array.from({ length: countOf(grid) }, (_, cell) => cell)
    .filter((cell) => !rings || distance(grid, middle, cell) <= (aside - 1) / 2)
    .map((cell) => {
      const { x, y } = centreOf(grid, cell);
      return { x: x * stepX, y: y * stepY };
    });
}
