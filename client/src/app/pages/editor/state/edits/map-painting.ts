import { useStore } from 'zustand';
import { symmetriesOf } from '../../../../../core/board/area.ts';
import {
  cellsOfTerrain,
  decodeTerrain,
  EMPTY,
  encodeTerrain,
  terrainNumber,
  withCells,
} from '../../../../../core/board/terrain-data.ts';
import { gridOf, type MapZone } from '../../../../../core/scene/zones/map.ts';
import type { EditorModel, Painting } from '../editor-store.ts';
import { findZone } from '../zones/zones.ts';

/** The selected map, where one map alone is selected and may be changed. */
export function paintedMap({ state }: Pick<EditorModel, 'state'>): MapZone | undefined {
  const zone = findZone(state.scene, state.selected);
  return zone?.kind === 'map' && !zone.locked && !('data' in zone.bindings) ? zone : undefined;
}

/** The map as it is now, for what follows its cells: fields are given it as it was before they were painted. */
export const useMapNow = (model: EditorModel, map: MapZone): MapZone =>
  useStore(model.store, ({ scene }) => {
    const now = findZone(scene, map.id);
    return now?.kind === 'map' ? now : map;
  });

/** Settings for painting a map: a terrain or a symmetry that it does not have gives way to one that it has. */
export function paintingOn(map: MapZone, painting: Painting): Painting {
  const known = map.terrains.some(({ symbol }) => symbol === painting.terrain);
  return {
    ...painting,
    terrain: known ? painting.terrain : (map.terrains[0]?.symbol ?? ''),
    symmetry: symmetriesOf(map).includes(painting.symmetry) ? painting.symmetry : 'none',
  };
}

/** Changes how the pointer paints, beginning with a brush of the map's first terrain. */
export function setPainting(model: EditorModel, change: Partial<Painting> | null): void {
  const map = paintedMap(model);
  if (change === null || !map) {
    model.view({ painting: null });
    return;
  }
  const before: Painting = model.state.painting ?? { tool: 'brush', terrain: '', reach: 0, symmetry: 'none' };
  model.view({ painting: paintingOn(map, { ...before, ...change }), drawing: null, tool: null });
}

/** Gives cells of a map a terrain, as one act; an empty symbol erases them. */
export function paintCells(model: EditorModel, id: string, cells: Iterable<number>, symbol: string): void {
  model.actOn<MapZone>(id, (draft) => {
    const grid = gridOf(draft);
    const number = symbol === '' ? EMPTY : terrainNumber(symbol);
    draft.data = encodeTerrain(grid, withCells(decodeTerrain(grid, draft.data), cells, number));
  });
}

/** Path of a terrain's picture, for what drives it. */
export const pictureBinding = (symbol: string): string => `terrains.${symbol}.source`;

/** Takes a terrain out of a map; its cells become empty. */
export function deleteTerrain(model: EditorModel, id: string, symbol: string): void {
  model.actOn<MapZone>(id, (draft) => {
    draft.terrains = draft.terrains.filter((terrain) => terrain.symbol !== symbol);
    delete draft.bindings[pictureBinding(symbol)];
    const grid = gridOf(draft);
    const cells = decodeTerrain(grid, draft.data);
    const own = cellsOfTerrain(cells, terrainNumber(symbol));
    draft.data = encodeTerrain(grid, withCells(cells, own, EMPTY));
  });
}
