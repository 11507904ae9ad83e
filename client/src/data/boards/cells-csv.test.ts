import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CELL_KINDS, countOf, MAX_MAP_CELLS } from '../../core/board/grid.ts';
import { encodeTerrain, TERRAIN_SYMBOLS, terrainNumber } from '../../core/board/terrain-data.ts';
import { plainTerrain, STARTING_TERRAINS, type Terrain } from '../../core/scene/board/terrain.ts';
import { CellsCsvError, cellsOfCsv, csvOfCells, textOfCells } from './cells-csv.ts';

const names = fc.oneof(
  fc.constantFrom('Plain', 'Forest', 'a, b', 'say "x"', 'a;b', 'two\nlines', '=1+1'),
  fc.string({ minLength: 1, maxLength: 12 }).filter((name) => name.trim() !== ''),
);
const maps = fc
  .record({
    cells: fc.constantFrom(...CELL_KINDS),
    cols: fc.integer({ min: 1, max: 9 }),
    rows: fc.integer({ min: 1, max: 9 }),
  })
  .chain((grid) =>
    fc.record({
      grid: fc.constant(grid),
      // Names that differ in more than their case, as names of things do.
      names: fc.uniqueArray(names, {
        minLength: 1,
        maxLength: 6,
        selector: (name) => name.trim().toLowerCase(),
      }),
      cells: fc.uint8Array({ minLength: countOf(grid), maxLength: countOf(grid), max: 6 }),
    }),
  );
const terrainOf = (name: string, at: number): Terrain =>
  plainTerrain({
    symbol: TERRAIN_SYMBOLS[at] ?? 'A',
    name,
    color: '#aaaaaa',
    pattern: 'none',
    ink: '#444444',
  });

test('cells come back from their file as they were, with every terrain that the map had', () => {
  fc.assert(
    fc.property(maps, ({ grid, names: called, cells }) => {
      const terrains = called.map(terrainOf);
      const kept = cells.map((number) => (number <= terrains.length ? number : 0));
      const data = encodeTerrain(grid, kept);
      const read = cellsOfCsv(csvOfCells(grid, terrains, data), terrains);
      expect(read).toEqual({ cols: grid.cols, rows: grid.rows, terrains, data, added: [] });
    }),
  );
});

test('terrains that are called alike are told apart by their symbol', () => {
  const terrains = [terrainOf('Sea', 0), terrainOf('Sea', 1), terrainOf('', 2)];
  const grid = { cells: 'square' as const, cols: 3, rows: 1 };
  const text = csvOfCells(grid, terrains, 'ABC');
  expect(text).toBe('\uFEFF"Sea","Sea (B)","(C)"\r\n');
  expect(cellsOfCsv(text, terrains).data).toBe('ABC');
});

test('a file from a spreadsheet brings its own size and terrains, short lines and other separators', () => {
  const read = cellsOfCsv('forest;WATER;;Lava\nLava\n;;Plain', [...STARTING_TERRAINS]);
  expect([read.cols, read.rows]).toEqual([4, 3]);
  expect(read.added).toEqual(['Lava']);
  const lava = read.terrains.at(-1);
  expect(lava).toMatchObject({ symbol: 'I', name: 'Lava' });
  expect(terrainNumber(lava?.symbol ?? '')).toBeGreaterThan(0);
  expect(read.data).toBe('BE.I/I/2.A');
});

test('a file that is no map is refused in words', () => {
  expect(() => cellsOfCsv('', [])).toThrow(/empty/);
  expect(() => cellsOfCsv('a,b\n'.repeat(MAX_MAP_CELLS), [])).toThrow(CellsCsvError);
  const many = Array.from({ length: 70 }, (_, at) => `Land ${at}`).join(',');
  expect(() => cellsOfCsv(many, [])).toThrow(/more than 64 terrains/);
});

test('the text of a file is read in UTF-8 and UTF-16, as spreadsheets write it', () => {
  const text = 'Wäter\tPlain\r\nPlain\tWäter';
  expect(textOfCells(new TextEncoder().encode(text))).toBe(text);
  const wide = Uint8Array.from([...text].flatMap((one) => [one.charCodeAt(0), 0]));
  expect(textOfCells(Uint8Array.from([0xff, 0xfe, ...wide]))).toBe(text);
});

test.each([
  ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], /picture, a workbook/],
  ['a workbook', [0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0, 0, 0x2c], /picture, a workbook/],
  ['text of an old Windows', [0x57, 0xe4, 0x74, 0x65, 0x72, 0x2c, 0x41], /CSV UTF-8/],
])('%s is no file of cells, so that the map stays as it is', (_, bytes, words) => {
  expect(() => textOfCells(Uint8Array.from(bytes))).toThrow(CellsCsvError);
  expect(() => textOfCells(Uint8Array.from(bytes))).toThrow(words);
});

test('a quotation mark that is never closed is told with its row', () => {
  expect(() => cellsOfCsv('Plain,Water\n"Water,Plain\nPlain', STARTING_TERRAINS)).toThrow(
    /^Row 2: a quotation mark/,
  );
});
