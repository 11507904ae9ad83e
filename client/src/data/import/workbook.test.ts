import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import { WorkbookError } from '../../core/table/workbook-error.ts';
import { readWorkbookGrid } from '../../core/table/workbook-read.ts';
import { MAX_WORKBOOK_BYTES } from '../../core/table/workbook-unpack.ts';
import { readWorkbookInWorker, WORKBOOK_TIME_LIMIT_MS } from '../../workers/workbook/workbook-reader.ts';
import { MAX_SYNC_MINUTES, MIN_SYNC_MINUTES, readDocument, sourceSchema } from '../documents/documents.ts';
import { toXlsx } from '../table/workbook.ts';
import { readTableBytes } from './read-file.ts';

const SHEET = 'xl/worksheets/sheet1.xml';
/** A workbook whose first sheet holds these rows, as they are written. */
function workbookOf(sheetData: string, more: Record<string, Uint8Array> = {}): Uint8Array {
  const parts = unzipSync(toXlsx({ header: ['Name'], rows: [] }));
  const sheet = strFromU8(parts[SHEET] ?? new Uint8Array());
  return zipSync({
    ...parts,
    [SHEET]: strToU8(
      sheet.replace(/<sheetData>.*<\/sheetData>/, () => `<sheetData>${sheetData}</sheetData>`),
    ),
    ...more,
  });
}
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const NAME = `<row r="1">${cell('A1', 'Name')}</row>`;

/** Puts another size into a ZIP's directory for one of its parts. */
function lying(bytes: Uint8Array, part: string, size: number): Uint8Array {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  for (let at = 0; at + 46 < changed.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const name = strFromU8(changed.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    if (name === part) view.setUint32(at + 24, size, true);
  }
  return changed;
}

describe('a workbook', () => {
  test.each([
    ['in the last column', `${NAME}<row r="2">${cell('A2', 'Fox')}${cell('XFD2000', 'x')}</row>`],
    ['in the last row', `${NAME}<row r="1048576">${cell('A1048576', 'x')}${cell('B1048576', 'x')}</row>`],
    ['in a row that says another number', `${NAME}<row r="1048576">${cell('AA2', 'x')}</row>`],
    ['behind a mark in an attribute', `${NAME}<row r="900000"><c s=">" r="XFD900000"><v>1</v></c></row>`],
  ])('with a far cell %s is refused before rows are made', async (_, data) => {
    const bytes = workbookOf(data);
    await expect(readWorkbookGrid(bytes)).rejects.toThrow(/more cells than fit/);
    const result = await readTableBytes(bytes, undefined, readWorkbookGrid);
    expect(result).toMatchObject({
      problems: [{ message: expect.stringMatching(/Delete what stands far/) }],
    });
  });

  test.each([
    ['an address that is written otherwise', `${NAME}<row r="2"><c r="&#88;FD2"><v>1</v></c></row>`],
    ['rows that no spreadsheet has', `${NAME}<row r="9999999"><c r="A9999999"><v>1</v></c></row>`],
    ['a comment that hides a tag', `${NAME}<!-- <row r="2"> --><row r="3"/>`],
  ])('with %s is refused', async (_, data) => {
    await expect(readWorkbookGrid(workbookOf(data))).rejects.toThrow(WorkbookError);
  });

  test('with empty cells and rows far away, as spreadsheets leave them, is read', async () => {
    const data = `${NAME}<row r="2">${cell('A2', 'Fox r=&quot;XFD9&quot; "r"="1"')}<c r="XFD2" s="1"/></row><row r="1048576"/>`;
    expect(await readWorkbookGrid(workbookOf(data))).toEqual([['Name'], ['Fox r="XFD9" "r"="1"']]);
  });

  test('may have a second sheet as large as it likes', async () => {
    const far = `<worksheet><sheetData><row r="900000">${cell('XFD900000', 'x')}</row></sheetData></worksheet>`;
    const bytes = workbookOf(`${NAME}<row r="2">${cell('A2', 'Fox')}</row>`, {
      'xl/worksheets/sheet2.xml': strToU8(far),
    });
    expect(await readWorkbookGrid(bytes)).toEqual([['Name'], ['Fox']]);
  });

  test('that would unpack to more than fits is refused by its directory', async () => {
    const bytes = workbookOf(NAME, { 'xl/big.xml': new Uint8Array(MAX_WORKBOOK_BYTES) });
    await expect(readWorkbookGrid(bytes)).rejects.toThrow(/at most 64 MB fit/);
  });

  test.each([10, 10_000_000])(
    'whose directory says %i bytes for a part of another size is refused',
    async (size) => {
      const bytes = workbookOf(NAME, { 'xl/big.xml': new Uint8Array(5_000_000) });
      await expect(readWorkbookGrid(lying(bytes, 'xl/big.xml', size))).rejects.toThrow(WorkbookError);
    },
  );

  test('whose few texts stand in very many cells is refused', async () => {
    const text = 'x'.repeat(20_000);
    const strings = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${text}</t></si></sst>`;
    const rels = strFromU8(unzipSync(workbookOf(NAME))['xl/_rels/workbook.xml.rels'] ?? new Uint8Array());
    const shared =
      '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>';
    const rows = Array.from(
      { length: 2_000 },
      (_, i) => `<row r="${i + 2}"><c r="A${i + 2}" t="s"><v>0</v></c></row>`,
    );
    const bytes = workbookOf(NAME + rows.join(''), {
      'xl/sharedStrings.xml': strToU8(strings),
      'xl/_rels/workbook.xml.rels': strToU8(rels.replace('</Relationships>', shared)),
    });
    await expect(readWorkbookGrid(bytes)).rejects.toThrow(/more text than fits/);
  });

  test('that takes too long is given up, and its worker is ended', async () => {
    vi.useFakeTimers();
    try {
      const worker = Object.assign(new EventTarget(), { postMessage: vi.fn(), terminate: vi.fn() });
      const read = readWorkbookInWorker(new Uint8Array(), worker as unknown as Worker);
      const refused = expect(read).rejects.toThrow(/takes too long to read/);
      await vi.advanceTimersByTimeAsync(WORKBOOK_TIME_LIMIT_MS);
      await refused;
      expect(worker.terminate).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });
});

test.each([
  [35_792, MAX_SYNC_MINUTES],
  [1e308, MAX_SYNC_MINUTES],
  [Number.POSITIVE_INFINITY, 0],
  [Number.NaN, 0],
  [-5, 0],
  ['5', 0],
  [0.001, MIN_SYNC_MINUTES],
  [30, 30],
])('a source that says %s is looked at every %s minutes', (everyMinutes, minutes) => {
  expect(readDocument(sourceSchema, 'source', { url: 'https://x.test', everyMinutes }).everyMinutes).toBe(
    minutes,
  );
  expect(minutes * 60_000).toBeLessThan(2 ** 31);
});
