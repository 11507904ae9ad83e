import type { Layout } from '../scene/layout.ts';
import { isParent, type Zone } from '../scene/zones.ts';

/** Type sizes in points by the id of a text zone that has one size on all cards. */
export type GroupSizes = ReadonlyMap<string, number>;

/** Ids of the texts whose size depends on the project's other cards (`fit: 'group'`). */
export function groupZones(zones: readonly Zone[], found = new Set<string>()): Set<string> {
  for (const zone of zones) {
    if (zone.kind === 'text' && zone.fit === 'group') found.add(zone.id);
    if (isParent(zone)) groupZones(zone.children, found);
  }
  return found;
}

/** True if any text of a layout depends on the other cards of the project. */
export const hasGroups = (document: Layout): boolean => groupZones(document.zones).size > 0;

/** The layout with those sizes applied: painting a single card then needs no other card. */
export function withGroupSizes(document: Layout, sizes: GroupSizes): Layout {
  return sizes.size === 0 ? document : { ...document, zones: sized(document.zones, sizes) };
}

function sized(zones: readonly Zone[], sizes: GroupSizes): Zone[] {
  return zones.map((zone) => {
    if (isParent(zone)) return { ...zone, children: sized(zone.children, sizes) };
    const size = sizes.get(zone.id);
    if (zone.kind !== 'text' || zone.fit !== 'group' || size === undefined) return zone;
    const { 'style.size': _size, ...bindings } = zone.bindings;
    return { ...zone, bindings, style: { ...zone.style, size: size as typeof zone.style.size } };
  });
}
