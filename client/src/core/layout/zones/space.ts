import { rectOutline } from '../../scene/display/outline.ts';
import type { SpaceZone } from '../../scene/zones/space.ts';
import type { LeafLayout } from '../zone-layout.ts';

export const SPACE: LeafLayout<SpaceZone> = {
  outline: (_zone, box) => rectOutline(box),
  paint: () => undefined,
};
