import { type CellGrid, cellIn, colOf, rowOf } from './grid.ts';

/** Names of cells: `A1` is column A, row 1, as on a chessboard from the top; `0101` is column 01, row 01. */
export const CELL_LABELS = ['none', 'A1', '0101'] as const;
export type CellLabels = (typeof CELL_LABELS)[number];

/** Letters of a column: A … Z, AA … */
export function columnLetters(col: number): string {
  let text = '';
  for (let rest = col; rest >= 0; rest = Math.floor(rest / 26) - 1)
    text = String.fromCharCode(65 + (rest % 26)) + text;
  return text;
}

/** Name of a cell; `none` names it as `A1`. */
export function cellName(grid: CellGrid, cell: number, labels: CellLabels): string {
  const [col, row] = [colOf(grid, cell), rowOf(grid, cell)];
  if (labels !== '0101') return `${columnLetters(col)}${row + 1}`;
  const digits = Math.max(grid.cols, grid.rows) > 99 ? 3 : 2;
  return `${String(col + 1).padStart(digits, '0')}${String(row + 1).padStart(digits, '0')}`;
}

/** The cell of a name in either way of writing; undefined for none. */
export function cellNamed(grid: CellGrid, name: string): number | undefined {
  const text = name.trim().toUpperCase();
  const letters = /^([A-Z]{1,3})(\d{1,5})$/.exec(text);
  if (letters?.[1] !== undefined) {
    const col = [...letters[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    return cellIn(grid, col, Number(letters[2]) - 1);
  }
  const digits = /^(\d{2,3})(\d{2,3})$/.exec(text);
  if (!digits || digits[1]?.length !== digits[2]?.length) return undefined;
  return cellIn(grid, Number(digits[1]) - 1, Number(digits[2]) - 1);
}

/** The cells of a list of names and ranges, `A1:C3, E5`; undefined if any part cannot be read. */
export function cellsOfRange(grid: CellGrid, text: string): number[] | undefined {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const [first = '', last = first] = part.split(':');
    const [from, to] = [cellNamed(grid, first), cellNamed(grid, last)];
    if (from === undefined || to === undefined) return undefined;
    const [colA, colB] = [colOf(grid, from), colOf(grid, to)].sort((a, b) => a - b) as [number, number];
    const [rowA, rowB] = [rowOf(grid, from), rowOf(grid, to)].sort((a, b) => a - b) as [number, number];
    for (let row = rowA; row <= rowB; row++)
      for (let col = colA; col <= colB; col++) found.add(row * grid.cols + col);
  }
  return [...found].sort((a, b) => a - b);
}
