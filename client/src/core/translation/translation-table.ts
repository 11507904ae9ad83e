import { TranslationError } from './error.ts';
import type { TranslatedUnit } from './translation.ts';
import type { FileUnit, TranslationFile } from './translation-file.ts';
import type { TranslationHead } from './xliff-write.ts';

/** Names of the columns; translators change the translation alone. */
const COLUMNS = {
  id: 'Id',
  place: 'Card',
  label: 'Text',
  source: 'Source',
  target: 'Translation',
  state: 'State',
  former: 'Former source',
  from: 'From',
  to: 'Into',
  whole: 'Project',
  title: 'Name of the project',
} as const;
type Column = keyof typeof COLUMNS;
const ORDER = Object.keys(COLUMNS) as Column[];

/** Names of the columns in their order. */
export const TABLE_HEADER: readonly string[] = ORDER.map((column) => COLUMNS[column]);

/** A translation as rows of a table below its header: a row a text, found again by its id. */
export const tableRows = (head: TranslationHead, units: readonly TranslatedUnit[]): string[][] =>
  units.map(({ unit, state, text, was }) => {
    const row: Readonly<Record<Column, string>> = {
      id: unit.id,
      place: unit.heading ?? '',
      label: unit.label,
      source: unit.source,
      target: text ?? '',
      state,
      former: was ?? '',
      from: head.from,
      to: head.to,
      whole: head.id,
      title: head.title,
    };
    return ORDER.map((column) => row[column]);
  });

/**
 * Reads a table of texts, whatever the order of its columns.
 * @param read makes a text of a cell
 * @throws TranslationError naming the row or column at fault
 */
export function readTable(
  [header = [], ...rows]: readonly (readonly string[])[],
  read: (cell: string) => string,
): TranslationFile {
  const places = new Map(header.map((name, at) => [name.trim().toLowerCase(), at]));
  for (const column of ['id', 'source', 'target', 'to', 'whole'] as const) {
    if (places.has(COLUMNS[column].toLowerCase())) continue;
    throw new TranslationError(
      `The file has no column “${COLUMNS[column]}”: export it again, and keep its columns.`,
    );
  }
  const cell = (row: readonly string[] | undefined, column: Column): string =>
    read(row?.[places.get(COLUMNS[column].toLowerCase()) ?? -1] ?? '');
  const [first] = rows;
  if (!first) throw new TranslationError('The file has no row below its header: export it again.');
  for (const [at, row] of rows.entries()) {
    const other = (['to', 'whole'] as const).find((column) => cell(row, column) !== cell(first, column));
    if (other === undefined) continue;
    throw new TranslationError(
      `Row ${at + 2} has another “${COLUMNS[other]}” than the first: keep one in a file.`,
    );
  }
  return {
    head: {
      id: cell(first, 'whole'),
      title: cell(first, 'title'),
      from: cell(first, 'from'),
      to: cell(first, 'to'),
    },
    units: rows.map((row): FileUnit => {
      const target = cell(row, 'target');
      return {
        id: cell(row, 'id'),
        name: [cell(row, 'place'), cell(row, 'label')].filter(Boolean).join(' · '),
        finished: false,
        former: cell(row, 'former') || undefined,
        texts: { source: cell(row, 'source'), target: target === '' ? undefined : target },
      };
    }),
  };
}
