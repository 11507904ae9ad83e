import { applyTo, invert } from '../../../../../core/scene/display/matrix.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import type { PathZone } from '../../../../../core/scene/zones/path.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';
import { placesOf, setPlaces } from './path-places.ts';
import { placedZones } from './placed-zones.ts';
import { allZones } from './zones.ts';

/** Ends of paths that stick to zones: links move along with the places that they join. */

/** An end that lies nearer than this to its place stays, in millimetres. */
const NEAR_MM = 0.01;

const isStuck = (zone: Zone): zone is PathZone =>
  zone.kind === 'path' && (zone.ends.from !== '' || zone.ends.to !== '');

/** True if a path of the layout sticks to a zone. */
export const hasStuckEnds = (scene: Layout): boolean => allZones(scene.zones).some(isStuck);

/** Brings the ends of paths to the middles of what they stick to. For drafts of an act. */
export function settleEnds(scene: Layout): void {
  const placed = placedZones(scene.zones);
  for (const { zone, box, matrix } of placed.values()) {
    if (!isStuck(zone) || zone.points.length < 2) continue;
    const back = invert(matrix);
    if (!back) continue;
    const places = placesOf(zone);
    let moved = false;
    for (const [id, at] of [
      [zone.ends.from, 0],
      [zone.ends.to, places.length - 1],
    ] as const) {
      const target = id === '' ? undefined : placed.get(id);
      const was = places[at];
      if (!target || !was || target.zone === zone) continue;
      const { x, y, w, h } = target.box;
      const there = applyTo(back, applyTo(target.matrix, { x: x + w / 2, y: y + h / 2 }));
      const place = { x: there.x - box.x, y: there.y - box.y };
      if (Math.hypot(place.x - was.x, place.y - was.y) <= NEAR_MM) continue;
      places[at] = place;
      moved = true;
    }
    if (moved) setPlaces(zone, places);
  }
}
