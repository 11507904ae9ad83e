import type { Row } from '../scene/row.ts';
import type { Layout } from '../scene/zone.ts';
import type { Assets } from './assets.ts';
import { layout } from './card.ts';
import { type GroupSizes, groupZones, withGroupSizes } from './group-sizes.ts';

/**
 * The sizes of text that is to have one size on all cards of a deck (`fit: 'group'`): every card is
 * laid out, and the size that the longest text needs is the size of them all.
 * @param assets fonts for all the rows must be loaded
 */
export function fitGroups(document: Layout, rows: readonly Row[], assets: Assets): GroupSizes {
  const grouped = groupZones(document.zones);
  const sizes = new Map<string, number>();
  if (grouped.size === 0) return sizes;
  // Nothing but the grouped texts has to be laid out for it, but where they stand depends on the rest.
  for (const [index, row] of rows.entries()) {
    const list = layout(document, { index: index + 1, count: rows.length, ...row }, assets);
    for (const { zone, kind, fittedSize } of list.zones) {
      if (kind !== 'text' || fittedSize <= 0 || !grouped.has(zone)) continue;
      sizes.set(zone, Math.min(sizes.get(zone) ?? fittedSize, fittedSize));
    }
  }
  return sizes;
}

/** The layout as it is for every card of a deck. */
export const fittedToDeck = (document: Layout, rows: readonly Row[], assets: Assets): Layout =>
  withGroupSizes(document, fitGroups(document, rows, assets));
