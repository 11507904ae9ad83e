import type { ShownZone } from '../../layout/card-data.ts';
import { resolveTree } from '../../layout/resolve-tree.ts';
import { bareRecord } from '../../records.ts';
import { resolve } from '../../scene/card/resolve.ts';
import type { Column, Row } from '../../scene/card/row.ts';
import type { Layout } from '../../scene/layout.ts';
import { parseMarkup } from '../../text/markup/markup.ts';

/**
 * The part of a row that a layout reads when it draws that row: painted with it, the card looks the same. A back that
 * is sent while its face is hidden holds nothing else, and neither does a face that is shown to players.
 */
export function rowRead(layout: Layout, row: Row, columns: readonly Column[]): Row {
  const read = new Set<string>();
  const places = new Set<'index' | 'count'>();
  const cells = new Proxy(row.cells, {
    get(target, key, receiver) {
      if (typeof key === 'string') read.add(key);
      return Reflect.get(target, key, receiver);
    },
  });
  const noting: Row = {
    cells,
    get index() {
      places.add('index');
      return row.index ?? 1;
    },
    get count() {
      places.add('count');
      return row.count ?? 1;
    },
  };
  resolve(layout.base, noting, columns);
  readTexts(resolveTree(layout.zones, noting, columns, []), layout, cells, columns);
  return {
    // In an order of their own: that of a card's document would tell its back from others that look alike.
    cells: bareRecord(
      Object.entries(row.cells)
        .filter(([key]) => read.has(key))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ...(places.has('index') && { index: row.index ?? 1 }),
    ...(places.has('count') && { count: row.count ?? 1 }),
  };
}

/** Texts name columns in braces. */
function readTexts(
  zones: readonly ShownZone[],
  layout: Layout,
  cells: Row['cells'],
  columns: readonly Column[],
): void {
  for (const zone of zones) {
    if (zone.kind === 'container') readTexts(zone.children, layout, cells, columns);
    else if (zone.kind === 'text') parseMarkup(zone.text, { variables: layout.variables, columns, cells });
  }
}
