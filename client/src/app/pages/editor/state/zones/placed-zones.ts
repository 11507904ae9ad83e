import {
  aboutCentre,
  IDENTITY,
  type Matrix,
  multiply,
  type Point,
  type Rect,
} from '../../../../../core/scene/display/matrix.ts';
import type { Zone } from '../../../../../core/scene/zones.ts';

/** A zone where it lies on the card. */
export interface PlacedZone {
  readonly zone: Zone;
  readonly box: Rect;
  /** Takes the box to the card. */
  readonly matrix: Matrix;
}

/** Zones by id, as far as their places follow from the document alone. */
export function placedZones(zones: readonly Zone[]): Map<string, PlacedZone> {
  const found = new Map<string, PlacedZone>();
  const visit = (list: readonly Zone[], outer: Matrix, origin: Point): void => {
    for (const zone of list) {
      const box = { x: origin.x + zone.x, y: origin.y + zone.y, w: zone.w, h: zone.h };
      const matrix = multiply(outer, aboutCentre(box, zone.rotation, zone.flipX, zone.flipY));
      found.set(zone.id, { zone, box, matrix });
      if (zone.kind === 'container' && zone.arrange === 'free') visit(zone.children, matrix, box);
    }
  };
  visit(zones, IDENTITY, { x: 0, y: 0 });
  return found;
}
