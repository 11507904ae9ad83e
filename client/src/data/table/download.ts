import Papa from 'papaparse';
import type { Card, Component, WithId } from '../documents/documents.ts';
import { CARD_ID_HEADER } from '../import/plan.ts';
import { cellText } from './changes/edits.ts';
import type { TextOf } from './view.ts';

/** A table as rows of text, the first of them the columns' names. */
export interface PlainTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Names that the file's own columns must not have twice. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${wanted} ${n}`;
  return name;
}

/** A component's cards with every column, copies and ids: enough to find each card again. */
export function plainTable(
  component: WithId<Component>,
  cards: readonly WithId<Card>[],
  textOf: TextOf = (card, key) => cellText(card, key, component),
): PlainTable {
  const { columns, copiesColumn } = component;
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const header = columns.map(({ name }) => name);
  if (copiesColumn === undefined) header.push(freeName('Copies', names));
  header.push(freeName(CARD_ID_HEADER, names));
  const rows = cards.map((card) => [
    ...columns.map(({ key }) => textOf(card, key)),
    ...(copiesColumn === undefined ? [String(card.copies)] : []),
    card.id,
  ]);
  return { header, rows };
}

/** Characters that make a spreadsheet take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

/** A cell that no spreadsheet takes for a formula: an apostrophe says that it is text. */
export function harmless(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** CSV as every spreadsheet reads it: UTF-8 with its mark, commas, quoted where needed. */
export function toCsv({ header, rows }: PlainTable, safe = false): string {
  const all = safe ? [header, ...rows].map((row) => row.map(harmless)) : [header, ...rows];
  return `\uFEFF${Papa.unparse(all as string[][], { newline: '\r\n' })}`;
}

/** A list of objects by column name. */
export function toJson({ header, rows }: PlainTable): string {
  const cards = rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
  return `${JSON.stringify({ cards }, null, 2)}\n`;
}
