import { LANG_USAGE } from './functions.ts';
import { ExpressionFault, type Token, tokenise } from './lexer.ts';

/** A parsed expression. `at` and `end` are offsets into the source. */
export type Node =
  | {
      readonly kind: 'literal';
      readonly value: string | number | boolean;
      readonly at: number;
      readonly end: number;
    }
  | { readonly kind: 'name'; readonly name: string; readonly at: number; readonly end: number }
  | {
      readonly kind: 'field';
      /** Name of a card, and of one of its columns. */
      readonly card: string;
      readonly column: string;
      readonly at: number;
      readonly end: number;
    }
  | {
      readonly kind: 'language';
      /** Tag of a language, and name of a column. */
      readonly language: string;
      readonly column: string;
      readonly at: number;
      readonly end: number;
    }
  | {
      readonly kind: 'unary';
      readonly operator: 'not' | '-';
      readonly operand: Node;
      readonly at: number;
      readonly end: number;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Node;
      readonly right: Node;
      readonly at: number;
      readonly end: number;
    }
  | {
      readonly kind: 'choice';
      readonly test: Node;
      readonly then: Node;
      readonly otherwise: Node;
      readonly at: number;
      readonly end: number;
    }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly arguments: readonly Node[];
      readonly at: number;
      readonly end: number;
    };

export type BinaryOperator =
  | 'or'
  | 'and'
  | '??'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^';

/** Longest expression, in UTF-16 units. */
export const MAX_SOURCE = 2_000;
/** Deepest nesting of brackets, calls and operators. */
const MAX_DEPTH = 60;
/** Most arguments of one call. */
const MAX_ARGUMENTS = 100;

/** Precedence of operators, loosest first; `^` is right-associative. */
const BINARY: Readonly<Record<string, readonly [BinaryOperator, number]>> = {
  '??': ['??', 2],
  '|': ['??', 2],
  '||': ['or', 3],
  or: ['or', 3],
  '&&': ['and', 4],
  and: ['and', 4],
  '=': ['==', 5],
  '==': ['==', 5],
  '!=': ['!=', 5],
  '<>': ['!=', 5],
  '<': ['<', 6],
  '<=': ['<=', 6],
  '>': ['>', 6],
  '>=': ['>=', 6],
  '&': ['&', 7],
  '+': ['+', 8],
  '-': ['-', 8],
  '*': ['*', 9],
  '/': ['/', 9],
  '%': ['%', 9],
  '^': ['^', 11],
};
const CHOICE_POWER = 1;
const PREFIX_POWER = 10;

/** Parses an expression. @throws ExpressionFault where it cannot be parsed */
export function parse(source: string): Node {
  if (source.length > MAX_SOURCE)
    throw new ExpressionFault(`The formula is longer than ${MAX_SOURCE} characters.`, MAX_SOURCE);
  const parser = new Parser(tokenise(source));
  const node = parser.expression(0, 0);
  parser.expectEnd();
  return node;
}

