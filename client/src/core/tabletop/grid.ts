/** Number of cards on a sheet of a virtual table, and their size. */

/** Most of one deck sheet in Tabletop Simulator. */
export const MAX_COLUMNS = 10;
export const MAX_ROWS = 7;
/** Larger sides are scaled down by the game. */
export const MAX_SHEET_PX = 4_096;

export interface SheetGrid {
  readonly columns: number;
  readonly rows: number;
  /** Pixels of one cell. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Resolution of a card on the sheet, in dots per inch. */
  readonly dpi: number;
}

const MM_PER_INCH = 25.4;

/**
 * The grid with the most cells at the wanted sharpness; cells are never sharper than that, nor more than there are
 * cards.
 * @param card trim in millimetres
 * @param cards number of cards
 * @param dpi wanted resolution; lowered where one card on a sheet cannot reach it
 */
export function chooseGrid(
  card: { readonly w: number; readonly h: number },
  cards: number,
  dpi: number,
  limits: { readonly columns: number; readonly rows: number; readonly side: number } = {
    columns: MAX_COLUMNS,
    rows: MAX_ROWS,
    side: MAX_SHEET_PX,
  },
): SheetGrid {
  const wanted = Math.max(1, Math.min(cards, limits.columns * limits.rows));
  let best: SheetGrid | undefined;
  for (let columns = 1; columns <= limits.columns; columns++) {
    for (let rows = 1; rows <= limits.rows; rows++) {
      // A row or column that no card needs only shrinks the others.
      if ((columns - 1) * rows >= wanted || columns * (rows - 1) >= wanted) continue;
      const grid = gridAt(card, columns, rows, dpi, limits.side);
      if (!best || better(grid, best, dpi, wanted)) best = grid;
    }
  }
  return best ?? gridAt(card, 1, 1, dpi, limits.side);
}

function gridAt(
  card: { readonly w: number; readonly h: number },
  columns: number,
  rows: number,
  dpi: number,
  side: number,
): SheetGrid {
  const scale = Math.min(dpi / MM_PER_INCH, side / (columns * card.w), side / (rows * card.h));
  const cellWidth = Math.max(1, Math.min(Math.round(card.w * scale), Math.floor(side / columns)));
  const cellHeight = Math.max(1, Math.min(Math.round(card.h * scale), Math.floor(side / rows)));
  return { columns, rows, cellWidth, cellHeight, dpi: Math.min(dpi, scale * MM_PER_INCH) };
}

/** Sharpness comes first, then fewer sheets, then less waste, then the squarer sheet. */
function better(a: SheetGrid, b: SheetGrid, dpi: number, cards: number): boolean {
  const sharp = (grid: SheetGrid): boolean => grid.dpi >= dpi - 0.5;
  if (sharp(a) !== sharp(b)) return sharp(a);
  if (!sharp(a) && Math.abs(a.dpi - b.dpi) > 0.01) return a.dpi > b.dpi;
  const cells = (grid: SheetGrid): number => Math.min(cards, grid.columns * grid.rows);
  if (cells(a) !== cells(b)) return cells(a) > cells(b);
  if (a.columns * a.rows !== b.columns * b.rows) return a.columns * a.rows < b.columns * b.rows;
  const longest = (grid: SheetGrid): number =>
    Math.max(grid.columns * grid.cellWidth, grid.rows * grid.cellHeight);
  return longest(a) < longest(b);
}
