import { polygonPoints, rectOutline } from '../../scene/display/outline.ts';
import type { ShapeZone } from '../../scene/zones/shape.ts';
import type { LeafLayout } from '../zone-layout.ts';

export const SHAPE: LeafLayout<ShapeZone> = {
  outline(zone, box) {
    switch (zone.shape) {
      case 'rect':
        return rectOutline(box, zone.radius);
      case 'ellipse':
        return { kind: 'ellipse', box };
      case 'polygon':
        return { kind: 'polygon', points: polygonPoints(box, zone.points, null) };
      case 'star':
        return { kind: 'polygon', points: polygonPoints(box, zone.points, zone.inner) };
    }
  },
  // Fill and stroke are all there is of it.
  paint: () => undefined,
};
