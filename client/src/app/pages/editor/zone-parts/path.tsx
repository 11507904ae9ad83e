import { Spline } from 'lucide-react';
import { PathFields } from '../panels/spaces/path-fields.tsx';
import type { ZonePart } from './zone-part.ts';

export const PATH: ZonePart<'path'> = {
  label: 'Path',
  icon: Spline,
  add: { label: 'Add path', inBar: false },
  newSize: [0.6, 0.3],
  fill: () => undefined,
  driven: [
    ['color', 'Line colour'],
    ['width', 'Line width'],
    ['arrow', 'Arrows'],
  ],
  ownCorners: true,
  Fields: PathFields,
};
