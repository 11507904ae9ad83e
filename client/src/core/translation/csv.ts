import Papa from 'papaparse';
import { TranslationError } from './error.ts';
import type { TranslatedUnit } from './translation.ts';
import type { TranslationFile } from './translation-file.ts';
import { readTable, TABLE_HEADER, tableRows } from './translation-table.ts';
import type { TranslationHead } from './xliff-write.ts';

/** Largest file that is read, in bytes: the same as of XLIFF. */
export const MAX_CSV_BYTES = 16 * 1024 * 1024;

/** A spreadsheet would take a cell that begins so for a formula; an apostrophe says that it is text. */
const NEEDS_APOSTROPHE = /^[=+\-@\t\r']/;
const written = (text: string): string => (NEEDS_APOSTROPHE.test(text) ? `'${text}` : text);
const read = (text: string): string =>
  text.startsWith("'") && NEEDS_APOSTROPHE.test(text.slice(1)) ? text.slice(1) : text;

/** A translation as CSV for spreadsheets: a row a text, found again by its id. */
export function writeCsv(head: TranslationHead, units: readonly TranslatedUnit[]): string {
  const lines = tableRows(head, units).map((row) => row.map(written));
  return `\ufeff${Papa.unparse([[...TABLE_HEADER], ...lines], { newline: '\r\n' })}\r\n`;
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
  const fault = errors.find(({ type }) => type === 'Quotes');
  if (fault) throw new TranslationError(`Row ${(fault.row ?? 0) + 1} cannot be read: ${fault.message}.`);
  return readTable(data, read);
}
