import { cellAt } from '../../records.ts';
import { type Column, printedCells, type Row } from '../../scene/card/row.ts';
import { cutText } from '../../text/cut-text.ts';
import { cardName, idColumn, plainText } from '../job/card-name.ts';

/**
 * Names of files from a template such as `{{ID}}_{{Name}}_{{copy}}`. A token is a column's name, in any
 * case, or one of `ID` (the id column, else the number), `Name`, `number`, `copy`, `component`.
 */

export const DEFAULT_TEMPLATE = '{{ID}}_{{Name}}_{{copy}}';
/** Longest name without its ending, in UTF-16 units: folders and endings must still fit. */
const MAX_NAME = 120;
/** The same in bytes of UTF-8: file systems take 255 of them, and endings and numbers must still fit. */
const MAX_NAME_BYTES = 200;
/** Characters that file systems refuse, or that confuse shells and web servers. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSAFE = /[\\/:*?"<>|#%&{}$!'`@+=\u0000-\u001f\u007f]+/g;
/** Names that Windows reserves. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

export interface NameContext {
  readonly component: string;
  readonly columns: readonly Column[];
  readonly row: Row;
  /** Index of the card. */
  readonly card: number;
  /** 1 for the first copy. */
  readonly copy: number;
  /** Number of cards: card numbers are padded to the width of the last one. */
  readonly count: number;
}

export function fileName(template: string, context: NameContext): string {
  const filled = template.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, token: string) =>
    tokenValue(token, context),
  );
  return safeName(filled) || safeName(number(context)) || 'card';
}

/** Tokens of a template that are unknown for these columns. */
export function unknownTokens(template: string, columns: readonly Column[]): string[] {
  return [...template.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)]
    .map(([, token = '']) => token)
    .filter((token) => !BUILT_IN.has(token.toLowerCase()) && !columnNamed(columns, token));
}

const BUILT_IN = new Set(['id', 'name', 'number', 'copy', 'component']);

function tokenValue(token: string, context: NameContext): string {
  const { columns, row, card, copy, component } = context;
  const cell = (column: Column | undefined, cells = row.cells): string =>
    column ? plainText(cellAt(cells, column.key)) : '';
  switch (token.toLowerCase()) {
    case 'id':
      return cell(idColumn(columns)) || number(context);
    case 'name':
      return cardName(row, columns, card);
    case 'number':
      return number(context);
    case 'copy':
      return String(copy);
    case 'component':
      return component;
    default:
      return cell(columnNamed(columns, token), printedCells(row));
  }
}

function columnNamed(columns: readonly Column[], name: string): Column | undefined {
  const wanted = name.toLowerCase();
  return columns.find((column) => column.name.trim().toLowerCase() === wanted);
}

function number({ card, count }: NameContext): string {
  return String(card + 1).padStart(String(count).length, '0');
}

/** A part of a path that every file system accepts. */
export function safeName(text: string): string {
  const clean = cutText(text.normalize('NFC').replace(UNSAFE, ' ').replace(/\s+/g, ' '), MAX_NAME);
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(MAX_NAME_BYTES));
  const name = cutText(clean, read).replace(/^[\s._]+|[\s._]+$/g, '');
  return RESERVED.test(name) ? `${name}_` : name;
}

/** Makes names unique: a repeated name gets a number. Case does not distinguish names. */
export class UniqueNames {
  readonly #taken = new Set<string>();

  /** @param ending with its dot */
  take(name: string, ending: string): string {
    for (let again = 1; ; again++) {
      const candidate = `${again === 1 ? name : `${name} (${again})`}${ending}`;
      const key = candidate.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}
