import { MAX_FORMULA_PARTS, MAX_VALUE } from './limits.ts';
import { type Part, type PartRef, partWords, refOf } from './parts.ts';

/** A formula of a step as the server works it out (`functions-host/table/src/model/formula.rs`). */
export type Formula =
  | 'players'
  | 'round'
  | { readonly number: number }
  | { readonly count: PartRef }
  | { readonly value: PartRef }
  | { readonly [sign in Sign]?: readonly [Formula, Formula] };
type Sign = 'plus' | 'minus' | 'times' | 'over' | 'up' | 'min' | 'max';

type Read = { readonly formula: Formula } | { readonly fault: string };

const SIGNS: Readonly<Record<string, Sign>> = {
  '+': 'plus',
  '-': 'minus',
  '−': 'minus',
  '*': 'times',
  '×': 'times',
  '·': 'times',
  '/': 'over',
  '÷': 'over',
};
const SUMS: readonly Sign[] = ['plus', 'minus'];
const PRODUCTS: readonly Sign[] = ['times', 'over'];
const KNOWN = 'Use players, round, count(…), value(…), min(…), max(…) and up(…).';

class Fault extends Error {}

/** Reads a formula over the parts of a table, or says in words why it is none. */
export function readFormula(text: string, parts: readonly Part[]): Read {
  try {
    const formula = new Reader(text, parts).whole();
    if (partsIn(formula) > MAX_FORMULA_PARTS) {
      return { fault: `A formula has at most ${MAX_FORMULA_PARTS} numbers, names and signs.` };
    }
    return { formula };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

function partsIn(formula: Formula): number {
  const pair = pairOf(formula);
  return pair ? 1 + partsIn(pair[1]) + partsIn(pair[2]) : 1;
}

function pairOf(formula: Formula): readonly [Sign, Formula, Formula] | undefined {
  if (typeof formula === 'string') return undefined;
  const [[sign, pair] = []] = Object.entries(formula);
  return Array.isArray(pair) ? [sign as Sign, pair[0], pair[1]] : undefined;
}

class Reader {
  #at = 0;
  readonly #text: string;
  readonly #parts: readonly Part[];

  constructor(text: string, parts: readonly Part[]) {
    this.#text = text;
    this.#parts = parts;
  }

  whole(): Formula {
    const formula = this.#sum();
    const rest = this.#rest();
    if (rest !== '') throw new Fault(`“${rest.slice(0, 20)}” is not expected here.`);
    return formula;
  }

  #rest(): string {
    const rest = this.#text.slice(this.#at);
    const trimmed = rest.trimStart();
    this.#at += rest.length - trimmed.length;
    return trimmed.trimEnd();
  }

  #take(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.#rest())?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #sum(): Formula {
    return this.#signed(SUMS, () => this.#product());
  }

  #product(): Formula {
    return this.#signed(PRODUCTS, () => this.#factor());
  }

  #signed(signs: readonly Sign[], next: () => Formula): Formula {
    let formula = next();
    for (;;) {
      const sign = SIGNS[this.#rest()[0] ?? ''];
      if (!sign || !signs.includes(sign)) return formula;
      this.#at += 1;
      formula = { [sign]: [formula, next()] };
    }
  }

  #factor(): Formula {
    const digits = this.#take(/^\d+(\.\d+)*/);
    if (digits !== undefined) return { number: wholeNumber(digits) };
    if (this.#take(/^[-−]/)) {
      const of = this.#factor();
      return typeof of === 'object' && 'number' in of
        ? { number: -of.number }
        : { minus: [{ number: 0 }, of] };
    }
    if (this.#take(/^\(/)) {
      const inner = this.#sum();
      this.#close();
      return inner;
    }
    const word = this.#take(/^[\p{L}_]+/u);
    if (word !== undefined) return this.#word(word);
    const rest = this.#rest();
    throw new Fault(
      rest === '' ? 'Something is missing at the end.' : `A number or a name is missing before “${rest[0]}”.`,
    );
  }

  #word(word: string): Formula {
    const known = word.toLowerCase();
    if (known === 'players' || known === 'round') return known;
    if (!['count', 'value', 'min', 'max', 'up'].includes(known)) {
      throw new Fault(`“${word}” is not known. ${KNOWN}`);
    }
    if (!this.#take(/^\(/)) throw new Fault(`“(” is missing after ${known}.`);
    switch (known) {
      case 'count':
        return { count: this.#part(({ is }) => is === 'container', 'holds no pieces: it cannot be counted') };
      case 'value':
        return { value: this.#part(({ is }) => is !== 'container', 'has no value') };
      case 'up':
        return this.#roundedUp();
      default:
        return this.#several(known as 'min' | 'max');
    }
  }

  #several(sign: 'min' | 'max'): Formula {
    let formula = this.#sum();
    let count = 1;
    while (this.#take(/^[,;]/)) {
      formula = { [sign]: [formula, this.#sum()] };
      count += 1;
    }
    this.#close();
    if (count < 2) throw new Fault(`${sign}(…) takes two numbers or more, with commas between.`);
    return formula;
  }

  #roundedUp(): Formula {
    const inner = this.#sum();
    this.#close();
    if (typeof inner === 'object' && 'over' in inner && inner.over) return { up: inner.over };
    throw new Fault('up(…) rounds a division up. Write up(a / b).');
  }

  #close(): void {
    if (!this.#take(/^\)/)) throw new Fault('“)” is missing.');
  }

  /** A name up to the bracket that closes it; in quotation marks it may have brackets of its own. */
  #part(fits: (part: Part) => boolean, otherwise: string): PartRef {
    const quoted = this.#take(/^(["“])[^"”]*["”]/);
    const name = quoted === undefined ? this.#plainName() : quoted.slice(1, -1);
    this.#close();
    const found = partCalled(name.trim(), this.#parts);
    if (!found) throw new Fault(`Nothing at the table is called “${name.trim()}”.`);
    if (!fits(found)) throw new Fault(`“${name.trim()}” ${otherwise}.`);
    return refOf(found);
  }

  #plainName(): string {
    const rest = this.#rest();
    let [depth, length] = [0, 0];
    for (const sign of rest) {
      if (sign === '(') depth += 1;
      if (sign === ')') depth -= 1;
      if (depth < 0) break;
      length += sign.length;
    }
    this.#at += length;
    return rest.slice(0, length);
  }
}

