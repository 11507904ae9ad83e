import { symmetriesOf } from '../../../../../core/board/area.ts';
import { decodeEdges, encodeEdges, symmetricEdges } from '../../../../../core/board/edges.ts';
import { EMPTY, terrainNumber } from '../../../../../core/board/terrain-data.ts';
import { gridOf, type MapZone } from '../../../../../core/scene/zones/map.ts';
import type { EdgeDrawing, EditorModel } from '../editor-store.ts';
import { findZone } from '../zones/zones.ts';
import { paintedMap } from './map-painting.ts';

/** The selected map, where lines may be drawn along the sides of its cells. */
export function edgedMap(model: Pick<EditorModel, 'state'>): MapZone | undefined {
  const { state } = model;
  const zone = findZone(state.scene, state.selected);
  return zone?.kind === 'map' && !zone.locked && !('edges' in zone.bindings) ? zone : undefined;
}

/** Settings for drawing on a map: a kind or a symmetry that it does not have gives way to one that it has. */
export function drawingOn(map: MapZone, drawing: EdgeDrawing): EdgeDrawing {
  const known = map.edgeKinds.some(({ symbol }) => symbol === drawing.kind);
  return {
    ...drawing,
    kind: known ? drawing.kind : (map.edgeKinds[0]?.symbol ?? ''),
    symmetry: symmetriesOf(map).includes(drawing.symmetry) ? drawing.symmetry : 'none',
  };
}

/** Changes what the pointer draws along sides of cells; null ends it. */
export function setDrawing(model: EditorModel, change: Partial<EdgeDrawing> | null): void {
  const map = edgedMap(model);
  if (change === null || !map) {
    model.view({ drawing: null });
    return;
  }
  const before: EdgeDrawing = model.state.drawing ?? { erases: false, kind: '', symmetry: 'none' };
  model.view({ drawing: drawingOn(map, { ...before, ...change }), painting: null, tool: null });
}

/** Sides of a map's cells and those that correspond to them. */
export const withSymmetric = (
  map: MapZone,
  edges: Iterable<number>,
  { symmetry }: Pick<EdgeDrawing, 'symmetry'>,
): number[] => [...new Set([...edges].flatMap((edge) => symmetricEdges(gridOf(map), edge, symmetry)))];

/** Puts a kind along sides of cells, as one act; an empty symbol erases what is there. */
export function drawEdges(model: EditorModel, id: string, edges: Iterable<number>, symbol: string): void {
  model.actOn<MapZone>(id, (draft) => {
    const grid = gridOf(draft);
    const kinds = decodeEdges(grid, draft.edges);
    const number = symbol === '' ? EMPTY : terrainNumber(symbol);
    for (const edge of edges) kinds[edge] = number;
    draft.edges = encodeEdges(grid, kinds);
  });
}

/** Takes a kind of edge out of a map, and all lines of it. */
export function deleteEdgeKind(model: EditorModel, id: string, symbol: string): void {
  model.actOn<MapZone>(id, (draft) => {
    draft.edgeKinds = draft.edgeKinds.filter((kind) => kind.symbol !== symbol);
    const grid = gridOf(draft);
    const number = terrainNumber(symbol);
    const kinds = decodeEdges(grid, draft.edges).map((kind) => (kind === number ? EMPTY : kind));
    draft.edges = encodeEdges(grid, kinds);
  });
}

/** True if the map can be painted or drawn on with a tool that is chosen now. */
export const worksOnMap = ({ state }: Pick<EditorModel, 'state'>): boolean =>
  (state.painting !== null && paintedMap({ state }) !== undefined) ||
  (state.drawing !== null && edgedMap({ state }) !== undefined);
