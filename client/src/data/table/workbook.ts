import { strToU8, zipSync } from 'fflate';
import { columnLetters } from '../../core/board/labels.ts';
import type { PlainTable } from './download.ts';

/**
 * An Excel workbook of one sheet (ECMA-376): the five parts that a reader needs, texts within their
 * cells. Written here because the libraries that do it lose cells that are called like JavaScript's
 * own properties.
 */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const CONTENT_TYPES = `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`;
const ROOT_RELATIONS = `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const WORKBOOK = `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Cards" sheetId="1" r:id="rId1"/></sheets></workbook>`;
const WORKBOOK_RELATIONS = `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;
/** Style 0 is plain, style 1 the bold header, style 2 text with its line breaks. */
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" applyAlignment="1"><alignment wrapText="1" vertical="top"/></xf></cellXfs></styleSheet>`;

/** Characters that XML cannot hold at all. */
// biome-ignore format: one expression
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

const encoded = (text: string) =>
  text.replace(NOT_XML, '').replace(/[&<>\r]/g, (char) => ENTITIES[char] ?? char);

function cellXml(text: string, column: number, row: number): string {
  if (text === '') return '';
  const place = `r="${columnLetters(column)}${row}"`;
  const number = Number(text);
  if (row > 1 && Number.isFinite(number) && String(number) === text) return `<c ${place}><v>${text}</v></c>`;
  const style = row === 1 ? 1 : 2;
  return `<c ${place} s="${style}" t="inlineStr"><is><t xml:space="preserve">${encoded(text)}</t></is></c>`;
}

/** The workbook's bytes. Numbers are numbers, everything else is text. */
export function toXlsx({ header, rows }: PlainTable): Uint8Array<ArrayBuffer> {
  const lines = [header, ...rows].map(
    (cells, i) =>
      `<row r="${i + 1}">${cells.map((text, column) => cellXml(text, column, i + 1)).join('')}</row>`,
  );
  const sheet = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${lines.join('')}</sheetData></worksheet>`;
  return zipSync({
    '[Content_Types].xml': strToU8(CONTENT_TYPES),
    '_rels/.rels': strToU8(ROOT_RELATIONS),
    'xl/workbook.xml': strToU8(WORKBOOK),
    'xl/_rels/workbook.xml.rels': strToU8(WORKBOOK_RELATIONS),
    'xl/worksheets/sheet1.xml': strToU8(sheet),
    'xl/styles.xml': strToU8(STYLES),
  }) as Uint8Array<ArrayBuffer>;
}
