import { Hexagon } from 'lucide-react';
import { MapFields } from '../panels/map-fields.tsx';
import type { ZonePart } from './zone-part.ts';

export const MAP: ZonePart<'map'> = {
  label: 'Map',
  icon: Hexagon,
  add: { label: 'Add map', inBar: false },
  newSize: [0.9, 0.9],
  fill: () => undefined,
  driven: [
    ['data', 'Terrains of the cells'],
    ['cols', 'Columns'],
    ['rows', 'Rows'],
    ['labels', 'Names of cells'],
  ],
  ownCorners: false,
  Fields: MapFields,
};
