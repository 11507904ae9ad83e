import { Hexagon } from 'lucide-react';
import { sizeFor } from '../../../../core/board/placing.ts';
import { gridOf, placedGridOf } from '../../../../core/scene/zones/map.ts';
import { MapFields } from '../panels/map/map-fields.tsx';
import type { ZonePart } from './zone-part.ts';

export const MAP: ZonePart<'map'> = {
  label: 'Map',
  icon: Hexagon,
  add: { label: 'Add map', inBar: false },
  newSize: [0.9, 0.9],
  fill(zone) {
    // As large as its cells, in the middle of where it was to be.
    const { x, y, w, h } = zone;
    const size = sizeFor(gridOf(zone), placedGridOf(zone, zone).pitch, zone.gap, zone.rims);
    Object.assign(zone, { x: x + (w - size.w) / 2, y: y + (h - size.h) / 2, ...size });
  },
  driven: [
    ['data', 'Terrains of the cells'],
    ['edges', 'Lines along edges'],
    ['cols', 'Columns'],
    ['rows', 'Rows'],
    ['labels', 'Names of cells'],
  ],
  ownCorners: false,
  Fields: MapFields,
};
