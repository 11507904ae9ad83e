import type { Issue } from '../scene/display-list.ts';
import { resolve } from '../scene/resolve.ts';
import type { Column, Row } from '../scene/row.ts';
import { MAX_DEPTH, type Zone } from '../scene/zone.ts';

/**
 * The zones one card shows, bindings worked out. Hidden zones, and empty ones that ask to vanish,
 * are gone; so are containers that ask to vanish and have nothing left inside.
 */
export function resolveTree(
  zones: readonly Zone[],
  row: Row,
  columns: readonly Column[],
  issues: Issue[],
  depth = 0,
): Zone[] {
  if (depth >= MAX_DEPTH) return [];
  const shown: Zone[] = [];
  for (const original of zones) {
    const { zone, issues: found } = resolve(original, row, columns);
    issues.push(...found);
    if (zone.hidden) continue;
    if (zone.kind === 'container') {
      const children = resolveTree(zone.children, row, columns, issues, depth + 1);
      if (!(zone.hideIfEmpty && children.length === 0)) shown.push({ ...zone, children });
    } else if (!(zone.hideIfEmpty && isEmpty(zone))) shown.push(zone);
  }
  return shown;
}

function isEmpty(zone: Zone): boolean {
  if (zone.kind === 'text') return zone.text.trim() === '';
  return zone.kind === 'image' && zone.source.trim() === '';
}
