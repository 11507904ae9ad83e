import type { Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import type { Assets } from './assets.ts';
import { layout } from './card.ts';
import { type GroupSizes, groupZones, withGroupSizes } from './group-sizes.ts';

/**
 * Sizes of text that has one size on all cards of a project (`fit: 'group'`): every card is laid out, and the smallest
 * size that any of them needs becomes the size of all.
 * @param assets fonts for all the rows must be loaded
 */
export function fitGroups(document: Layout, rows: readonly Row[], assets: Assets): GroupSizes {
  const grouped = groupZones(document.zones);
  const sizes = new Map<string, number>();
  if (grouped.size === 0) return sizes;
  // Only the grouped texts matter here, but their places depend on the rest of the card.
  for (const [index, row] of rows.entries()) {
    const list = layout(document, { index: index + 1, count: rows.length, ...row }, assets);
    for (const { zone, kind, fittedSize } of list.zones) {
      if (kind !== 'text' || fittedSize <= 0 || !grouped.has(zone)) continue;
      sizes.set(zone, Math.min(sizes.get(zone) ?? fittedSize, fittedSize));
    }
  }
  return sizes;
}

/** The layout with the group sizes of all rows applied. */
export const fittedToDeck = (document: Layout, rows: readonly Row[], assets: Assets): Layout =>
  withGroupSizes(document, fitGroups(document, rows, assets));
