import { cellAt } from '../../../../../core/records.ts';
import type { TableColumn } from '../../../../../data/documents/documents.ts';
import type { Table, TableRow } from './use-table.ts';

/** Columns whose cells are taken as they are: half a colour or an image name and a half show nothing. */
const TAKEN_AS_THEY_ARE: ReadonlySet<TableColumn['type']> = new Set(['image', 'colour', 'style', 'formula']);
/** A long sample has this many times the letters of the longest cell. */
const LONGER = 1.5;
/** Letters of a long sample where the table says nothing. */
const LONG_LENGTH = 180;
const SENTENCES =
  'When you meet somebody on the road, say where you come from and where you are going. If they ask for help, give what you can spare and remember their name. Otherwise turn back before the evening comes and tell nobody.';

/** So many letters of a text, said again and again where it is too short, without half a word. */
function stretched(text: string, length: number): string {
  let long = text;
  while (long.length < length) long += ` ${text}`;
  const cut = long.slice(0, length);
  const end = cut.lastIndexOf(' ');
  return long.length > length && end > length / 2 ? cut.slice(0, end) : cut;
}

function longest({ rows }: Table, key: string): string {
  return rows.reduce(
    (most, { cells }) => (cellAt(cells, key).length > most.length ? cellAt(cells, key) : most),
    '',
  );
}

function longCell(table: Table, { key, type }: TableColumn): string {
  const most = longest(table, key);
  if (type === 'bool') return most === '' ? 'true' : most;
  if (type === 'number') return '9'.repeat(most.length + 1);
  if (TAKEN_AS_THEY_ARE.has(type)) return most;
  return most === '' ? stretched(SENTENCES, LONG_LENGTH) : stretched(most, Math.ceil(most.length * LONGER));
}

function shortCell(table: Table, { key, type }: TableColumn): string {
  const filled = table.rows.map(({ cells }) => cellAt(cells, key)).filter((cell) => cell !== '');
  if (TAKEN_AS_THEY_ARE.has(type) || type === 'bool') return filled[0] ?? '';
  return type === 'number' ? '1' : (filled[0]?.split(/\s+/)[0] ?? 'Ox').slice(0, 6);
}

/** Cards that try a layout: every text longer than any, every text a word, nothing at all. */
export function sampleRows(table: Table, keys: readonly string[]): TableRow[] {
  const columns: readonly TableColumn[] =
    table.columns.length > 0 ? table.columns : keys.map((key) => ({ key, name: key, type: 'text' }));
  if (columns.length === 0) return [];
  const row = (name: string, cell: (column: TableColumn) => string): TableRow => ({
    name,
    cells: Object.fromEntries(columns.map((column) => [column.key, cell(column)])),
  });
  return [
    row('Sample: long', (column) => longCell(table, column)),
    row('Sample: short', (column) => shortCell(table, column)),
    row('Sample: empty', () => ''),
  ];
}
