import type { ShownZone } from '../../layout/card-data.ts';
import { resolveTree } from '../../layout/resolve-tree.ts';
import { bareRecord } from '../../records.ts';
import { resolve } from '../../scene/card/resolve.ts';
import type { Column, Row } from '../../scene/card/row.ts';
import { styleOverrides } from '../../scene/card/style-override.ts';
import type { Layout } from '../../scene/layout.ts';
import { isParent, type Zone } from '../../scene/zones.ts';
import { parseMarkup } from '../../text/markup/markup.ts';

/**
 * The part of a row that a layout reads when it draws that row: painted with it, the card looks the same. A back that
 * is sent while its face is hidden holds nothing else, and neither does a face that is shown to players. Words in
 * another language are no part of it: they stand for cells that are read.
 */
export function rowRead(layout: Layout, row: Row, columns: readonly Column[]): Row {
  const places = new Set<'index' | 'count'>();
  const cells = new Noted(row.cells);
  let languages: ReadonlyMap<string, Noted> | undefined;
  const noting: Row = {
    cells: cells.record,
    get languages() {
      if (!row.languages) return undefined;
      languages ??= new Map(Object.entries(row.languages).map(([tag, one]) => [tag, new Noted(one)]));
      return Object.fromEntries([...languages].map(([tag, one]) => [tag, one.record]));
    },
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
  readTexts(
    resolveTree(shown(layout.zones, row, columns), noting, columns, []),
    layout,
    cells.record,
    columns,
  );
  return {
    cells: cells.read(),
    ...(languages && {
      languages: Object.fromEntries([...languages].map(([tag, one]) => [tag, one.read()])),
    }),
    ...(places.has('index') && { index: row.index ?? 1 }),
    ...(places.has('count') && { count: row.count ?? 1 }),
  };
}

/** Zones without those that the card does not show: a cell that one of them is bound to is not seen by anybody. */
function shown(zones: readonly Zone[], row: Row, columns: readonly Column[]): Zone[] {
  const mayShow = ({ hidden, bindings, name }: Zone): boolean =>
    !hidden ||
    bindings['hidden'] !== undefined ||
    styleOverrides(name, row, columns).some(([path]) => path === 'hidden');
  return zones.flatMap((zone) => {
    if (!mayShow(zone)) return [];
    return [isParent(zone) ? ({ ...zone, children: shown(zone.children, row, columns) } as Zone) : zone];
  });
}

/** Texts by the keys of columns, of which it is noted which ones are read. */
class Noted {
  readonly #keys = new Set<string>();
  readonly #texts: Readonly<Record<string, string>>;
  readonly record: Readonly<Record<string, string>>;

  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = texts;
    this.record = new Proxy(texts, {
      get: (target, key, receiver) => {
        if (typeof key === 'string') this.#keys.add(key);
        return Reflect.get(target, key, receiver);
      },
    });
  }

  /** In an order of their own: that of a card's document would tell its back from others that look alike. */
  read(): Readonly<Record<string, string>> {
    return bareRecord(
      Object.entries(this.#texts)
        .filter(([key]) => this.#keys.has(key))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }
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
