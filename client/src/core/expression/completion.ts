import { FUNCTIONS, IF_USAGE, LANG_USAGE } from './functions.ts';
import { CLOSING_QUOTES, NAME_PART } from './lexer.ts';

/** A name that a formula may use beside functions: a column, or a value that every card has. */
export interface FormulaName {
  readonly name: string;
  /** Its value on the card shown, or its meaning. */
  readonly detail: string;
}

/** Something that can be put in place of what is being typed. */
export interface Completion {
  readonly kind: 'name' | 'function';
  /** The name, or the usage of a function. */
  readonly label: string;
  readonly detail: string;
  readonly insert: string;
}

/** Completions of a formula at the caret, in the order in which they are offered. */
export interface Completions {
  /** The stretch that they replace: offsets into the formula, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly items: readonly Completion[];
}

/** Names in a formula that need no brackets. */
const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u;
/** Words that mean something else without brackets. */
const RESERVED = /^(?:and|or|not|true|false)$/i;
const CLOSING: Readonly<Record<string, string>> = { ...CLOSING_QUOTES, '[': ']' };

const fold = (text: string): string => text.trim().toLowerCase();
/** Every function, with `if` and `lang`, which are evaluated in a way of their own. */
const ALL_FUNCTIONS = [{ name: 'if', ...IF_USAGE }, { name: 'lang', ...LANG_USAGE }, ...FUNCTIONS];

/** The surroundings of a caret. */
interface Place {
  /** The quotation mark or bracket that is open there, and where it stands. */
  readonly open: string | undefined;
  readonly at: number;
  /** Names of the calls whose brackets are open, outermost first; empty for brackets alone. */
  readonly calls: readonly string[];
}

/** Reads a formula up to the caret; a formula that is being written need not be one yet. */
function placeAt(formula: string, caret: number): Place {
  const calls: string[] = [];
  let open: string | undefined;
  let at = 0;
  let name = '';
  for (let next = 0; next < caret; next++) {
    const character = formula[next] ?? '';
    if (open !== undefined) {
      if (character === '\\' && open !== '[') next++;
      else if (character === CLOSING[open]) open = undefined;
      continue;
    }
    if (CLOSING[character] !== undefined) [open, at, name] = [character, next, ''];
    else if (NAME_PART.test(character)) name += character;
    else {
      if (character === '(') calls.push(name);
      if (character === ')') calls.pop();
      if (!/\s/u.test(character)) name = '';
    }
  }
  return { open, at, calls };
}

/**
 * Names and functions that may stand at the caret.
 * @param asked everything is offered where nothing has been typed yet
 */
export function completionsAt(
  formula: string,
  caret: number,
  names: readonly FormulaName[],
  asked = false,
): Completions | undefined {
  const { open, at } = placeAt(formula, caret);
  if (open !== undefined && open !== '[') return undefined;
  const bracket = open === '[';
  let from = bracket ? at : caret;
  if (!bracket) while (from > 0 && NAME_PART.test(formula[from - 1] ?? '')) from--;
  let to = caret;
  if (bracket) {
    const end = /^[^\][()]*\]/u.exec(formula.slice(caret))?.[0].length ?? 0;
    to += end;
  } else while (NAME_PART.test(formula[to] ?? '')) to++;
  const typed = fold(formula.slice(bracket ? from + 1 : from, caret));
  if (typed === '' && !asked && !bracket) return undefined;
  // A number is none of these.
  if (/^\d/.test(typed) && !bracket) return undefined;
  const called = /^\s*\(/.test(formula.slice(to));
  const items: Completion[] = [
    ...names.map(
      ({ name, detail }): Completion => ({
        kind: 'name',
        label: name,
        detail,
        insert: PLAIN.test(name) && !RESERVED.test(name) ? name : `[${name}]`,
      }),
    ),
    ...(bracket ? [] : ALL_FUNCTIONS).map(
      ({ name, usage, gives }): Completion => ({
        kind: 'function',
        label: usage,
        detail: gives,
        insert: called ? name : `${name}(`,
      }),
    ),
  ];
  const rank = ({ label }: Completion): number => {
    // The arguments of a function are no names of it.
    const folded = fold(label).replace(/\(.*/u, '');
    if (folded.startsWith(typed)) return 0;
    return folded.split(/[\s_]/u).some((word) => word.startsWith(typed)) ? 1 : 2;
  };
  const fitting = items
    .map((item) => ({ item, rank: rank(item) }))
    .filter((one) => one.rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
  // A name that is written out needs no completion.
  const done = fitting.length === 1 && fitting[0]?.insert === formula.slice(from, to);
  return fitting.length === 0 || done ? undefined : { from, to, items: fitting };
}

/** The function whose brackets the caret is in: its usage and its result. */
export function callAt(
  formula: string,
  caret: number,
): { readonly usage: string; readonly gives: string } | undefined {
  const { calls } = placeAt(formula, caret);
  for (const called of [...calls].reverse()) {
    const found = ALL_FUNCTIONS.find(({ name }) => fold(name) === fold(called));
    if (found) return { usage: found.usage, gives: found.gives };
  }
  return undefined;
}
