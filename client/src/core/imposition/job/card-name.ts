import { cellAt } from '../../records.ts';
import { type Column, printedCells, type Row } from '../../scene/card/row.ts';

const NAME_COLUMNS = ['name', 'title', 'card', 'card name', 'label'];
const ID_COLUMNS = ['id', 'card id', 'cardid', 'key', 'number', 'no'];

/** The column that holds cards' names: by its own name, else the first one. */
export function nameColumn(columns: readonly Column[]): Column | undefined {
  return named(columns, NAME_COLUMNS) ?? columns[0];
}

/** The column that holds cards' stable ids, if the table has one. */
export function idColumn(columns: readonly Column[]): Column | undefined {
  return named(columns, ID_COLUMNS);
}

function named(columns: readonly Column[], names: readonly string[]): Column | undefined {
  for (const name of names) {
    const column = columns.find((one) => one.name.trim().toLowerCase() === name);
    if (column) return column;
  }
  return undefined;
}

/** A card's name without markup; its number where it has none. */
export function cardName(row: Row, columns: readonly Column[], index: number): string {
  const column = nameColumn(columns);
  const text = column ? plainText(cellAt(printedCells(row), column.key)) : '';
  return text || `Card ${index + 1}`;
}

/** A cell's text as a name: without emphasis and tags, on one line. */
export function plainText(cell: string): string {
  return cell
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\*+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Text without markup, its lines kept. */
export function plainLines(cell: string): string {
  return cell
    .replace(/<br\s*\/?>/gi, '\n')
    .split('\n')
    .map(plainText)
    .join('\n')
    .trim();
}
