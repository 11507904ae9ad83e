import { type Symmetry, symmetriesOf } from './area.ts';
import { generateTerrain, quotasOf, type TerrainAmounts } from './generate-terrain.ts';
import { type CellGrid, countOf } from './grid.ts';
import { cellsOfTerrain, decodeTerrain, encodeTerrain, terrainNumber } from './terrain-data.ts';

/** Settings for terrain at random; terrains by their symbols. */
export interface FillSettings {
  readonly seed: string;
  /** Amount by symbol. */
  readonly shares: Readonly<Record<string, number>>;
  readonly amounts: TerrainAmounts;
  readonly clumping: number;
  readonly symmetry: Symmetry;
  /** Pairs of symbols that never lie side by side. */
  readonly apart: readonly (readonly [string, string])[];
  readonly emptyOnly: boolean;
}

/** Shares of a map's first terrains to begin with, in percent. */
const FIRST_SHARES = [40, 25, 15, 10, 10];

/** Settings to begin with. */
export const firstFill = (terrains: readonly { readonly symbol: string }[]): FillSettings => ({
  seed: '1',
  shares: Object.fromEntries(
    FIRST_SHARES.flatMap((share, at) => {
      const terrain = terrains[at];
      return terrain ? [[terrain.symbol, share]] : [];
    }),
  ),
  amounts: 'percent',
  clumping: 3,
  symmetry: 'none',
  apart: [],
  emptyOnly: false,
});

export interface FilledTerrain {
  /** The terrain of each cell, as text. */
  readonly data: string;
  /** Cells of each terrain that found no place, by symbol. */
  readonly missing: ReadonlyMap<string, number>;
}

/** Fills cells at random. @param known symbols of the map's terrains @param before terrain of its cells now */
export function fillTerrain(
  grid: CellGrid,
  known: readonly string[],
  before: string,
  settings: FillSettings,
): FilledTerrain {
  const { cells, missing } = generateTerrain(grid, decodeTerrain(grid, before), {
    seed: settings.seed,
    amounts: settings.amounts,
    clumping: settings.clumping,
    emptyOnly: settings.emptyOnly,
    symmetry: symmetriesOf(grid).includes(settings.symmetry) ? settings.symmetry : 'none',
    shares: new Map(known.map((symbol) => [terrainNumber(symbol), settings.shares[symbol] ?? 0])),
    apart: settings.apart
      .filter((pair) => pair.every((symbol) => known.includes(symbol)))
      .map(([one, other]) => [terrainNumber(one), terrainNumber(other)] as const),
  });
  return {
    data: encodeTerrain(grid, cells),
    missing: new Map(
      known.flatMap((symbol) => {
        const count = missing.get(terrainNumber(symbol));
        return count === undefined ? [] : [[symbol, count] as const];
      }),
    ),
  };
}

/** Cells of each terrain that found no place when a whole map was filled, by symbol. */
export function missingTerrain(
  grid: CellGrid,
  data: string,
  { shares, amounts }: Pick<FillSettings, 'shares' | 'amounts'>,
): ReadonlyMap<string, number> {
  const cells = decodeTerrain(grid, data);
  const symbols = Object.keys(shares);
  const wanted = new Map(symbols.map((symbol) => [terrainNumber(symbol), shares[symbol] ?? 0]));
  const quotas = quotasOf(wanted, countOf(grid), amounts);
  return new Map(
    symbols.flatMap((symbol) => {
      const number = terrainNumber(symbol);
      const left = (quotas.get(number) ?? 0) - cellsOfTerrain(cells, number).length;
      return left > 0 ? [[symbol, left] as const] : [];
    }),
  );
}

/** The same amounts in another unit, for a map of so many cells. */
export function inAmounts(grid: CellGrid, settings: FillSettings, amounts: TerrainAmounts): FillSettings {
  if (amounts === settings.amounts) return settings;
  const count = countOf(grid);
  const numbered = Object.entries(settings.shares).map(([symbol, share], at) => ({ symbol, share, at }));
  const quotas = quotasOf(new Map(numbered.map(({ share, at }) => [at, share])), count);
  const changed = numbered.map(({ symbol, share, at }) => [
    symbol,
    amounts === 'cells' ? (quotas.get(at) ?? 0) : Math.min(100, Math.round((share / count) * 1_000) / 10),
  ]);
  return { ...settings, amounts, shares: Object.fromEntries(changed) };
}
