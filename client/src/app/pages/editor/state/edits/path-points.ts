import type { Point } from '../../../../../core/scene/display/matrix.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { MAX_PATH_POINTS, type PathZone } from '../../../../../core/scene/zones/path.ts';
import type { EditorModel } from '../editor-store.ts';
import { placesOf, setPlaces } from '../zones/path-places.ts';
import { settleEnds } from '../zones/stuck-ends.ts';
import { findZone, parentsOf } from '../zones/zones.ts';

/** Points of a path by pointer and keyboard. */

/** Fewest points of a line. */
export const MIN_PATH_POINTS = 2;
/** The selected path, where it alone is selected and may be changed. */
export function editedPath({ state }: Pick<EditorModel, 'state'>): PathZone | undefined {
  const zone = findZone(state.scene, state.selected);
  return zone?.kind === 'path' && !zone.locked && !('points' in zone.bindings) ? zone : undefined;
}

/** True if a zone's box lies where its container puts it. */
export const isPlacedByFlow = (scene: Layout, id: string): boolean => {
  const parent = parentsOf(scene.zones, id).at(-1);
  return parent !== undefined && !(parent.kind === 'container' && parent.arrange === 'free');
};

/** Changes a path's points; acts of one key are one undo. */
export function changePlaces(
  model: EditorModel,
  id: string,
  change: (places: Point[]) => void,
  key?: string,
): void {
  model.act(
    (scene) => {
      const zone = findZone(scene, id);
      if (zone?.kind !== 'path') return;
      const places = placesOf(zone);
      const [first, last] = [places[0], places.at(-1)];
      change(places);
      if (places.length < MIN_PATH_POINTS || places.length > MAX_PATH_POINTS) return;
      // An end that is moved by hand comes off what it stuck to.
      if (!samePlace(first, places[0])) zone.ends.from = '';
      if (!samePlace(last, places.at(-1))) zone.ends.to = '';
      setPlaces(zone, places, isPlacedByFlow(scene, id));
    },
    key === undefined ? {} : { mergeKey: key, mergeWindow: Number.POSITIVE_INFINITY },
  );
}

const samePlace = (a: Point | undefined, b: Point | undefined): boolean => a?.x === b?.x && a?.y === b?.y;

/** Lets an end of a path stick to a zone, from now on wherever that goes; an empty id frees it. */
export function stickEnd(model: EditorModel, id: string, end: 'from' | 'to', to: string): void {
  model.act((scene) => {
    const zone = findZone(scene, id);
    if (zone?.kind !== 'path') return;
    zone.ends[end] = to;
    settleEnds(scene);
  });
}
