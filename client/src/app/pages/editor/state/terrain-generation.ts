import { type Symmetry, symmetriesOf } from '../../../../core/board/area.ts';
import { generateTerrain } from '../../../../core/board/generate-terrain.ts';
import { decodeTerrain, encodeTerrain, terrainNumber } from '../../../../core/board/terrain-data.ts';
import { gridOf, type MapZone } from '../../../../core/scene/zones/map.ts';
import type { EditorModel } from './editor-store.ts';
import { findZone } from './zones.ts';

/** Settings for terrain at random; terrains by their symbols. */
export interface FillSettings {
  readonly seed: string;
  /** Percent of the cells by symbol. */
  readonly shares: Readonly<Record<string, number>>;
  readonly clumping: number;
  readonly symmetry: Symmetry;
  /** Pairs of symbols that never lie side by side. */
  readonly apart: readonly (readonly [string, string])[];
  readonly emptyOnly: boolean;
}

/** Shares of a map's first terrains to begin with, in percent. */
const FIRST_SHARES = [40, 25, 15, 10, 10];

/** Settings to begin with. */
export const firstSettings = ({ terrains }: Pick<MapZone, 'terrains'>): FillSettings => ({
  seed: '1',
  shares: Object.fromEntries(
    FIRST_SHARES.flatMap((share, at) => {
      const terrain = terrains[at];
      return terrain ? [[terrain.symbol, share]] : [];
    }),
  ),
  clumping: 3,
  symmetry: 'none',
  apart: [],
  emptyOnly: false,
});

/** Filling one map at random, again with every change of a setting: all of it is one undo. */
export class TerrainGeneration {
  readonly #model: EditorModel;
  readonly #id: string;
  /** The map as it was found, which every further try begins from. */
  readonly #before: string;
  readonly #key: string;
  #made: string;

  constructor(model: EditorModel, map: MapZone) {
    this.#model = model;
    this.#id = map.id;
    this.#before = map.data;
    this.#made = map.data;
    this.#key = `${map.id}:generate ${crypto.randomUUID()}`;
  }

  /** True while nobody has changed the cells since. */
  goesOnWith(map: MapZone): boolean {
    return map.id === this.#id && map.data === this.#made;
  }

  /** Fills the map. Answers how many cells of each terrain found no place, by symbol. */
  fill(settings: FillSettings): ReadonlyMap<string, number> {
    const map = findZone(this.#model.state.scene, this.#id);
    if (map?.kind !== 'map') return new Map();
    const grid = gridOf(map);
    const known = map.terrains.map(({ symbol }) => symbol);
    const { cells, missing } = generateTerrain(grid, decodeTerrain(grid, this.#before), {
      seed: settings.seed,
      clumping: settings.clumping,
      emptyOnly: settings.emptyOnly,
      symmetry: symmetriesOf(grid).includes(settings.symmetry) ? settings.symmetry : 'none',
      shares: new Map(known.map((symbol) => [terrainNumber(symbol), settings.shares[symbol] ?? 0])),
      apart: settings.apart
        .filter((pair) => pair.every((symbol) => known.includes(symbol)))
        .map(([one, other]) => [terrainNumber(one), terrainNumber(other)] as const),
    });
    this.#made = encodeTerrain(grid, cells);
    this.#model.act(
      (scene) => {
        const draft = findZone(scene, this.#id);
        if (draft?.kind === 'map') draft.data = this.#made;
      },
      { mergeKey: this.#key, mergeWindow: Number.POSITIVE_INFINITY },
    );
    return new Map(
      known.flatMap((symbol) => {
        const count = missing.get(terrainNumber(symbol));
        return count === undefined ? [] : [[symbol, count] as const];
      }),
    );
  }
}