/** A Pratt parser: each operator has its binding power, and one loop does the rest. */
class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', value: '', at: 0, end: 0 };
  }

  #take(): Token {
    const token = this.#token;
    this.#next++;
    return token;
  }

  #is(symbol: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.value === symbol;
  }

  #expect(symbol: string, what: string): Token {
    if (this.#is(symbol)) return this.#take();
    throw new ExpressionFault(`A ${symbol} is missing: ${what}.`, this.#token.at, this.#token.end);
  }

  expectEnd(): void {
    const token = this.#token;
    if (token.kind !== 'end')
      throw new ExpressionFault(`«${token.value}» was not expected here.`, token.at, token.end);
  }

  expression(power: number, depth: number): Node {
    if (depth > MAX_DEPTH) throw new ExpressionFault('The formula is nested too deep.', this.#token.at);
    let left = this.#prefix(depth);
    for (;;) {
      const token = this.#token;
      if (this.#is('?') && power <= CHOICE_POWER) {
        this.#take();
        const then = this.expression(0, depth + 1);
        this.#expect(':', 'a choice is written test ? this : that');
        const otherwise = this.expression(CHOICE_POWER, depth + 1);
        left = { kind: 'choice', test: left, then, otherwise, at: left.at, end: otherwise.end };
        continue;
      }
      const found = this.#operator(token);
      if (!found || found[1] <= power) return left;
      const [operator, binding] = found;
      this.#take();
      const right = this.expression(operator === '^' ? binding - 1 : binding, depth + 1);
      left = { kind: 'binary', operator, left, right, at: left.at, end: right.end };
    }
  }

  #operator(token: Token): readonly [BinaryOperator, number] | undefined {
    if (token.kind !== 'symbol' && token.kind !== 'name') return undefined;
    const name = token.kind === 'name' ? token.value.toLowerCase() : token.value;
    return Object.hasOwn(BINARY, name) ? BINARY[name] : undefined;
  }

  #prefix(depth: number): Node {
    const token = this.#take();
    const { at, end } = token;
    if (token.kind === 'number' || token.kind === 'text')
      return { kind: 'literal', value: token.value, at, end };
    if (token.kind === 'name') return this.#named(token, depth);
    if (token.kind === 'symbol') {
      if (token.value === '(') {
        const inner = this.expression(0, depth + 1);
        this.#expect(')', 'every ( needs one');
        return inner;
      }
      if (token.value === '-' || token.value === '!') {
        const operand = this.expression(PREFIX_POWER, depth + 1);
        return { kind: 'unary', operator: token.value === '!' ? 'not' : '-', operand, at, end: operand.end };
      }
      if (token.value === '+') return this.expression(PREFIX_POWER, depth + 1);
    }
    if (token.kind === 'end') throw new ExpressionFault('The formula stops in the middle.', at, at + 1);
    throw new ExpressionFault(`«${token.value}» was not expected here.`, at, end);
  }

  #named(token: Token & { kind: 'name' }, depth: number): Node {
    const { at, end, value } = token;
    // A name in brackets is always a column.
    const bare = end - at === value.length;
    if (bare) {
      const word = value.toLowerCase();
      if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true', at, end };
      if (word === 'not') {
        const operand = this.expression(PREFIX_POWER, depth + 1);
        return { kind: 'unary', operator: 'not', operand, at, end: operand.end };
      }
      if (this.#is('(')) return this.#call(token, depth);
    }
    if (this.#is('.')) {
      this.#take();
      const column = this.#take();
      return { kind: 'field', card: value, column: String(column.value), at, end: column.end };
    }
    return { kind: 'name', name: value, at, end };
  }

  /** `lang("de").text`, from its full stop on. */
  #language({ at }: Token, given: readonly Node[], closing: Token): Node {
    const [tag, ...more] = given;
    if (tag?.kind !== 'literal' || typeof tag.value !== 'string' || more.length > 0 || !this.#is('.')) {
      throw new ExpressionFault(`lang is written ${LANG_USAGE.usage}.`, at, closing.end);
    }
    this.#take();
    const column = this.#take();
    return { kind: 'language', language: tag.value, column: String(column.value), at, end: column.end };
  }

  #call(token: Token & { kind: 'name' }, depth: number): Node {
    this.#take();
    const given: Node[] = [];
    while (!this.#is(')')) {
      if (given.length >= MAX_ARGUMENTS)
        throw new ExpressionFault(`A function takes at most ${MAX_ARGUMENTS} values.`, this.#token.at);
      given.push(this.expression(0, depth + 1));
      if (this.#is(',')) this.#take();
      else if (!this.#is(')')) this.#expect(')', `${token.value}( needs one`);
    }
    const closing = this.#take();
    if (token.value.toLowerCase() === 'lang') return this.#language(token, given, closing);
    return { kind: 'call', name: token.value, arguments: given, at: token.at, end: closing.end };
  }
}
