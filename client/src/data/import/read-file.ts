import { WORKBOOK_ERROR } from '../../core/table/workbook-error.ts';
import { readWorkbookInWorker } from '../../workers/workbook/workbook-reader.ts';
import { decode, type ImportProblem, MAX_FILE_BYTES } from './decode.ts';
import { type ImportResult, importTable, readDelimited, readGrid } from './table.ts';

/** The first sheet of a workbook as rows of text; rejects with an error named `WorkbookError` that says why not. */
export type WorkbookReader = (bytes: Uint8Array) => Promise<readonly (readonly string[])[]>;

/** Files that can be read, for a file picker. */
export const ACCEPTED_FILES =
  '.csv,.tsv,.txt,.xlsx,.json,text/csv,text/tab-separated-values,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const refused = (message: string, where: Partial<ImportProblem> = {}): ImportResult => ({
  problems: [{ message, ...where }],
});

/** Reads a table of any kind by its first bytes: a workbook, JSON, or delimited text. */
export async function readTableBytes(
  bytes: Uint8Array,
  delimiter?: string,
  workbook: WorkbookReader = readWorkbookInWorker,
): Promise<ImportResult> {
  // Every workbook is a ZIP archive.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readWorkbook(bytes, workbook);
  const decoded = decode(bytes);
  if ('text' in decoded) {
    if (/^\s*[[{]/.test(decoded.text)) return readJson(decoded.text);
    if (delimiter !== undefined) return readDelimited(decoded.text, delimiter);
  }
  return importTable(bytes);
}

async function readWorkbook(bytes: Uint8Array, read: WorkbookReader): Promise<ImportResult> {
  if (bytes.length > MAX_FILE_BYTES) return importTable(bytes);
  try {
    return readGrid(await read(bytes));
  } catch (error) {
    if (error instanceof Error && error.name === WORKBOOK_ERROR) return refused(error.message);
    throw error;
  }
}

/** Reads a list of objects, alone or as the `cards` of an object. */
function readJson(text: string): ImportResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused(`This is no JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const list = Array.isArray(value) ? value : (value as { cards?: unknown }).cards;
  if (!Array.isArray(list)) return refused('JSON must be a list of cards, or an object with a list “cards”.');
  const names = new Map<string, number>();
  for (const [i, one] of list.entries()) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) {
      return refused('Every card must be an object of names and values.', { row: i + 2 });
    }
    for (const name of Object.keys(one)) if (!names.has(name)) names.set(name, names.size);
  }
  const header = [...names.keys()];
  const problems: ImportProblem[] = [];
  const rows = list.map((one: Record<string, unknown>, row) =>
    header.map((name, column) => {
      const cell = Object.hasOwn(one, name) ? one[name] : '';
      if (typeof cell === 'object' && cell !== null) {
        problems.push({
          row: row + 2,
          column: column + 1,
          message: `“${name}” must be text, a number, true or false.`,
        });
      }
      return typeof cell === 'boolean' ? (cell ? 'TRUE' : 'FALSE') : String(cell ?? '');
    }),
  );
  return problems.length > 0 ? { problems } : readGrid([header, ...rows]);
}
