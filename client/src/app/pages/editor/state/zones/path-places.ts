import type { Point } from '../../../../../core/scene/display/matrix.ts';
import type { PathZone } from '../../../../../core/scene/zones/path.ts';
import { roundMm } from '../../geometry/snap.ts';

/** Points of a path as places, in millimetres from the zone's corner, before it is turned. */

/** Shortest side of a path's box, in millimetres: a level line has no height. */
const LEAST_MM = 0.5;
/** Decimals of a share of a side: a hundredth of a millimetre on one of 100 mm. */
const SHARES = 1e4;

const share = (mm: number, side: number): number =>
  side > 0 ? Math.round((mm / side) * SHARES) / SHARES : 0;

/** Places of a path's points. */
export const placesOf = ({ points, w, h }: Pick<PathZone, 'points' | 'w' | 'h'>): Point[] =>
  points.map(({ x, y }) => ({ x: x * w, y: y * h }));

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
