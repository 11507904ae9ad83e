import Papa from 'papaparse';
import { bareRecord, cellAt, isInherited } from '../../core/records.ts';
import { MAX_COPIES, type TableColumn } from '../documents/documents.ts';
import { decode, type ImportProblem, MAX_FILE_BYTES } from './decode.ts';

/** Most cards of one component. */
export const MAX_ROWS = 5_000;
/** Faults of a list that are shown; more of them help nobody, and slow the page down. */
export const MAX_SHOWN_FAULTS = 200;
/** Most columns of one table. */
export const MAX_COLUMNS = 100;
/** Longest cell, in characters. */
export const MAX_CELL_LENGTH = 20_000;

/** Headers that mean "how many of this card". */
const COPIES_HEADERS = new Set(['copies', 'copy', 'count', 'qty', 'quantity', 'amount', '#']);
/** Headers that mean "which card this is". */
const ID_HEADERS = new Set(['id', 'card id', 'cardid', 'card_id', 'key', 'uid', 'uuid']);

/** One card of a file. */
export interface ImportedRow {
  readonly copies: number;
  readonly cells: Record<string, string>;
}

/** A whole, faultless table. */
export interface ImportedTable {
  readonly columns: readonly TableColumn[];
  readonly copiesColumn: string | undefined;
  /** Key of the column whose cells name the cards: each row its own. */
  readonly idColumn: string | undefined;
  readonly rows: readonly ImportedRow[];
}

/** A table, or everything that is wrong with it: never a part of it. */
export type ImportResult = { table: ImportedTable } | { problems: readonly ImportProblem[] };

const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Reads a CSV or TSV file. */
export function importTable(bytes: Uint8Array): ImportResult {
  const decoded = decode(bytes);
  if ('tooLarge' in decoded) {
    return fail(
      `The file is ${mebibytes(decoded.tooLarge)}; at most ${mebibytes(MAX_FILE_BYTES)} fit. Split it into several components.`,
    );
  }
  if ('invalidAt' in decoded) {
    const rows = parse(decoded.before).data;
    return fail(
      'This is not UTF-8 text. Save the file as “CSV UTF-8” in your spreadsheet and try again.',
      Math.max(1, rows.length),
      Math.max(1, rows[rows.length - 1]?.length ?? 1),
    );
  }
  return readDelimited(decoded.text);
}

/** Reads delimited text: what separates the cells is found out unless it is given. */
export function readDelimited(text: string, delimiter?: string): ImportResult {
  if (text.trim() === '')
    return fail('The file is empty. It needs a row of column names and a row per card.');
  const { data, errors } = parse(text, delimiter);
  const quote = errors.find((error) => error.type === 'Quotes');
  if (quote) {
    return fail(
      'A quotation mark is opened here and never closed, or text follows a closed one.',
      (quote.row ?? 0) + 1,
    );
  }
  return readGrid(data);
}

const DELIMITERS = [',', '\t', ';', '|'] as const;

/** Cell separator: the most frequent candidate in the header, outside quotation marks. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const char of text) {
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) break;
    else if (!quoted && counts.has(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  return DELIMITERS.reduce(
    (best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best),
    ',',
  );
}

function parse(marked: string, delimiter?: string): Papa.ParseResult<string[]> {
  const text = marked.replace(/^\uFEFF/, '');
  return Papa.parse<string[]>(text, {
    header: false,
    skipEmptyLines: false,
    delimiter: delimiter ?? delimiterOf(text),
  });
}

function fail(message: string, row?: number, column?: number): ImportResult {
  return {
    problems: [{ message, ...(row !== undefined && { row }), ...(column !== undefined && { column }) }],
  };
}

/** Reads rows of cells, the first of them the columns' names. */
export function readGrid(data: readonly (readonly string[])[]): ImportResult {
  const [header = [], ...body] = data;
  const problems: ImportProblem[] = [];
  const columns = readHeader(header, problems);
  const copies = columns.findIndex(({ name }) => COPIES_HEADERS.has(name.toLowerCase()));
  // A list that cannot be taken is not looked through: each of its rows may have faults.
  const cards = body.reduce((count, cells) => count + (isCard(cells) ? 1 : 0), 0);
  if (cards > MAX_ROWS) {
    return {
      problems: [
        ...problems,
        { message: `There are ${cards} cards; at most ${MAX_ROWS} fit in one component.` },
      ],
    };
  }
  const rows = body.flatMap((cells, i) => readRow(cells, i + 2, columns, copies, problems));
  if (rows.length === 0 && problems.length === 0)
    return fail('There are column names but no cards below them.');
  if (problems.length > 0) return { problems };
  return {
    table: {
      columns: typed(columns, rows),
      copiesColumn: columns[copies]?.key,
      idColumn: columns.find(
        (column) => ID_HEADERS.has(column.name.toLowerCase()) && namesRows(column.key, rows),
      )?.key,
      rows,
    },
  };
}

