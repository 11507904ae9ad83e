import { cellAt } from '../records.ts';
import type { Column, Row } from '../scene/row.ts';
import type { Scope } from './evaluate.ts';
import type { Value } from './value.ts';

/** Names that every card has besides its columns; a column of the same name comes first. */
export const ROW_NAMES = [
  { name: 'index', gives: 'the row of the card, the first is 1' },
  { name: 'count', gives: 'how many cards the table has' },
] as const;

const fold = (name: string): string => name.trim().toLowerCase();

/**
 * Names that a card's formulas may use: its columns by name or key, in any case; `index` and `count`; and the names in
 * `extra`, which take precedence (an iterator's item).
 */
export function rowScope(
  row: Row,
  columns: readonly Column[] = [],
  extra: Readonly<Record<string, Value>> = {},
): Scope {
  const names = new Map<string, Value>();
  names.set('index', row.index ?? 1);
  names.set('count', row.count ?? 1);
  for (const [key, cell] of Object.entries(row.cells)) names.set(fold(key), cell);
  for (const { key, name } of columns) {
    const cell = cellAt(row.cells, key);
    names.set(fold(key), cell);
    names.set(fold(name), cell);
  }
  for (const [name, value] of Object.entries(extra)) names.set(fold(name), value);
  return (name) => names.get(fold(name));
}