const OF_PLAYER = /^own\s+(.+)$/i;

/** The part that a formula names; without a word for whose it is, what is shared comes first. */
function partCalled(name: string, parts: readonly Part[]): Part | undefined {
  const called = (wanted: string) => (part: Part) => part.name.toLowerCase() === wanted.toLowerCase();
  const own = OF_PLAYER.exec(name)?.[1];
  return (
    parts.find((part) => !part.own && called(name)(part)) ??
    parts.find(called(name)) ??
    parts.find((part) => partWords(part).toLowerCase() === name.toLowerCase()) ??
    (own === undefined ? undefined : parts.find((part) => part.own && called(own)(part)))
  );
}

function wholeNumber(digits: string): number {
  if (!/^\d+$/.test(digits)) throw new Fault(`“${digits}” is not a whole number.`);
  const number = Number(digits);
  if (number > MAX_VALUE) throw new Fault(`“${digits}” is more than a counter holds.`);
  return number;
}

const WRITTEN = { plus: '+', minus: '−', times: '×', over: '÷' } as const;

/** A formula as one writes it. */
export function formulaText(formula: Formula): string {
  if (typeof formula === 'string') return formula;
  if ('number' in formula) return String(formula.number);
  if ('count' in formula) return `count(${nameText(formula.count)})`;
  if ('value' in formula) return `value(${nameText(formula.value)})`;
  const pair = pairOf(formula);
  if (!pair) return '';
  const [sign, one, other] = pair;
  if (sign === 'min' || sign === 'max') return `${sign}(${formulaText(one)}, ${formulaText(other)})`;
  if (sign === 'up') return `up(${formulaText({ over: [one, other] })})`;
  const binds = rank(formula);
  const left = rank(one) < binds ? `(${formulaText(one)})` : formulaText(one);
  const right = rank(other) <= binds ? `(${formulaText(other)})` : formulaText(other);
  return `${left} ${WRITTEN[sign]} ${right}`;
}

function rank(formula: Formula): number {
  const sign = pairOf(formula)?.[0];
  if (sign === undefined || sign === 'min' || sign === 'max' || sign === 'up') return 3;
  return SUMS.includes(sign) ? 1 : 2;
}

function nameText({ name, own }: PartRef): string {
  const text = own ? `own ${name}` : name;
  return /[()]/.test(text) && !text.includes('"') ? `"${text}"` : text;
}