function readHeader(header: readonly string[], problems: ImportProblem[]): TableColumn[] {
  const seen = new Map<string, number>();
  const keys = new Set<string>();
  if (header.length > MAX_COLUMNS) {
    problems.push({ row: 1, message: `There are ${header.length} columns; at most ${MAX_COLUMNS} fit.` });
  }
  return header.map((cell, i) => {
    const name = cell.trim();
    const column = i + 1;
    if (name === '') problems.push({ row: 1, column, message: 'This column has no name.' });
    const folded = name.toLowerCase();
    const first = seen.get(folded);
    if (name !== '' && first !== undefined) {
      problems.push({
        row: 1,
        column,
        message: `“${name}” is also the name of column ${first}. Give each its own name.`,
      });
    }
    if (first === undefined) seen.set(folded, column);
    return { key: columnKey(name, keys), name, type: 'text' as const };
  });
}

/** A key made from a name, unlike every other and unlike what every object inherits. */
export function columnKey(name: string, taken: Set<string>): string {
  const base =
    name
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'column';
  let key = base;
  for (let n = 2; taken.has(key) || isInherited(key); n++) key = `${base}_${n}`;
  taken.add(key);
  return key;
}

/** A row without a single letter is no card: spreadsheets leave them at the end. */
const isCard = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '');

function readRow(
  cells: readonly string[],
  row: number,
  columns: readonly TableColumn[],
  copiesAt: number,
  problems: ImportProblem[],
): ImportedRow[] {
  if (!isCard(cells)) return [];
  if (cells.length !== columns.length) {
    const missing = columns[cells.length]?.name;
    problems.push({
      row,
      column: Math.min(cells.length, columns.length) + 1,
      message:
        cells.length < columns.length
          ? `This row has ${cells.length} cells, the header has ${columns.length}; “${missing}” and what follows is missing.`
          : `This row has ${cells.length} cells, the header has only ${columns.length}. Put text with commas in quotation marks.`,
    });
    return [];
  }
  cells.forEach((cell, i) => {
    if (cell.length > MAX_CELL_LENGTH) {
      problems.push({
        row,
        column: i + 1,
        message: `This cell has ${cell.length} characters; at most ${MAX_CELL_LENGTH} fit.`,
      });
    }
  });
  const text = cells[copiesAt]?.trim() ?? '';
  const copies = text === '' ? 1 : Number(text);
  if (!Number.isInteger(copies) || copies < 0 || copies > MAX_COPIES) {
    problems.push({
      row,
      column: copiesAt + 1,
      message: `“${text}” is no number of copies: a whole number from 0 to ${MAX_COPIES} belongs here.`,
    });
  }
  return [
    {
      copies,
      cells: bareRecord(
        columns.map(({ key }, i) => [key, (cells[i] ?? '').replace(/\r\n?/g, '\n')] as const),
      ),
    },
  ];
}

/** True if every row has a unique name in the column. */
export function namesRows(key: string, rows: readonly ImportedRow[]): boolean {
  const seen = new Set(rows.map(({ cells }) => cellAt(cells, key).trim()));
  return !seen.has('') && seen.size === rows.length;
}

const COLOUR = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const BOOLEAN = /^(?:true|false|yes|no)$/i;
const IMAGE = /\.(png|jpe?g|webp|gif|svg|avif)$/i;
const NUMBER = /^-?\d+([.,]\d+)?$/;

/** Guesses what each column holds from its cells. */
function typed(columns: readonly TableColumn[], rows: readonly ImportedRow[]): TableColumn[] {
  return columns.map((column) => {
    const filled = rows.map(({ cells }) => cellAt(cells, column.key).trim()).filter((cell) => cell !== '');
    if (filled.length === 0) return / style$/i.test(column.name) ? { ...column, type: 'style' } : column;
    if (filled.every((cell) => IMAGE.test(cell))) return { ...column, type: 'image' };
    if (/ style$/i.test(column.name)) return { ...column, type: 'style' };
    if (filled.every((cell) => COLOUR.test(cell))) return { ...column, type: 'colour' };
    if (filled.every((cell) => BOOLEAN.test(cell))) return { ...column, type: 'bool' };
    if (filled.every((cell) => NUMBER.test(cell))) return { ...column, type: 'number' };
    return column;
  });
}
