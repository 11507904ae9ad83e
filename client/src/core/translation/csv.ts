import Papa from 'papaparse';
import { TranslationError } from './error.ts';
import type { TranslatedUnit } from './translation.ts';
import type { FileUnit, TranslationFile } from './translation-file.ts';
import type { TranslationHead } from './xliff-write.ts';

/** Largest file that is read, in bytes: the same as of XLIFF. */
export const MAX_CSV_BYTES = 16 * 1024 * 1024;

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

/** A spreadsheet would take a cell that begins so for a formula; an apostrophe says that it is text. */
const NEEDS_APOSTROPHE = /^[=+\-@\t\r']/;
const written = (text: string): string => (NEEDS_APOSTROPHE.test(text) ? `'${text}` : text);
const read = (text: string): string =>
  text.startsWith("'") && NEEDS_APOSTROPHE.test(text.slice(1)) ? text.slice(1) : text;

/** A translation as CSV for spreadsheets: a row a text, found again by its id. */
export function writeCsv(head: TranslationHead, units: readonly TranslatedUnit[]): string {
  const rows = units.map(({ unit, state, text, was }): Readonly<Record<Column, string>> => {
    return {
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
  });
  const lines = rows.map((row) => ORDER.map((column) => written(row[column])));
  return `\ufeff${Papa.unparse([ORDER.map((column) => COLUMNS[column]), ...lines], { newline: '\r\n' })}\r\n`;
}

/** Decodes a file. @throws TranslationError when it is too large or not UTF-8 */
export function decodeCsv(bytes: Uint8Array): string {
  if (bytes.length > MAX_CSV_BYTES) {
    throw new TranslationError(
      `The file has more than ${MAX_CSV_BYTES / 1024 / 1024} MB. A CSV file of ours is far smaller: check that it is the right one.`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new TranslationError('The file is not text in UTF-8: save it as “CSV UTF-8”.');
  }
}

/** Reads what `writeCsv` wrote, as spreadsheets keep it. @throws TranslationError naming the row or column at fault */
export function readCsv(text: string): TranslationFile {
  const plain = text.replace(/^\ufeff/, '');
  const { data, errors } = Papa.parse<string[]>(plain, {
    // A line break within a cell belongs to the cell.
    newline: /^[^"\n]*\r\n/.test(plain) ? '\r\n' : '\n',
    skipEmptyLines: true,
  });
  const [header = [], ...rows] = data;
  const places = new Map(header.map((name, at) => [name.trim().toLowerCase(), at]));
  for (const column of ['id', 'source', 'target', 'to', 'whole'] as const) {
    if (places.has(COLUMNS[column].toLowerCase())) continue;
    throw new TranslationError(
      `The file has no column “${COLUMNS[column]}”: export it again, and keep its columns.`,
    );
  }
  const fault = errors.find(({ type }) => type === 'Quotes');
  if (fault) throw new TranslationError(`Row ${(fault.row ?? 0) + 1} cannot be read: ${fault.message}.`);
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
