import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES } from './decode.ts';
import { columnKey, importTable } from './table.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const problems = (input: string | Uint8Array) => {
  const result = importTable(typeof input === 'string' ? bytes(input) : input);
  if ('table' in result) throw new Error('the table was taken');
  return result.problems.map(({ row, column, message }) => [row, column, message] as const);
};
const table = (text: string) => {
  const result = importTable(bytes(text));
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.table;
};

describe('a good file', () => {
  it('becomes columns and rows', () => {
    const read = table('Name,Cost,Art,Copies\r\n"Dragon, red",5,a/b.png,2\r\nRat,1,c.JPG,\r\n\r\n');
    expect(read.columns).toEqual([
      { key: 'name', name: 'Name', type: 'text' },
      { key: 'cost', name: 'Cost', type: 'number' },
      { key: 'art', name: 'Art', type: 'image' },
      { key: 'copies', name: 'Copies', type: 'number' },
    ]);
    expect(read.copiesColumn).toBe('copies');
    expect(read.rows.map((row) => [row.copies, row.cells.name])).toEqual([
      [2, 'Dragon, red'],
      [1, 'Rat'],
    ]);
  });

  it('may be tab-separated, begin with a byte order mark and hold lines within cells', () => {
    const read = table('\uFEFFName\tText\nA\t"one\ntwo"\n');
    expect(read.rows[0]?.cells).toEqual({ name: 'A', text: 'one\ntwo' });
  });

  it('comes back cell for cell', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => text.trim() !== '' && !/\r/.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (rows) => {
        const text = Papa.unparse([['First', 'Second'], ...rows], { delimiter: ',', newline: '\n' });
        expect(table(text).rows.map(({ cells }) => [cells.first, cells.second])).toEqual(rows);
      }),
    );
  });
});

it.each([
  ['Squib', 'Name,QTY\n', 'qty', undefined],
  ['Cider', 'id,Name,count,front template\n', 'count', 'id'],
  ['CardMaker', 'Count,Name\n', 'count', undefined],
  ['a list with a hash', 'Name, # \n', 'column', undefined],
])('%s says how many there are in a column of its own', (_, header, copies, id) => {
  const names = header.trim().split(',');
  const line = (first: string, times: string) =>
    names
      .map((name) => (/qty|count|#/i.test(name) ? times : /id/.test(name) ? `k${first}` : first))
      .join(',');
  const read = table(`${header}${line('Fox', '3')}\n${line('Owl', ' 2 ')}\n`);
  expect(read.copiesColumn).toBe(copies);
  expect(read.idColumn).toBe(id);
  expect(read.rows.map((row) => row.copies)).toEqual([3, 2]);
});

describe('a bad file is refused whole', () => {
  it('with the row and column of every fault', () => {
    expect(problems('Name,name,,Copies\nA,B,C,x\nA,B\nA,B,C,1,2\n')).toEqual([
      [1, 2, '“name” is also the name of column 1. Give each its own name.'],
      [1, 3, 'This column has no name.'],
      [2, 4, '“x” is no number of copies: a whole number from 0 to 999 belongs here.'],
      [3, 3, expect.stringContaining('has 2 cells, the header has 4')],
      [4, 5, expect.stringContaining('has 5 cells, the header has only 4')],
    ]);
  });

  it('when it is not UTF-8, with the place of the first bad byte', () => {
    const latin1 = new Uint8Array([...bytes('Name,Text\nA,B\nC,caf'), 0xe9, ...bytes('\n')]);
    expect(problems(latin1)).toEqual([[3, 2, expect.stringContaining('not UTF-8')]]);
  });

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['past the last code point', [0xf4, 0x90, 0x80, 0x80]],
    ['cut off', [0xe2, 0x82]],
  ])('%s is not UTF-8', (_, tail) => {
    expect(problems(new Uint8Array([...bytes('a\n'), ...tail]))[0]?.[2]).toContain('not UTF-8');
  });

  it('when it is too large', () => {
    // Each of a hundred thousand rows has a fault of its own, and none of them is told.
    expect(problems(`Name,Text\n${'A\n'.repeat(100_000)}`)).toEqual([
      [undefined, undefined, 'There are 100000 cards; at most 5000 fit in one component.'],
    ]);
    expect(table(`Name,Text\nA,b\n${'\n'.repeat(100_000)}`).rows).toHaveLength(1);
    expect(problems(new Uint8Array(MAX_FILE_BYTES + 1))[0]?.[2]).toContain('at most 8.0 MB');
  });

  it.each([
    ['', 'empty'],
    ['Name,Cost\n', 'no cards'],
    ['Name\n"open\n', 'never closed'],
  ])('%j: %s', (text, words) => {
    expect(problems(text)[0]?.[2]).toContain(words);
  });
});

it('column keys are plain and unlike each other', () => {
  const taken = new Set<string>();
  expect(['Ability 1', 'Ability-1', 'Größe', '力', '力'].map((name) => columnKey(name, taken))).toEqual([
    'ability_1',
    'ability_1_2',
    'große'.replace('ß', '_'),
    'column',
    'column_2',
  ]);
});
