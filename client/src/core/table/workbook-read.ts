import { strFromU8, strToU8, type Zippable, zipSync } from 'fflate';
import { WorkbookError } from './workbook-error.ts';
import { UNREADABLE, unpackWorkbook } from './workbook-unpack.ts';

/** Most cells of a sheet, counted as its last row times its last column. */
export const MAX_SHEET_CELLS = 1_000_000;
/** Most characters of a sheet's cells together. One shared text may fill many cells of a small file. */
export const MAX_SHEET_CHARACTERS = 32 * 1024 * 1024;
/** As many rows as Excel has. */
const MAX_SHEET_ROW = 1_048_576;

const EMPTY_SHEET =
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData/></worksheet>';
/** A tag with its attributes; what is in quotation marks may hold a `>`. */
const TAG = /<(?:[^"'<>]|"[^"<]*"|'[^'<]*')*>/g;
const ADDRESS = /(?<=[\s"'])(?:\w+:)?r\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * The first sheet of an Excel workbook as rows of text. The underlying reader allocates every row and column up to the
 * last cell, so that it is given only sheets whose addresses were checked.
 * @throws WorkbookError
 */
export async function readWorkbookGrid(bytes: Uint8Array): Promise<string[][]> {
  const parts: Zippable = Object.create(null);
  let far: string | undefined;
  for (const [name, part] of unpackWorkbook(bytes)) {
    const text = strFromU8(part);
    const fault = text.includes('sheetData') ? addressFault(text) : undefined;
    far ??= fault;
    // Other sheets may have any size: they are not read.
    parts[name] = fault === undefined ? part : strToU8(EMPTY_SHEET);
  }
  const { readSheet } = await import('read-excel-file/universal');
  let sheet: readonly (readonly unknown[])[];
  try {
    const checked = zipSync(parts, { level: 0 }) as Uint8Array<ArrayBuffer>;
    sheet = (await readSheet(checked.buffer, 1, { trim: false })) as unknown as unknown[][];
  } catch {
    throw new WorkbookError(far ?? UNREADABLE);
  }
  if (far !== undefined && sheet.length === 0) throw new WorkbookError(far);
  return gridOf(sheet);
}

function gridOf(sheet: readonly (readonly unknown[])[]): string[][] {
  let characters = 0;
  const grid = sheet.map((row) =>
    Array.from(row, (value) => {
      const text = textOf(value);
      characters += text.length;
      if (characters > MAX_SHEET_CHARACTERS)
        throw new WorkbookError(
          'The cells of the first sheet hold more text than fits. Split it into several files.',
        );
      return text;
    }),
  );
  // Unnamed columns at the right edge are leftovers of the spreadsheet.
  let width = grid[0]?.length ?? 0;
  while (width > 0 && grid.every((row) => (row[width - 1] ?? '').trim() === '')) width--;
  return grid.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? ''));
}

/** A workbook's cell as text: dates as calendar dates, numbers as written. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return '';
    const iso = value.toISOString();
    return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
  }
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value).replace(/\r\n?/g, '\n');
}

/** The fault of a sheet whose cells cannot be laid out as rows and columns. */
function addressFault(xml: string): string | undefined {
  let lastRow = 0;
  let lastColumn = 0;
  let row = 0;
  let seen = 0;
  for (const { 0: tag, index } of xml.matchAll(TAG)) {
    // Only text may stand between two tags. Anything that begins like a tag might be one to the reader.
    if (xml.slice(seen, index).includes('<')) return UNREADABLE;
    seen = index + tag.length;
    if (tag.startsWith('<!')) return UNREADABLE;
    const kind = /^<(?:\w+:)?(row|c)[\s/>"']/.exec(tag)?.[1];
    if (kind === undefined) continue;
    if (kind === 'row') row = 0;
    for (const [, quoted, single] of tag.matchAll(ADDRESS)) {
      const place = /^([A-Z]{0,3})(\d{1,7})$/.exec(quoted ?? single ?? '');
      if (!place || (place[1] === '') !== (kind === 'row')) return UNREADABLE;
      const [, letters = '', digits] = place;
      row = Math.max(row, Number(digits));
      if (row > MAX_SHEET_ROW) return UNREADABLE;
      // A cell without a value takes no room.
      if (kind === 'row' || tag.endsWith('/>')) continue;
      lastRow = Math.max(lastRow, row);
      lastColumn = Math.max(lastColumn, columnOf(letters));
      if (lastRow * lastColumn > MAX_SHEET_CELLS)
        return `The first sheet reaches to ${letters}${row}, which are more cells than fit. Delete what stands far from the table, or save the table as CSV.`;
    }
  }
  return xml.slice(seen).includes('<') ? UNREADABLE : undefined;
}

/** `A` is 1, `AA` is 27. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
