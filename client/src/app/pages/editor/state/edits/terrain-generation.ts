import { type FillSettings, fillTerrain } from '../../../../../core/board/terrain-fill.ts';
import { gridOf, type MapZone } from '../../../../../core/scene/zones/map.ts';
import type { EditorModel } from '../editor-store.ts';
import { findZone } from '../zones/zones.ts';

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
    const known = map.terrains.map(({ symbol }) => symbol);
    const { data, missing } = fillTerrain(gridOf(map), known, this.#before, settings);
    this.#made = data;
    this.#model.act(
      (scene) => {
        const draft = findZone(scene, this.#id);
        if (draft?.kind === 'map') draft.data = this.#made;
      },
      { mergeKey: this.#key, mergeWindow: Number.POSITIVE_INFINITY },
    );
    return missing;
  }
}
