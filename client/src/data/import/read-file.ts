import { decode, type ImportProblem, MAX_FILE_BYTES } from './decode.ts';
import { type ImportResult, importTable, readDelimited, readGrid } from './table.ts';

/** Most cells of a workbook's sheet that are looked at. */
const MAX_SHEET_CELLS = 1_000_000;

/** Files that can be read, for a file picker. */
export const ACCEPTED_FILES =
  '.csv,.tsv,.txt,.xlsx,.json,text/csv,text/tab-separated-values,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const refused = (message: string, where: Partial<ImportProblem> = {}): ImportResult => ({
  problems: [{ message, ...where }],
});

/** Reads a table of any kind by its first bytes: a workbook, JSON, or delimited text. */
export async function readTableBytes(bytes: Uint8Array, delimiter?: string): Promise<ImportResult> {
  // Every workbook is a ZIP archive.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readWorkbook(bytes);
  const decoded = decode(bytes);
  if ('text' in decoded) {
    if (/^\s*[[{]/.test(decoded.text)) return readJson(decoded.text);
    if (delimiter !== undefined) return readDelimited(decoded.text, delimiter);
  }
  return importTable(bytes);
}

async function readWorkbook(bytes: Uint8Array): Promise<ImportResult> {
  if (bytes.length > MAX_FILE_BYTES) return importTable(bytes);
  const { readSheet } = await import('read-excel-file/universal');
  let sheet: readonly (readonly unknown[])[];
  try {
    sheet = (await readSheet(bytes.slice().buffer, 1, { trim: false })) as unknown as unknown[][];
  } catch {
    return refused('This is no Excel workbook that can be read. Save it again as .xlsx, or as CSV.');
  }
  const [header = []] = sheet;
  if (sheet.length * header.length > MAX_SHEET_CELLS) {
    return refused(`The first sheet has ${sheet.length} rows of ${header.length} columns: more than fits.`);
  }
  // Columns without a name at the right edge are what a spreadsheet leaves behind.
  let width = header.length;
  while (width > 0 && sheet.every((row) => textOf(row[width - 1]).trim() === '')) width--;
  return readGrid(sheet.map((row) => Array.from({ length: width }, (_, i) => textOf(row[i]))));
}

/** A workbook's cell as text: dates as a calendar has them, numbers as they are written. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    const iso = value.toISOString();
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
  }
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value).replace(/\r\n?/g, '\n');
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
