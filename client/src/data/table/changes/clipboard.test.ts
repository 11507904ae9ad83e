import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseClipboardText, spread, toClipboardHtml, toClipboardText } from './clipboard.ts';

it.each([
  ['one cell', 'a', [['a']]],
  [
    'a block',
    'a\tb\nc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'Excel, with its line break at the end',
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['line breaks and marks within a cell', '"one\ntwo ""x"""\tb', [['one\ntwo "x"', 'b']]],
  ['marks that quote nothing', '"hi"\t5" disk\t"', [['"hi"', '5" disk', '"']]],
  [
    'ragged rows',
    'a\nb\tc',
    [
      ['a', ''],
      ['b', 'c'],
    ],
  ],
  [
    'empty cells',
    '\t\n\t',
    [
      ['', ''],
      ['', ''],
    ],
  ],
])('reads %s', (_, text, rows) => {
  expect(parseClipboardText(text)).toEqual(rows);
});

const cell = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', '\t', '\n', '\r', 'a', ' ', ',') }),
);
/** A last row of one empty cell cannot be told from the line break that ends the row above. */
const block = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
  )
  .filter(
    (rows) =>
      rows.length === 1 || (rows[rows.length - 1] ?? []).join('') !== '' || (rows[0] ?? []).length > 1,
  );

it('reads back whatever it writes', () => {
  fc.assert(
    fc.property(block, (rows) => {
      const even = rows.map((row) => row.map((text) => text.replace(/\r\n?/g, '\n')));
      expect(parseClipboardText(toClipboardText(rows))).toEqual(even);
    }),
  );
});

const anything = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(9, 10, 13, 34)), { maxLength: 200 })
  .map((units) => String.fromCharCode(...units));

it('takes any text at all', () => {
  fc.assert(
    fc.property(anything, (text) => {
      const rows = parseClipboardText(text);
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    }),
  );
});

it('writes line breaks that stay in their cell in Excel', () => {
  expect(toClipboardHtml([['a\nb', '<c>']])).toContain(
    '<td style="white-space:pre-wrap">a<br>b</td><td style="white-space:pre-wrap">&lt;c&gt;</td>',
  );
});

it('fills a selection that is a multiple of what is copied', () => {
  expect(spread([['a']], 2, 3)).toEqual([
    ['a', 'a', 'a'],
    ['a', 'a', 'a'],
  ]);
  expect(spread([['a', 'b']], 3, 2)).toEqual([
    ['a', 'b'],
    ['a', 'b'],
    ['a', 'b'],
  ]);
  expect(spread([['a'], ['b'], ['c']], 2, 1)).toEqual([['a'], ['b'], ['c']]);
});
