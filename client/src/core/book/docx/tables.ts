import { inOneLine } from '../document/fitting-blocks.ts';
import { fittingParts } from '../document/fitting-parts.ts';
import { LIMITS } from '../document/limits.ts';
import type { Inline } from '../document/schema.ts';
import type { DocxCell, DocxImage, DocxNode, DocxRow, DocxTable } from './document.ts';
import { divided, type PieceReader, piecesOf, trimmed } from './pieces.ts';

const BREAK: Inline = { type: 'break' };
/** Most rows at the top that are repeated. */
const MAX_HEAD_ROWS = 5;

/** A table with one cell at each place, and the pictures that stood in it. */
export interface ReadTable {
  readonly rows: readonly Inline[][][];
  readonly headRows: number;
  readonly pictures: readonly DocxImage[];
}

/** Reads a table; merged cells are divided. */
export function readTable(reader: PieceReader, table: DocxTable): ReadTable | undefined {
  const pictures: DocxImage[] = [];
  const given = table.children.filter((node): node is DocxRow => node.type === 'tableRow');
  const grid: Inline[][][] = given.map(() => []);
  let merged = 0;
  for (const [r, row] of given.entries()) {
    let column = 0;
    for (const cell of row.children) {
      if (cell.type !== 'tableCell') continue;
      // Cells from above reach down to here.
      while (grid[r]?.[column] !== undefined) column++;
      const [wide, high] = spanOf(cell);
      if (wide * high > 1) merged++;
      const content = cellContent(reader, cell, pictures);
      for (let down = 0; down < high; down++) {
        for (let right = 0; right < wide; right++) {
          const line = grid[r + down];
          if (line) line[column + right] = down + right === 0 ? content : [];
        }
      }
      column += wide;
    }
  }
  reader.losses.add('merged-cells', merged);
  reader.losses.add('picture-in-table', pictures.length);
  const columns = Math.max(0, ...grid.map(({ length }) => length));
  if (columns === 0) return undefined;
  if (columns > LIMITS.cells) reader.losses.add('wide-table');
  const rows = grid.map((cells) => squared(reader, cells, columns));
  const flagged = given.findIndex(({ isHeader }) => !isHeader);
  const headRows = Math.min(MAX_HEAD_ROWS, flagged < 0 ? given.length : flagged);
  return { rows, headRows: headRows > 0 || !isHead(rows[0]) ? headRows : 1, pictures };
}

/** Columns and rows of a cell; files say what they like. */
function spanOf({ colSpan, rowSpan }: DocxCell): readonly [number, number] {
  const within = (span: number, most: number) => Math.min(most, Math.max(1, Math.trunc(span) || 1));
  return [within(colSpan, LIMITS.cells), within(rowSpan, LIMITS.rows)];
}

/** True if all words of a row are strong: it says what is below. */
const isHead = (row: readonly (readonly Inline[])[] | undefined): boolean => {
  const texts = row?.flat().filter((inline) => inline.type === 'text') ?? [];
  return texts.length > 0 && texts.every(({ marks }) => marks?.includes('strong'));
};

/** A row with as many cells as every other; those that do not fit are joined in the last. */
function squared(reader: PieceReader, cells: readonly Inline[][], columns: number): Inline[][] {
  const row = Array.from({ length: columns }, (_, at) => cells[at] ?? []);
  const most = LIMITS.cells;
  if (columns <= most) return row;
  const last = row.slice(most - 1).filter((cell) => cell.length > 0);
  const [fits = [], ...rest] = fittingParts(inOneLine(last));
  if (rest.length > 0) reader.losses.add('long-cell');
  return [...row.slice(0, most - 1), fits];
}

/** The text of a cell, its paragraphs one below the other. */
function cellContent(reader: PieceReader, cell: DocxCell, pictures: DocxImage[]): Inline[] {
  const lines: Inline[][] = [];
  for (const node of cell.children) {
    if (node.type === 'paragraph') {
      const pieces = divided(piecesOf(reader, node.children));
      const inlines = pieces.flatMap((part) => {
        if (Array.isArray(part)) return part;
        if (part.type === 'picture') pictures.push(part.image);
        return [];
      });
      const sign: Inline[] = node.numbering ? [{ type: 'text', text: '• ' }] : [];
      if (inlines.length > 0) lines.push([...sign, ...inlines]);
    } else if (node.type === 'table') {
      reader.losses.add('nested-table');
      lines.push(...nestedLines(reader, node, pictures));
    }
  }
  const content = lines.flatMap((line, at) => (at > 0 ? [BREAK, ...line] : line));
  const [fits = [], ...rest] = fittingParts(trimmed(content));
  if (rest.length > 0) reader.losses.add('long-cell');
  return fits;
}

function nestedLines(reader: PieceReader, table: DocxNode & DocxTable, pictures: DocxImage[]): Inline[][] {
  return table.children.flatMap((row) => {
    if (row.type !== 'tableRow') return [];
    const cells = row.children.flatMap((cell) =>
      cell.type === 'tableCell' ? [cellContent(reader, cell, pictures)] : [],
    );
    const line = inOneLine(cells.filter((cell) => cell.length > 0));
    return line.length > 0 ? [line] : [];
  });
}
