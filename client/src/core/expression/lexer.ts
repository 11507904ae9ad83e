/** Token of an expression. `at` and `end` are offsets into the source, in UTF-16 units. */
export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number; readonly end: number }
  | { readonly kind: 'text'; readonly value: string; readonly at: number; readonly end: number }
  | { readonly kind: 'name'; readonly value: string; readonly at: number; readonly end: number }
  | { readonly kind: 'symbol'; readonly value: string; readonly at: number; readonly end: number }
  | { readonly kind: 'end'; readonly value: ''; readonly at: number; readonly end: number };

/** An expression that cannot be parsed or evaluated. Never thrown outside this folder. */
export class ExpressionFault extends Error {
  /** Offset into the source, in UTF-16 units. */
  readonly at: number;
  readonly end: number;
  constructor(message: string, at: number, end: number = at + 1) {
    super(message);
    this.at = at;
    this.end = end;
  }
}

const SYMBOLS = ['&&', '||', '??', '==', '!=', '<>', '<=', '>=', ...'+-*/%^&<>=!?:(),|'];
const SPACE = /\s/u;
const DIGIT = /[0-9]/;
const NAME_START = /[\p{L}_]/u;
/** A character within a name. */
export const NAME_PART = /[\p{L}\p{M}\p{N}_]/u;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
/** Quotation marks around a text, by the one that begins it. */
export const CLOSING_QUOTES: Readonly<Record<string, string>> = { "'": "'", '"': '"', '“': '”', '‘': '’' };

/** @throws ExpressionFault at a character that begins no token */
export function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const token = readToken(source, at);
    if (token) tokens.push(token);
    at = token ? token.end : at + 1;
  }
  tokens.push({ kind: 'end', value: '', at: source.length, end: source.length });
  return tokens;
}

function readToken(source: string, at: number): Token | undefined {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (SPACE.test(character)) return undefined;
  if (DIGIT.test(character) || (character === '.' && DIGIT.test(source[at + 1] ?? ''))) {
    return readNumberToken(source, at);
  }
  if (CLOSING_QUOTES[character] !== undefined) return readText(source, at, CLOSING_QUOTES[character]);
  if (character === '[') return readColumn(source, at);
  if (NAME_START.test(character)) return readName(source, at);
  // A column of a card: `Fireball.cost`, `Fireball.[Attack power]`.
  const next = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
  if (character === '.' && (next === '[' || NAME_START.test(next))) {
    return { kind: 'symbol', value: '.', at, end: at + 1 };
  }
  const symbol = SYMBOLS.find((candidate) => source.startsWith(candidate, at));
  if (symbol) return { kind: 'symbol', value: symbol, at, end: at + symbol.length };
  throw new ExpressionFault(`«${character}» means nothing here.`, at, at + character.length);
}

function readNumberToken(source: string, at: number): Token {
  const digits = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(source.slice(at, at + 400))?.[0] ?? '';
  return { kind: 'number', value: Number.parseFloat(digits), at, end: at + digits.length };
}

function readText(source: string, at: number, closing: string): Token {
  let value = '';
  for (let next = at + 1; next < source.length; next++) {
    const character = source[next] ?? '';
    if (character === closing) return { kind: 'text', value, at, end: next + 1 };
    if (character === '\\' && next + 1 < source.length) {
      next++;
      const escaped = source[next] ?? '';
      value += ESCAPES[escaped] ?? escaped;
    } else value += character;
  }
  throw new ExpressionFault(`The text that begins here has no closing ${closing}`, at, source.length);
}

function readColumn(source: string, at: number): Token {
  const end = source.indexOf(']', at);
  if (end === -1)
    throw new ExpressionFault('The column name that begins here has no closing ]', at, source.length);
  const value = source.slice(at + 1, end).trim();
  if (value === '') throw new ExpressionFault('A column name is missing between the brackets.', at, end + 1);
  return { kind: 'name', value, at, end: end + 1 };
}

function readName(source: string, at: number): Token {
  let end = at;
  while (end < source.length) {
    const character = String.fromCodePoint(source.codePointAt(end) ?? 0);
    if (!NAME_PART.test(character)) break;
    end += character.length;
  }
  return { kind: 'name', value: source.slice(at, end), at, end };
}
