import { type CellGrid, colOf, countOf, MAX_MAP_CELLS, rowOf } from './grid.ts';

/**
 * The terrain of every cell as text: rows from the top, separated by `/`, each a list of runs. A run is a count (left
 * out for 1) and a symbol: `.` for no terrain, and one of `TERRAIN_SYMBOLS` for each terrain of the map. Empty cells at the end
 * of a row, and empty rows at the end, are left out. `3A.2B//C` is three cells of the first terrain, an empty one and
 * two of the second; an empty row; one cell of the third.
 */

/** Most terrains of one map. */
export const MAX_TERRAINS = 64;
/** No terrain. */
export const EMPTY = 0;
/** Symbols of terrains; a terrain's number is its symbol's place in this list, from 1. */
export const TERRAIN_SYMBOLS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&*+-=?@^';
const NONE = '.';
/** Longest text: every cell another terrain than the one before, every row of one cell. */
export const MAX_TERRAIN_DATA = 2 * MAX_MAP_CELLS;
/** Texts that can be read. */
export const TERRAIN_DATA = /^[0-9A-Za-z!#$%&*+\-=?@^./]*$/;

const CODES = new Map([...TERRAIN_SYMBOLS].map((symbol, index) => [symbol, index + 1]));

/** Number of a terrain's symbol, from 1; 0 for what is none. */
export const terrainNumber = (symbol: string): number => CODES.get(symbol) ?? EMPTY;

/** Numbers of terrains by the code of their symbol's character. */
const NUMBERS = new Uint8Array(128);
for (const [symbol, number] of CODES) NUMBERS[symbol.charCodeAt(0)] = number;
const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
const SLASH = '/'.charCodeAt(0);

/** Number of each cell's terrain; 0 for none. What lies outside is left out. */
export function decodeTerrain(grid: CellGrid, data: string): Uint8Array {
  const terrain = new Uint8Array(countOf(grid));
  let [row, col, count] = [0, 0, 0];
  for (let at = 0; at < data.length && row < grid.rows; at++) {
    const code = data.charCodeAt(at);
    if (code >= ZERO && code <= NINE) count = Math.min(MAX_MAP_CELLS, count * 10 + code - ZERO);
    else if (code === SLASH) {
      row++;
      [col, count] = [0, 0];
    } else {
      const end = Math.min(grid.cols, col + Math.max(1, count));
      const first = row * grid.cols;
      const number = NUMBERS[code] ?? EMPTY;
      for (let cell = first + col; cell < first + end; cell++) terrain[cell] = number;
      [col, count] = [end, 0];
    }
  }
  return terrain;
}

/** The text of the cells' terrains. */
export function encodeTerrain(grid: CellGrid, terrain: Uint8Array): string {
  const rows: string[] = [];
  for (let row = 0; row < grid.rows; row++) {
    rows.push(encodeRow(terrain.subarray(row * grid.cols, (row + 1) * grid.cols)));
  }
  while (rows.at(-1) === '') rows.pop();
  return rows.join('/');
}

function encodeRow(cells: Uint8Array): string {
  let end = cells.length;
  while (end > 0 && cells[end - 1] === EMPTY) end--;
  let text = '';
  for (let at = 0; at < end; ) {
    const terrain = cells[at] ?? EMPTY;
    let next = at + 1;
    while (next < end && cells[next] === terrain) next++;
    if (next - at > 1) text += next - at;
    text += terrain === EMPTY ? NONE : (TERRAIN_SYMBOLS[terrain - 1] ?? NONE);
    at = next;
  }
  return text;
}

/** The cells with some of them changed. */
export function withCells(terrain: Uint8Array, cells: Iterable<number>, to: number): Uint8Array {
  const changed = terrain.slice();
  for (const cell of cells) if (cell < changed.length) changed[cell] = to;
  return changed;
}

/** The cells of one terrain. */
export function cellsOfTerrain(terrain: Uint8Array, wanted: number): number[] {
  const found: number[] = [];
  for (const [cell, value] of terrain.entries()) if (value === wanted) found.push(cell);
  return found;
}

/**
 * Two changes of the same cells in one: a cell that one side changed is taken from it, and where both did `mine` says
 * whose stands. Grids may differ in their columns and rows.
 */
export function mergeTerrain(
  grid: CellGrid,
  texts: { readonly base: string; readonly mine: string; readonly theirs: string },
  prefer: 'mine' | 'theirs',
): string {
  const base = decodeTerrain(grid, texts.base);
  const mine = decodeTerrain(grid, texts.mine);
  const theirs = decodeTerrain(grid, texts.theirs);
  const merged = theirs.slice();
  for (let cell = 0; cell < merged.length; cell++) {
    if (mine[cell] === base[cell]) continue;
    if (theirs[cell] === base[cell] || prefer === 'mine') merged[cell] = mine[cell] ?? EMPTY;
  }
  return encodeTerrain(grid, merged);
}

/** The same cells by column and row in another grid. */
export function regrid(from: CellGrid, terrain: Uint8Array, to: CellGrid): Uint8Array {
  const moved = new Uint8Array(countOf(to));
  for (const [cell, value] of terrain.entries()) {
    const [col, row] = [colOf(from, cell), rowOf(from, cell)];
    if (col < to.cols && row < to.rows) moved[row * to.cols + col] = value;
  }
  return moved;
}

/** Number of cells whose terrain differs. */
export function cellsChanged(grid: CellGrid, before: string, after: string): number {
  const [was, is] = [decodeTerrain(grid, before), decodeTerrain(grid, after)];
  return is.reduce((count, terrain, cell) => (terrain === was[cell] ? count : count + 1), 0);
}
