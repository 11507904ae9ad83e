import { cellAt, own } from '../../records.ts';
import type { Column } from '../../scene/card/row.ts';
import type { InlineStyle, Variable } from '../../scene/layout.ts';

/** Meanings of names in braces. */
export interface MarkupContext {
  readonly variables: readonly Variable[];
  readonly columns: readonly Column[];
  readonly cells: Readonly<Record<string, string>>;
}

export type BraceMeaning =
  | { readonly kind: 'literal' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'icon'; readonly source: string; readonly size: number; readonly offset: number }
  | { readonly kind: 'style'; readonly style: InlineStyle; readonly inner: string };

const LITERAL: BraceMeaning = { kind: 'literal' };
const IMAGE_NAME = /\.(?:png|jpe?g|webp|gif|svg|avif)$/i;
/** Built-in styles; a style variable of the same name takes precedence. */
const BUILT_IN_STYLES: Readonly<Record<string, InlineStyle>> = {
  b: { weight: 700 },
  bold: { weight: 700 },
  i: { italic: true },
  italic: { italic: true },
};
const DEFAULT_ICON_SIZE = 1;

/** Resolves `{inside}`: variables first, then columns, then image names. */
export function meaningOfBraces(inside: string, context: MarkupContext): BraceMeaning {
  const [name = '', sizeText, offsetText, ...more] = inside.split(',').map((part) => part.trim());
  const numbers = more.length === 0 ? iconNumbers(sizeText, offsetText) : undefined;
  if (numbers) {
    const variable = findVariable(context, name);
    if (variable?.kind === 'icon') {
      return {
        kind: 'icon',
        source: variable.source,
        size: numbers.size ?? variable.size,
        offset: numbers.offset ?? variable.offset,
      };
    }
    if (sizeText === undefined) {
      const text = variable?.kind === 'text' ? variable.value : cellOf(context, name);
      if (text !== undefined) return { kind: 'text', text };
    }
    if (IMAGE_NAME.test(name)) {
      return {
        kind: 'icon',
        source: name,
        size: numbers.size ?? DEFAULT_ICON_SIZE,
        offset: numbers.offset ?? 0,
      };
    }
  }
  return styleMeaning(inside, context);
}

function styleMeaning(inside: string, context: MarkupContext): BraceMeaning {
  const colon = inside.indexOf(':');
  if (colon === -1) return LITERAL;
  const name = inside.slice(0, colon).trim();
  const variable = context.variables.find(
    (candidate) => candidate.kind === 'style' && sameName(candidate.name, name),
  );
  const style = variable?.kind === 'style' ? variable.style : own(BUILT_IN_STYLES, name.toLowerCase());
  return style ? { kind: 'style', style, inner: inside.slice(colon + 1).trimStart() } : LITERAL;
}

function iconNumbers(
  size: string | undefined,
  offset: string | undefined,
): { size: number | undefined; offset: number | undefined } | undefined {
  const numbers = [size, offset].map((text) => (text === undefined ? undefined : Number(text)));
  if (size === '' || offset === '' || numbers.some((value) => Number.isNaN(value))) return undefined;
  const [height, shift] = numbers;
  if (height !== undefined && (height <= 0 || height > 20)) return undefined;
  if (shift !== undefined && Math.abs(shift) > 10) return undefined;
  return { size: height, offset: shift };
}

function findVariable(context: MarkupContext, name: string): Variable | undefined {
  return context.variables.find((variable) => variable.kind !== 'style' && sameName(variable.name, name));
}

function cellOf(context: MarkupContext, name: string): string | undefined {
  const column = context.columns.find(
    (candidate) => sameName(candidate.name, name) || sameName(candidate.key, name),
  );
  if (column) return cellAt(context.cells, column.key);
  return own(context.cells, name);
}

const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

export type IconVariable = Extract<Variable, { kind: 'icon' }>;

/** Icons that stand for words or tokens, and the pattern that finds them; null where there are none. */
export interface Keywords {
  readonly pattern: RegExp;
  readonly icons: ReadonlyMap<string, IconVariable>;
}

const keywords = new WeakMap<readonly Variable[], Keywords | null>();

/**
 * Icons that need no braces: by their tokens, and by name where the name stands for the icon anywhere. Names are words:
 * `Force` is not found in `Forces`; nor is a token that begins or ends with a letter.
 */
export function keywordsOf(variables: readonly Variable[]): Keywords | null {
  const known = keywords.get(variables);
  if (known !== undefined) return known;
  const icons = new Map<string, IconVariable>();
  for (const variable of variables) {
    if (variable.kind !== 'icon') continue;
    for (const written of [variable.anywhere ? variable.name.trim() : '', (variable.token ?? '').trim()])
      if (written !== '' && !icons.has(written)) icons.set(written, variable);
  }
  // The longest first: `Long rest` before `Long`.
  const names = [...icons.keys()].sort((a, b) => b.length - a.length).map(bounded);
  const found = names.length === 0 ? null : { icons, pattern: new RegExp(names.join('|'), 'gu') };
  keywords.set(variables, found);
  return found;
}

const LETTER = '[\\p{L}\\p{M}\\p{N}_]';
const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u');
const ENDS_WITH_LETTER = new RegExp(`${LETTER}$`, 'u');

/** Matches the text where it is not part of a longer word. */
function bounded(written: string): string {
  const from = BEGINS_WITH_LETTER.test(written) ? `(?<!${LETTER})` : '';
  const to = ENDS_WITH_LETTER.test(written) ? `(?!${LETTER})` : '';
  return from + escaped(written) + to;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A text without what stands from each opening to the closing after it, in one pass however many have none. */
export function withoutEnclosed(text: string, opening: string, closing: string): string {
  let rest = '';
  let at = 0;
  for (;;) {
    const from = text.indexOf(opening, at);
    const to = from < 0 ? -1 : text.indexOf(closing, from + opening.length);
    if (to < 0) return rest + text.slice(at);
    rest += text.slice(at, from);
    at = to + closing.length;
  }
}
