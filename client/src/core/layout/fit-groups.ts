import type { Row } from '../scene/row.ts';
import { isParent, type Layout, type Zone } from '../scene/zone.ts';
import type { Assets } from './assets.ts';
import { layout } from './card.ts';

/**
 * Text that is to have one size on all cards of a deck (`fit: 'group'`): every card is laid out, and
 * the size that the longest text needs becomes the size of the zone. The result is a plain layout, so
 * whoever paints single cards needs to know nothing of the others.
 * @param assets fonts for all the rows must be loaded
 */
export function fitGroups(document: Layout, rows: readonly Row[], assets: Assets): Layout {
  const grouped = groupZones(document.zones);
  if (grouped.size === 0 || rows.length === 0) return document;
  const sizes = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const list = layout(document, { index: index + 1, count: rows.length, ...row }, assets);
    for (const { zone, kind, fittedSize } of list.zones) {
      if (kind !== 'text' || fittedSize <= 0 || !grouped.has(zone)) continue;
      sizes.set(zone, Math.min(sizes.get(zone) ?? fittedSize, fittedSize));
    }
  }
  return { ...document, zones: withSizes(document.zones, sizes) };
}

/** Whether any text of a layout depends on the other cards of the deck. */
export const hasGroups = (document: Layout): boolean => groupZones(document.zones).size > 0;

function groupZones(zones: readonly Zone[], found = new Set<string>()): Set<string> {
  for (const zone of zones) {
    if (zone.kind === 'text' && zone.fit === 'group') found.add(zone.id);
    if (isParent(zone)) groupZones(zone.children, found);
  }
  return found;
}

function withSizes(zones: readonly Zone[], sizes: ReadonlyMap<string, number>): Zone[] {
  return zones.map((zone) => {
    if (isParent(zone)) return { ...zone, children: withSizes(zone.children, sizes) };
    const size = sizes.get(zone.id);
    if (zone.kind !== 'text' || size === undefined) return zone;
    const { 'style.size': _size, ...bindings } = zone.bindings;
    return { ...zone, bindings, style: { ...zone.style, size } };
  });
}
