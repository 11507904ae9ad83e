import { Image } from 'lucide-react';
import { ImageFields } from '../panels/image-fields.tsx';
import type { ZonePart } from './zone-part.ts';

export const IMAGE: ZonePart<'image'> = {
  label: 'Image',
  icon: Image,
  add: { label: 'Add image', key: 'I', inBar: true },
  newSize: [0.7, 0.4],
  fill: () => undefined,
  driven: [
    ['fit', 'Fit'],
    ['posX', 'Image across'],
    ['posY', 'Image down'],
    ['scale', 'Image scale'],
  ],
  ownCorners: false,
  Fields: ImageFields,
};
