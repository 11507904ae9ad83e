import { run, type Scope, type StepBudget } from './evaluate.ts';
import { ExpressionFault } from './lexer.ts';
import { type Node, parse } from './parser.ts';
import { textOf, type Value } from './value.ts';

/**
 * Formulas: `cost > 3 ? 'red' : 'black'`. A small language without loops, assignment or effects: it reads the columns
 * of one row and gives one value. It never throws and always ends (see `MAX_STEPS`, `MAX_TEXT`, `MAX_LIST`): a fault is
 * returned as an error with its place.
 *
 *   evaluate(formula, scope)    a formula alone, or text with formulas in {{ }}
 *   evaluateText(text, scope)   text with formulas in {{ }}, as text
 *   rowScope(row)               the names a card's row offers
 */

export { type Scope, type StepBudget, TOO_MANY_TOGETHER } from './evaluate.ts';
export { FUNCTIONS, IF_USAGE, LANG_USAGE } from './functions.ts';
export { listOf, numberOf, textOf, truthOf, type Value } from './value.ts';

/** An error in a formula. */
export interface ExpressionError {
  /** Names the fault and, where possible, the remedy. */
  readonly message: string;
  /** Offset into the given text, in UTF-16 units, from 0. */
  readonly at: number;
  readonly end: number;
}

export type Evaluated =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ExpressionError };

export interface EvaluatedText {
  /** Formulas that failed are left out. */
  readonly text: string;
  readonly errors: readonly ExpressionError[];
}

/** Cached parsed formulas; a full cache is emptied. */
const MAX_REMEMBERED = 2_000;
/** Most formulas evaluated in one text. */
const MAX_FORMULAS_IN_TEXT = 500;

const remembered = new Map<string, Node | ExpressionFault>();

function parsed(source: string): Node | ExpressionFault {
  const known = remembered.get(source);
  if (known) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  let result: Node | ExpressionFault;
  try {
    result = parse(source);
  } catch (error) {
    result = faultOf(error);
  }
  remembered.set(source, result);
  return result;
}

/** Nesting is bounded, so only faults are thrown; other errors are reported all the same. */
function faultOf(error: unknown): ExpressionFault {
  if (error instanceof ExpressionFault) return error;
  return new ExpressionFault(error instanceof Error ? error.message : String(error), 0);
}

function evaluateOne(source: string, scope: Scope, shift: number, budget?: StepBudget): Evaluated {
  const node = parsed(source);
  try {
    if (node instanceof ExpressionFault) throw node;
    return { ok: true, value: run(node, scope, budget) };
  } catch (error) {
    const { message, at, end } = faultOf(error);
    return { ok: false, error: { message, at: at + shift, end: end + shift } };
  }
}

/** True if a text holds a formula in double braces. */
export const hasFormula = (text: string): boolean => text.includes('{{');

/** The error that a formula has for every row; undefined when it parses. */
export function checkFormula(formula: string): ExpressionError | undefined {
  for (const { kind, source, at } of piecesOf(formula)) {
    if (kind === 'text') continue;
    const node = parsed(source);
    if (node instanceof ExpressionFault) {
      return { message: node.message, at: node.at + at, end: node.end + at };
    }
  }
  return undefined;
}

/**
 * Evaluates a formula. It may be bare (`cost * 2`) or in double braces (`{{ cost * 2 }}`); with text around the braces
 * the result is text. Steps are taken from `budget` where evaluations share one.
 */
export function evaluate(formula: string, scope: Scope, budget?: StepBudget): Evaluated {
  const pieces = piecesOf(formula);
  const [only] = pieces;
  if (pieces.length === 0) return { ok: true, value: '' };
  if (pieces.length === 1 && only?.kind === 'formula')
    return evaluateOne(only.source, scope, only.at, budget);
  const { text, errors } = evaluateText(formula, scope, budget);
  const [error] = errors;
  return error ? { ok: false, error } : { ok: true, value: text };
}

/**
 * Evaluates every `{{ formula }}` of a text; the text around them stays as it is.
 * @param printed text that stands for a formula instead of its value, where there is one
 */
export function evaluateText(
  text: string,
  scope: Scope,
  budget?: StepBudget,
  printed: (formula: string) => string | undefined = () => undefined,
): EvaluatedText {
  const errors: ExpressionError[] = [];
  let result = '';
  let count = 0;
  for (const piece of bracedPieces(text)) {
    if (piece.kind === 'text') {
      result += piece.source;
      continue;
    }
    if (++count > MAX_FORMULAS_IN_TEXT) {
      const message = `A text works out at most ${MAX_FORMULAS_IN_TEXT} formulas; the rest is left out.`;
      errors.push({ message, at: piece.at, end: piece.at + piece.source.length });
      break;
    }
    const words = printed(piece.source);
    if (words !== undefined) {
      result += words;
      continue;
    }
    const evaluated = evaluateOne(piece.source, scope, piece.at, budget);
    if (evaluated.ok) result += textOf(evaluated.value);
    else errors.push(evaluated.error);
  }
  return { text: result, errors };
}

interface Piece {
  readonly kind: 'text' | 'formula';
  readonly source: string;
  readonly at: number;
}

/** Text without braces is one formula. */
function piecesOf(formula: string): Piece[] {
  if (!hasFormula(formula)) return formula.trim() === '' ? [] : [{ kind: 'formula', source: formula, at: 0 }];
  const pieces = bracedPieces(formula);
  const formulas = pieces.filter(({ kind }) => kind === 'formula');
  const blank = pieces.every(({ kind, source }) => kind === 'formula' || source.trim() === '');
  return blank && formulas.length === 1 ? formulas : pieces;
}

function bracedPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{{', at);
    const close = open === -1 ? -1 : closingOf(text, open + 2);
    if (open === -1 || close === -1) {
      pieces.push({ kind: 'text', source: text.slice(at), at });
      break;
    }
    if (open > at) pieces.push({ kind: 'text', source: text.slice(at, open), at });
    pieces.push({ kind: 'formula', source: text.slice(open + 2, close), at: open + 2 });
    at = close + 2;
  }
  return pieces;
}

/** Index of the `}}` that closes a formula; braces inside quoted text do not count. */
function closingOf(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length - 1; at++) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '}' && text[at + 1] === '}') return at;
  }
  // An unmatched apostrophe must not swallow the rest of the text.
  return text.indexOf('}}', from);
}
