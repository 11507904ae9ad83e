import { rectOutline } from '../../scene/display/outline.ts';
import type { ImageZone } from '../../scene/zones/image.ts';
import type { LeafLayout } from '../zone-layout.ts';

export const IMAGE: LeafLayout<ImageZone> = {
  outline: ({ radius }, box) => rectOutline(box, radius),
  paint(zone, box, outline, card) {
    if (zone.source.trim() !== '') card.image(zone.id, zone.source, zone, box, outline, 1);
    return undefined;
  },
};
