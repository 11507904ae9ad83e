import { cellAt } from '../records.ts';
import type { Column, Row } from '../scene/card/row.ts';
import type { Scope } from './evaluate.ts';
import type { Value } from './value.ts';

/** Names that every card has besides its columns; a column of the same name comes first. */
export const ROW_NAMES = [
  { name: 'index', gives: 'the row of the card, the first is 1' },
  { name: 'count', gives: 'how many cards the table has' },
] as const;

const fold = (name: string): string => name.trim().toLowerCase();

/** @throws Error where a card has no such language */
function wordsIn({ cells, languages }: Row, key: string, language: string): string {
  // Painted where languages are not known, such as in an editor, a card shows its own words.
  if (!languages) return cellAt(cells, key);
  const tag = language.trim().toLowerCase().replaceAll('_', '-');
  if (!Object.hasOwn(languages, tag)) {
    const known = Object.keys(languages).sort().join(', ');
    throw new Error(`The cards are not translated into «${language}». Their languages: ${known}.`);
  }
  const words = languages[tag] ?? {};
  return cellAt(Object.hasOwn(words, key) ? words : cells, key);
}

/**
 * Names that a card's formulas may use: its columns by name or key, in any case; `index` and `count`; and the names in
 * `extra`, which take precedence (an iterator's item). A cell is read when a formula asks for it, not before: who notes
 * what is read (`core/play/box/cells-read.ts`) learns what the card depends on.
 */
export function rowScope(
  row: Row,
  columns: readonly Column[] = [],
  extra: Readonly<Record<string, Value>> = {},
): Scope {
  const keys = new Map<string, string>();
  for (const key of Object.keys(row.cells)) keys.set(fold(key), key);
  for (const { key, name } of columns) {
    keys.set(fold(key), key);
    keys.set(fold(name), key);
  }
  const more = new Map(Object.entries(extra).map(([name, value]) => [fold(name), value]));
  return (name, language) => {
    const wanted = fold(name);
    if (language !== undefined) {
      const key = keys.get(wanted);
      return key === undefined ? undefined : wordsIn(row, key, language);
    }
    const given = more.get(wanted);
    if (given !== undefined) return given;
    const key = keys.get(wanted);
    if (key !== undefined) return cellAt(row.cells, key);
    if (wanted === 'index') return row.index ?? 1;
    return wanted === 'count' ? (row.count ?? 1) : undefined;
  };
}
