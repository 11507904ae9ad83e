import * as z from 'zod';
import { MAX_TERRAINS, TERRAIN_SYMBOLS } from '../../board/terrain-data.ts';
import { nameSchema } from '../binding.ts';
import { colourSchema, sourceSchema } from '../style/paint.ts';

/** Patterns that tell terrains apart without their colours. */
export const PATTERNS = [
  'none',
  'grass',
  'trees',
  'hills',
  'peaks',
  'waves',
  'dots',
  'reeds',
  'houses',
  'stones',
  'crosses',
  'lines',
  'snow',
] as const;
export type Pattern = (typeof PATTERNS)[number];

/** One of `TERRAIN_SYMBOLS`. */
export const terrainSymbolSchema = z
  .string()
  .length(1)
  .regex(/[A-Za-z!#$%&*+\-=?@^]/);

/** Ways in which a picture fills a cell. */
export const TERRAIN_FITS = ['cover', 'contain', 'stretch'] as const;
export type TerrainFit = (typeof TERRAIN_FITS)[number];

/** A kind of ground on a map. Cells name it by its symbol, so that its place in the list means nothing. */
export const terrainSchema = z.object({
  symbol: terrainSymbolSchema,
  name: nameSchema,
  color: colourSchema,
  pattern: z.enum(PATTERNS),
  /** Colour of the pattern. */
  ink: colourSchema,
  /** A picture that lies in every cell, over the ground and instead of the pattern; empty for none. */
  source: sourceSchema.default(''),
  fit: z.enum(TERRAIN_FITS).default('cover'),
});
export type Terrain = z.infer<typeof terrainSchema>;

/** Look of a terrain without a picture. */
export type PlainLook = Omit<Terrain, 'source' | 'fit'>;

export const plainTerrain = (look: PlainLook): Terrain => ({ ...look, source: '', fit: 'cover' });
export const plainTerrains = (looks: readonly PlainLook[]): Terrain[] => looks.map(plainTerrain);

export const terrainsSchema = z.array(terrainSchema).max(MAX_TERRAINS);

/** Pale grounds and darker patterns: they print well and stay apart in grey. */
export const STARTING_TERRAINS: readonly Terrain[] = plainTerrains([
  { symbol: 'A', name: 'Plain', color: '#e9e2b6', pattern: 'grass', ink: '#a69a55' },
  { symbol: 'B', name: 'Forest', color: '#b4cfa0', pattern: 'trees', ink: '#456b3c' },
  { symbol: 'C', name: 'Hills', color: '#dcc398', pattern: 'hills', ink: '#8a6a3a' },
  { symbol: 'D', name: 'Mountains', color: '#c9c3bc', pattern: 'peaks', ink: '#5d5853' },
  { symbol: 'E', name: 'Water', color: '#b5d7e6', pattern: 'waves', ink: '#4d86a3' },
  { symbol: 'F', name: 'Desert', color: '#f4e3b0', pattern: 'dots', ink: '#b58f45' },
  { symbol: 'G', name: 'Swamp', color: '#a9bda6', pattern: 'reeds', ink: '#48604f' },
  { symbol: 'H', name: 'Town', color: '#e2b3a3', pattern: 'houses', ink: '#83402f' },
]);

/** A symbol that none of a list has; undefined when all are taken. */
export function freeSymbol(terrains: readonly { readonly symbol: string }[]): string | undefined {
  return [...TERRAIN_SYMBOLS].find((symbol) => !terrains.some((one) => one.symbol === symbol));
}
