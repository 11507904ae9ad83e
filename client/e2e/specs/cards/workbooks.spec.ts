/** Workbooks of Excel: they come in by the page as a person brings them, go out, and what is no table is refused. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWorkbookGrid } from '../../../src/core/table/workbook-read.ts';
import type { Complaints } from '../../browser.ts';
import { chooseFile, confirmImport, createProject, importProblem } from '../../pages/project-page.ts';
import type { Server } from '../../server.ts';
import { startSignedIn } from '../../signed-in.ts';

const PERSON = { name: 'Xan Ellis', email: 'xan@example.com', password: 'a long enough one' };
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STRINGS = ['Name', 'Cost', 'Twice', 'Printed', 'Ebb &amp; Flow', 'Größe “L”'];

/** A workbook as Excel writes one: shared strings, a formula with its value, a date by its style. */
function workbook(sheet: string): Uint8Array {
  const parts = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Tides" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${STRINGS.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

const shared = (at: string, index: number) => `<c r="${at}" t="s"><v>${index}</v></c>`;
const HEADER = `<row r="1">${shared('A1', 0)}${shared('B1', 1)}${shared('C1', 2)}${shared('D1', 3)}</row>`;
const TIDES = `${HEADER}<row r="2">${shared('A2', 4)}<c r="B2"><v>2.5</v></c><c r="C2"><f>B2*2</f><v>5</v></c><c r="D2" s="1"><v>45292</v></c></row><row r="3">${shared('A3', 5)}<c r="B3"><v>7</v></c><c r="C3"><f>B3*2</f><v>14</v></c></row>`;

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: Complaints;

beforeAll(async () => {
  ({ server, browser, context, page, complaints } = await startSignedIn(PERSON));
  await createProject(page, 'Tides');
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await server?.stop();
});

async function choose(name: string, bytes: Uint8Array): Promise<void> {
  const file = join(server.dataDir, name);
  await writeFile(file, bytes);
  await chooseFile(page, file);
}

const far = `${HEADER}<row r="2000"><c r="XFD2000"><v>1</v></c></row>`;
test.each([
  ['one cell far from the others', 'far.xlsx', workbook(far), /Delete what stands far/],
  ['the end cut off', 'cut.xlsx', workbook(TIDES).slice(0, 700), /cut\.xlsx was not imported/],
  ['no rows', 'rows.xlsx', workbook(''), /rows\.xlsx was not imported/],
])('a workbook with %s is refused in words, and the page goes on', async (_what, name, bytes, words) => {
  await choose(name, bytes);
  await expect.poll(() => importProblem(page)).toMatch(words);
  expect(await page.getByRole('button', { name: /^Import/ }).isDisabled()).toBe(true);
});

test('a workbook comes in with its texts, numbers, dates and the values of its formulas, and goes out alike', async () => {
  await choose('tides.xlsx', workbook(TIDES));
  await expect.poll(() => page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Tides');
  await confirmImport(page, 2);
  await page.getByText('2 cards').first().waitFor();
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Excel' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/\.xlsx$/);
  const grid = await readWorkbookGrid(new Uint8Array(await readFile(await file.path())));
  expect(grid.map((row) => row.slice(0, 4))).toEqual([
    ['Name', 'Cost', 'Twice', 'Printed'],
    ['Ebb & Flow', '2.5', '5', '2024-01-01'],
    ['Größe “L”', '7', '14', ''],
  ]);
  expect(complaints).toEqual([]);
});
