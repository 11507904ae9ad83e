import { Type } from 'lucide-react';
import { TextFields } from '../panels/text/text-fields.tsx';
import type { ZonePart } from './zone-part.ts';

export const TEXT: ZonePart<'text'> = {
  label: 'Text',
  icon: Type,
  add: { label: 'Add text', key: 'T', inBar: true },
  newSize: [0.7, 0.12],
  fill(zone) {
    zone.text = 'New text';
  },
  driven: [
    ['style.family', 'Font'],
    ['style.size', 'Type size'],
    ['style.weight', 'Weight (400 is regular, 700 bold)'],
    ['style.axes', 'Axes of a variable font'],
    ['style.italic', 'Italic'],
    ['style.color', 'Text colour'],
    ['style.align', 'Alignment'],
    ['style.vAlign', 'Vertical alignment'],
    ['style.lineHeight', 'Line height'],
    ['style.letterSpacing', 'Letter spacing'],
    ['style.transform', 'Letters'],
    ['style.outline.color', 'Outline colour'],
    ['curve', 'Curve'],
    ['fit', 'Fit'],
  ],
  ownCorners: false,
  Fields: TextFields,
};
