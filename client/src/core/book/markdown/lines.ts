import type { Alignment } from '../document/schema.ts';
import { unescaped } from './inlines.ts';

/** The kinds of lines by which the blocks of Markdown are told apart. */

const COMMENT_BEGIN = '<!--';
const COMMENT_END = '-->';

export interface Note {
  readonly kind: string;
  readonly value: unknown;
}

/** A comment alone on its line: a word, and JSON after it. */
export function noteOf(line: string): Note | undefined {
  const whole = line.trim();
  if (whole.length < COMMENT_BEGIN.length + COMMENT_END.length) return undefined;
  if (!whole.startsWith(COMMENT_BEGIN) || !whole.endsWith(COMMENT_END)) return undefined;
  const inside = whole.slice(COMMENT_BEGIN.length, -COMMENT_END.length).trim();
  const kind = /^\w*/.exec(inside)?.[0] ?? '';
  const text = inside.slice(kind.length).trim();
  try {
    return { kind, value: text === '' ? undefined : JSON.parse(text) };
  } catch {
    // Somebody's remark.
    return { kind: '', value: undefined };
  }
}

export const isBlank = (line: string): boolean => line.trim() === '';

export interface Marker {
  readonly kind: 'bullets' | 'steps';
  /** Columns before the marker, and before the text. */
  readonly indent: number;
  readonly text: number;
}

export function markerOf(line: string): Marker | undefined {
  const [, indent = '', sign, space = ''] = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/.exec(line) ?? [];
  if (sign === undefined || isRule(line)) return undefined;
  const kind = sign.length > 1 ? 'steps' : 'bullets';
  const width = space.length > 4 || space === '' ? 1 : space.length;
  return { kind, indent: indent.length, text: indent.length + sign.length + width };
}

/** A line across the page. */
export const isRule = (line: string): boolean => /^ {0,3}([-*_])( *\1){2,} *$/.test(line);

export function headingOf(line: string): { readonly level: number; readonly text: string } | undefined {
  const [, signs, rest = ''] = /^ {0,3}(#{1,6})(?: (.*))?$/s.exec(line) ?? [];
  if (signs === undefined) return undefined;
  const text = rest.trim();
  // Signs that close a heading stand apart from its text.
  const closed = text.slice(0, text.length - trailing(text, '#'));
  return { level: signs.length, text: closed.endsWith(' ') ? closed.trimEnd() : text };
}

/** The number of times that a text ends in a letter. */
function trailing(text: string, letter: string): number {
  let count = 0;
  while (count < text.length && text[text.length - 1 - count] === letter) count++;
  return count;
}

export const isQuote = (line: string): boolean => /^ {0,3}>/.test(line);
export const withoutQuote = (line: string): string => line.replace(/^ {0,3}> ?/, '');

export const fenceOf = (line: string): string | undefined => /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];

export function captionOf(line: string | undefined): string | undefined {
  const match = /^:(?: +(.*))?$/.exec(line ?? '');
  return match ? (match[1] ?? '') : undefined;
}

/** The line below the head of a table. */
export const isTableRule = (line: string | undefined): boolean =>
  ruleCells(line ?? '').every((cell) => /^:?-+:?$/.test(cell));

/** Alignments of the columns, by the line below the head of a table. */
export const alignmentsOf = (line: string): Alignment[] =>
  ruleCells(line).map((cell) => (cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'right') : 'left'));

function ruleCells(line: string): string[] {
  const whole = line.trim();
  const inside = whole.slice(whole.startsWith('|') ? 1 : 0, whole.endsWith('|') ? -1 : undefined);
  return inside.split('|').map((cell) => cell.trim());
}

export const isTableRow = (line: string | undefined): boolean => /(^|[^\\])\|/.test(line ?? '');

/** The cells of a row; `\|` is no border. */
export function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  const row = line.trim();
  for (let at = row.startsWith('|') ? 1 : 0; at < row.length; at++) {
    if (row[at] === '\\' && at + 1 < row.length) {
      cell += row.slice(at, at + 2);
      at++;
    } else if (row[at] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += row[at];
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells;
}

export const figureOf = (line: string): { readonly alt: string; readonly source: string } | undefined => {
  const pattern = /^ {0,3}!\[((?:\\.|[^\\\]])*)\]\((?:<((?:\\.|[^\\<>])*)>|([^\s()<>]+))(?:\s+"[^"]*")?\) *$/;
  const [, alt = '', bracketed, plain] = pattern.exec(line) ?? [];
  const source = bracketed ?? plain;
  if (source === undefined || source === '') return undefined;
  return { alt: unescaped(alt), source: unescaped(source) };
};

/** True if a line cannot go on with the paragraph before it. */
export function endsParagraph(line: string, next: string | undefined): boolean {
  return (
    isBlank(line) ||
    headingOf(line) !== undefined ||
    isQuote(line) ||
    isRule(line) ||
    fenceOf(line) !== undefined ||
    markerOf(line) !== undefined ||
    noteOf(line) !== undefined ||
    (isTableRow(line) && isTableRule(next))
  );
}
