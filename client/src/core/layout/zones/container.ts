import type { ZoneOf } from '../../scene/zones.ts';
import type { ParentLayout } from '../zone-layout.ts';

export const CONTAINER: ParentLayout<ZoneOf<'container'>> = {
  show(zone, data, depth) {
    const children = data.show(zone.children, data, depth + 1);
    if (zone.hideIfEmpty && children.length === 0) return undefined;
    return { ...zone, id: `${zone.id}${data.suffix}`, from: 'container', children };
  },
};
