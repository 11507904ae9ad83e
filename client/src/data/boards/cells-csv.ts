import Papa from 'papaparse';
import { type CellGrid, colOf, countOf, MAX_MAP_CELLS, rowOf } from '../../core/board/grid.ts';
import {
  decodeTerrain,
  EMPTY,
  encodeTerrain,
  MAX_TERRAINS,
  terrainNumber,
} from '../../core/board/terrain-data.ts';
import { freeSymbol, plainTerrain, STARTING_TERRAINS, type Terrain } from '../../core/scene/board/terrain.ts';
import { MAX_NAME_LENGTH } from '../../core/scene/limits.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { decode } from '../import/decode.ts';

/** The cells of a map as a table: a line for each row, in each cell the name of its terrain, nothing for none. */

/** Largest file that is read, in characters. */
export const MAX_CSV_LENGTH = 4_000_000;
const TOO_LONG = `The file is longer than ${MAX_CSV_LENGTH / 1_000_000} million characters.`;

/** Cells of a file, for a map. */
export interface CellsOfCsv {
  readonly cols: number;
  readonly rows: number;
  /** The map's terrains, and those that were added for names it did not have. */
  readonly terrains: readonly Terrain[];
  /** Terrain of every cell, as `core/board/terrain-data.ts` has it. */
  readonly data: string;
  /** Names of terrains that were added. */
  readonly added: readonly string[];
}

/** The file is not cells of a map; the message says why and what to do. */
export class CellsCsvError extends Error {}

/** Names that tell terrains apart: of two that are called alike, all but the first have their symbol behind it. */
function namesOf(terrains: readonly Terrain[]): Map<string, Terrain> {
  const named = new Map<string, Terrain>();
  for (const terrain of terrains) {
    const name = terrain.name.trim();
    named.set(name === '' || named.has(name) ? `${name} (${terrain.symbol})`.trim() : name, terrain);
  }
  return named;
}

/** The cells as CSV in UTF-8 with its mark, every name in quotes. */
export function csvOfCells(grid: CellGrid, terrains: readonly Terrain[], data: string): string {
  const names = new Map([...namesOf(terrains)].map(([name, { symbol }]) => [terrainNumber(symbol), name]));
  const cells = decodeTerrain(grid, data);
  const rows = Array.from({ length: grid.rows }, (_, row) =>
    Array.from({ length: grid.cols }, (__, col) => names.get(cells[row * grid.cols + col] ?? EMPTY) ?? ''),
  );
  return `\uFEFF${Papa.unparse(rows, { newline: '\r\n', quotes: true })}\r\n`;
}

/** Signs that no spreadsheet writes into text: pictures, archives and workbooks have them in their first bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones looked for
const NO_TEXT = /[\u0000-\u0008\u000B\u000C\u000E-\u001F]/;

/** The text of a file of cells, in UTF-8 or UTF-16. @throws CellsCsvError when it is none */
export function textOfCells(bytes: Uint8Array): string {
  const decoded = decode(bytes);
  if ('tooLarge' in decoded) throw new CellsCsvError(TOO_LONG);
  const text = 'text' in decoded ? decoded.text : new TextDecoder('latin1').decode(bytes);
  if (NO_TEXT.test(text)) {
    throw new CellsCsvError(
      'This is not text but a picture, a workbook or the like. Save the cells as CSV in your spreadsheet.',
    );
  }
  if ('invalidAt' in decoded) {
    throw new CellsCsvError(
      'This is not UTF-8 text. Save the file as “CSV UTF-8” in your spreadsheet and try again.',
    );
  }
  return text;
}

/**
 * Reads the cells of a file for a map that has these terrains; names are found whatever their case.
 * @throws CellsCsvError
 */
export function cellsOfCsv(text: string, known: readonly Terrain[]): CellsOfCsv {
  if (text.length > MAX_CSV_LENGTH) throw new CellsCsvError(TOO_LONG);
  const plain = text.replace(/^\uFEFF/, '');
  const parsed = Papa.parse<string[]>(plain, { delimiter: separatorOf(plain), skipEmptyLines: false });
  const rows = parsed.data;
  const quote = parsed.errors.find(({ type }) => type === 'Quotes');
  if (quote) {
    throw new CellsCsvError(
      `Row ${(quote.row ?? 0) + 1}: a quotation mark is opened here and never closed, or text follows a closed one.`,
    );
  }
  // Nothing but the end of the file follows the last line break.
  if (/\n$/.test(plain)) rows.pop();
  const cols = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const grid: CellGrid = { cells: 'square', cols, rows: rows.length };
  if (countOf(grid) === 0)
    throw new CellsCsvError('The file is empty: write a line for each row of the map.');
  if (countOf(grid) > MAX_MAP_CELLS) {
    throw new CellsCsvError(
      `The file has ${countOf(grid)} cells (${cols} by ${rows.length}); a map has at most ${MAX_MAP_CELLS}.`,
    );
  }
  const terrains = [...known];
  const added: string[] = [];
  const symbols = new Map(
    [...namesOf(known)].reverse().map(([name, { symbol }]) => [name.toLowerCase(), symbol]),
  );
  const cells = new Uint8Array(countOf(grid));
  for (const cell of cells.keys()) {
    const name = cutText(rows[rowOf(grid, cell)]?.[colOf(grid, cell)]?.trim() ?? '', MAX_NAME_LENGTH);
    if (name === '') continue;
    let symbol = symbols.get(name.toLowerCase());
    if (symbol === undefined) {
      symbol = freeSymbol(terrains);
      if (symbol === undefined)
        throw new CellsCsvError(`The file names more than ${MAX_TERRAINS} terrains, with those of the map.`);
      terrains.push(newTerrain(symbol, name, added.length));
      symbols.set(name.toLowerCase(), symbol);
      added.push(name);
    }
    cells[cell] = terrainNumber(symbol);
  }
  return { cols, rows: rows.length, terrains, data: encodeTerrain(grid, cells), added };
}

/** Characters in which the separator is looked for. */
const LOOKED_AT = 20_000;
const SEPARATORS = [',', ';', '\t'];

/** The separator that a file has most often outside of quotes: a comma, a semicolon or a tab. */
function separatorOf(text: string): string {
  const counts = new Map(SEPARATORS.map((separator) => [separator, 0]));
  let quoted = false;
  for (const character of text.slice(0, LOOKED_AT)) {
    if (character === '"') quoted = !quoted;
    const count = quoted ? undefined : counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  return SEPARATORS.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}

/** Degrees between the hues of terrains that were added: the golden angle keeps neighbours apart. */
const HUE_STEP = 137.5;

function newTerrain(symbol: string, name: string, at: number): Terrain {
  const like = STARTING_TERRAINS.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (like) return { ...like, symbol, name };
  const hue = Math.round(at * HUE_STEP) % 360;
  return plainTerrain({
    symbol,
    name,
    color: `hsl(${hue}, 45%, 80%)`,
    pattern: 'none',
    ink: `hsl(${hue}, 40%, 40%)`,
  });
}
