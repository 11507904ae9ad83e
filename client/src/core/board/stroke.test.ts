import { expect, test } from 'vitest';
import { type CellGrid, countOf } from './grid.ts';
import { strokeCells } from './stroke.ts';

const GRID: CellGrid = { cells: 'hex-pointy', cols: 9, rows: 9 };
const EMPTY = new Uint8Array(countOf(GRID));
const cells = (
  tool: 'brush' | 'line' | 'rect' | 'fill' | 'pick',
  reach: number,
  symmetry: 'none' | 'turn-2' | 'turn-6',
  from: number,
  to: number,
) => strokeCells(GRID, EMPTY, { tool, reach, symmetry }, from, to);

test('a wide stroke covers every cell within its reach of the line', () => {
  const thin = cells('brush', 0, 'none', 0, 80);
  const wide = cells('brush', 1, 'none', 0, 80);
  expect(wide).toEqual(expect.arrayContaining(thin));
  expect(wide.length).toBeGreaterThan(2 * thin.length);
});

test('symmetry repeats what was painted about the middle cell', () => {
  expect(cells('brush', 0, 'turn-6', 41, 41)).toHaveLength(6);
  expect(cells('brush', 0, 'turn-6', 40, 40)).toEqual([40]);
  expect(cells('line', 0, 'turn-2', 40, 44).length).toBe(9);
});

test('a rectangle is full, a fill covers what is joined, a pick changes nothing', () => {
  expect(cells('rect', 0, 'none', 0, 20)).toHaveLength(9);
  expect(cells('fill', 0, 'none', 0, 4)).toHaveLength(81);
  expect(cells('pick', 0, 'none', 0, 4)).toEqual([]);
});
