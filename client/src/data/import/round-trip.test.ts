import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorkbookGrid } from '../../core/table/workbook-read.ts';
import { type PlainTable, toCsv, toJson } from '../table/download.ts';
import { toXlsx } from '../table/workbook.ts';
import { readTableBytes } from './read-file.ts';
import { readDelimited } from './table.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, littleEndian: boolean, marked: boolean) => {
  const source = marked ? `\uFEFF${text}` : text;
  const view = new DataView(new ArrayBuffer(source.length * 2));
  for (let i = 0; i < source.length; i++) view.setUint16(i * 2, source.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
};

const name = fc
  .string({ minLength: 1, maxLength: 12 })
  // Begins as no column does that the import takes for more than text, such as the number of copies.
  .map((text) => `k${text.replace(/[^\w ]/g, '').trim()}`);
const cell = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', "'", '=', '-', 'a', '1') }),
  fc.integer().map(String),
  fc.constantFrom('', 'TRUE', '007', '1e3', '-0', ' x ', '=1+1'),
);
/** Tables as the table downloads them: distinct names, and a last column that is never empty. */
const table: fc.Arbitrary<PlainTable> = fc
  .uniqueArray(name, { minLength: 1, maxLength: 5, selector: (text) => text.trim().toLowerCase() })
  .chain((names) =>
    fc
      .array(fc.array(cell, { minLength: names.length, maxLength: names.length }), {
        minLength: 1,
        maxLength: 12,
      })
      .map((rows) => ({
        header: [...names.map((one) => one.trim()), 'Card ID'],
        rows: rows.map((row, i) => [...row.map((text) => text.replace(/\r\n?/g, '\n')), `id${i}`]),
      })),
  );

async function readBack(bytes: Uint8Array): Promise<PlainTable> {
  const result = await readTableBytes(bytes, undefined, readWorkbookGrid);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const { columns, rows } = result.table;
  return {
    header: columns.map((column) => column.name),
    rows: rows.map(({ cells }) => columns.map(({ key }) => cells[key] ?? '')),
  };
}

describe('what is written is what is read', () => {
  it.each<[string, (table: PlainTable) => Promise<Uint8Array>]>([
    ['CSV', async (one) => utf8(toCsv(one))],
    ['CSV in UTF-16, little end first', async (one) => utf16(toCsv(one).slice(1), true, true)],
    ['CSV in UTF-16, big end first', async (one) => utf16(toCsv(one).slice(1), false, true)],
    ['JSON', async (one) => utf8(toJson(one))],
  ])('%s', async (_, write) => {
    await fc.assert(
      fc.asyncProperty(table, async (one) => {
        expect(await readBack(await write(one))).toEqual(one);
      }),
    );
  });

  it('XLSX, but for what XML cannot hold', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
    const holdable = (text: string) => text.replace(/[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]/g, '');
    await fc.assert(
      fc.asyncProperty(table, async (one) => {
        const plain = { header: one.header, rows: one.rows.map((row) => row.map(holdable)) };
        const bytes = toXlsx(plain);
        expect(await readBack(bytes)).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  it('UTF-16 without a mark', async () => {
    expect(await readBack(utf16('Name,Text\nFox,quick\n', true, false))).toEqual({
      header: ['Name', 'Text'],
      rows: [['Fox', 'quick']],
    });
  });

  it('any delimiter that is said', () => {
    const result = readDelimited('Name~Text\n"a~b"~c\n', '~');
    expect('table' in result && result.table.rows[0]?.cells).toEqual({ name: 'a~b', text: 'c' });
  });

  it('a safe CSV has no cell that a spreadsheet would run', () => {
    fc.assert(
      fc.property(table, (one) => {
        const result = readDelimited(toCsv(one, true));
        const cells = 'table' in result ? result.table.rows.flatMap((row) => Object.values(row.cells)) : [];
        for (const text of cells) expect(text).not.toMatch(/^[=@\t]|^[+-](?![\d.,]*$)/);
      }),
    );
  });
});

describe('importers take anything', () => {
  const whole = async (bytes: Uint8Array) => {
    const result = await readTableBytes(bytes, undefined, readWorkbookGrid);
    if ('problems' in result) {
      expect(result.problems.length).toBeGreaterThan(0);
      for (const { message } of result.problems) expect(message).not.toBe('');
    } else {
      const keys = result.table.columns.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      // Keys made of digits come first in any object.
      for (const row of result.table.rows) expect(new Set(Object.keys(row.cells))).toEqual(new Set(keys));
    }
  };
  it('bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), whole));
  });
  it('text with marks', async () => {
    const text = fc.string({
      unit: fc.constantFrom('"', ',', '\n', '\r', '\t', 'a', ';', '#', '\uFEFF'),
      maxLength: 60,
    });
    await fc.assert(fc.asyncProperty(text.map(utf8), whole));
  });
  it('JSON', async () => {
    await fc.assert(fc.asyncProperty(fc.json().map(utf8), whole));
  });
  it('broken workbooks', async () => {
    const good = toXlsx({ header: ['A', 'B'], rows: [['x', 'y']] });
    const broken = fc
      .array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
      .map((changes) => {
        const bytes = good.slice();
        for (const [at, value] of changes) bytes[at] = value;
        bytes.set([0x50, 0x4b]);
        return bytes;
      });
    await fc.assert(fc.asyncProperty(broken, whole), { numRuns: 40 });
  });
});
