import type { Layout } from '../../../../core/scene/layout.ts';
import type { Point } from '../../../../core/scene/matrix.ts';
import { MAX_PATH_POINTS, type PathZone } from '../../../../core/scene/zones/path.ts';
import { roundMm } from '../geometry/snap.ts';
import type { EditorModel } from './editor-store.ts';
import { findZone, parentsOf } from './zones.ts';

/** Points of a path by pointer and keyboard. Places are in millimetres from the zone's corner, before it is turned. */

/** Fewest points of a line. */
export const MIN_PATH_POINTS = 2;
/** Shortest side of a path's box, in millimetres: a level line has no height. */
const LEAST_MM = 0.5;
/** Decimals of a share of a side: a hundredth of a millimetre on one of 100 mm. */
const SHARES = 1e4;

const share = (mm: number, side: number): number =>
  side > 0 ? Math.round((mm / side) * SHARES) / SHARES : 0;

/** The selected path, where it alone is selected and may be changed. */
export function editedPath({ state }: Pick<EditorModel, 'state'>): PathZone | undefined {
  const zone = findZone(state.scene, state.selected);
  return zone?.kind === 'path' && !zone.locked && !('points' in zone.bindings) ? zone : undefined;
}

/** Places of a path's points. */
export const placesOf = ({ points, w, h }: Pick<PathZone, 'points' | 'w' | 'h'>): Point[] =>
  points.map(({ x, y }) => ({ x: x * w, y: y * h }));

/** True if a zone's box lies where its container puts it. */
export const isPlacedByFlow = (scene: Layout, id: string): boolean => {
  const parent = parentsOf(scene.zones, id).at(-1);
  return parent !== undefined && !(parent.kind === 'container' && parent.arrange === 'free');
};

/**
 * Gives a path its points anew. Unless its container places it, the box of one that is not turned is drawn around them,
 * so that it is taken hold of where its line is.
 */
export function setPlaces(zone: PathZone, places: readonly Point[], inFlow = false): void {
  const upright = zone.rotation === 0 && !zone.flipX && !zone.flipY;
  if (upright && !inFlow) {
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const w = roundMm(Math.max(LEAST_MM, Math.max(...xs) - left));
    const h = roundMm(Math.max(LEAST_MM, Math.max(...ys) - top));
    zone.points = places.map(({ x, y }) => ({ x: share(x - left, w), y: share(y - top, h) }));
    zone.x = roundMm(zone.x + left);
    zone.y = roundMm(zone.y + top);
    zone.w = w as PathZone['w'];
    zone.h = h as PathZone['h'];
    return;
  }
  const within = (value: number) => Math.min(2, Math.max(-1, value));
  zone.points = places.map(({ x, y }) => ({
    x: within(share(x, zone.w)),
    y: within(share(y, zone.h)),
  }));
}

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
      change(places);
      if (places.length < MIN_PATH_POINTS || places.length > MAX_PATH_POINTS) return;
      setPlaces(zone, places, isPlacedByFlow(scene, id));
    },
    key === undefined ? {} : { mergeKey: key, mergeWindow: Number.POSITIVE_INFINITY },
  );
}
