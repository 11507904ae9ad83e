import { compare, foldedText, listOf, MAX_LIST, MAX_TEXT, numberOf, textOf, type Value } from './value.ts';

/** A function of the language. Arguments arrive evaluated; a thrown `Error` names the fault. */
export interface ExpressionFunction {
  readonly name: string;
  readonly group: 'Text' | 'Numbers' | 'Lists' | 'Choices';
  /** Its usage, for the guide and for completion. */
  readonly usage: string;
  /** Its result, in one line. */
  readonly gives: string;
  readonly min: number;
  readonly max: number;
  readonly run: (given: readonly Value[]) => Value;
}

const MANY = 100;
/** Most decimals of `round` and `fixed`. */
const MAX_DECIMALS = 10;

function num(value: Value | undefined, what = 'a number'): number {
  const number = value === undefined ? undefined : numberOf(value);
  if (number === undefined) throw new Error(`«${shorten(textOf(value ?? ''))}» is not ${what}.`);
  return number;
}
const str = (value: Value | undefined): string => textOf(value ?? '');
const whole = (value: Value | undefined, fallback: number): number =>
  value === undefined ? fallback : Math.trunc(num(value));
const limited = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}

/** Every number among the values, lists flattened; empty text is skipped. */
function numbersOf(given: readonly Value[]): number[] {
  return given
    .flatMap((value) => (typeof value === 'object' ? [...value] : [value]))
    .filter((value) => textOf(value).trim() !== '')
    .map((value) => num(value));
}

function padded(given: readonly Value[], atStart: boolean): string {
  const text = str(given[0]);
  const width = limited(whole(given[1], 0), 0, 200);
  const filler = given[2] === undefined ? ' ' : str(given[2]);
  if (filler === '') return text;
  return atStart ? text.padStart(width, filler) : text.padEnd(width, filler);
}

function rounded(given: readonly Value[], round: (value: number) => number): number {
  const value = num(given[0]);
  const factor = 10 ** limited(whole(given[1], 0), -MAX_DECIMALS, MAX_DECIMALS);
  return round(value * factor) / factor;
}

function replaceAll(text: string, from: string, to: string): string {
  if (from === '') return text;
  const parts = text.split(from);
  if (text.length + (parts.length - 1) * (to.length - from.length) > MAX_TEXT)
    throw new Error(`The text would be longer than ${MAX_TEXT} characters.`);
  return parts.join(to);
}

function repeated(text: string, times: number): string {
  const count = Math.max(0, times);
  if (text.length * count > MAX_TEXT)
    throw new Error(`The text would be longer than ${MAX_TEXT} characters.`);
  return text.repeat(count);
}

function range(given: readonly Value[]): Value[] {
  const from = given.length > 1 ? whole(given[0], 1) : 1;
  const to = whole(given.length > 1 ? given[1] : given[0], 0);
  const step = given.length > 2 ? whole(given[2], 1) : 1;
  if (step === 0) throw new Error('The step of a range cannot be 0.');
  const length = Math.floor((to - from) / step) + 1;
  if (length > MAX_LIST) throw new Error(`A list has at most ${MAX_LIST} items.`);
  return Array.from({ length: Math.max(0, length) }, (_, at) => from + at * step);
}

function switchOf(given: readonly Value[]): Value {
  const wanted = foldedText(given[0] ?? '');
  for (let at = 1; at + 1 < given.length; at += 2) {
    if (foldedText(given[at] ?? '') === wanted) return given[at + 1] ?? '';
  }
  return given.length % 2 === 0 ? (given[given.length - 1] ?? '') : '';
}

function contains(given: readonly Value[]): boolean {
  const [where = '', what = ''] = given;
  const wanted = foldedText(what);
  return typeof where === 'object'
    ? where.some((item) => foldedText(item) === wanted)
    : textOf(where).toLowerCase().includes(wanted);
}

function itemOf(given: readonly Value[]): Value {
  const list = listOf(given[0] ?? '');
  const at = whole(given[1], 1);
  return list.at(at > 0 ? at - 1 : at) ?? '';
}

function roman(value: number): string {
  const number = Math.trunc(value);
  if (number < 1 || number > 3_999) throw new Error('Roman numbers go from 1 to 3999.');
  const signs: readonly (readonly [number, string])[] = [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ];
  let rest = number;
  let text = '';
  for (const [worth, sign] of signs) {
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  }
  return text;
}

const title = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[\s\-(“"])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());

function define(
  group: ExpressionFunction['group'],
  usage: string,
  gives: string,
  count: readonly [number, number],
  run: ExpressionFunction['run'],
): ExpressionFunction {
  return { name: usage.slice(0, usage.indexOf('(')), group, usage, gives, min: count[0], max: count[1], run };
}

/** Every function but `if`, which evaluates only the branch it takes. */
export const FUNCTIONS: readonly ExpressionFunction[] = [
  define(
    'Choices',
    'switch(value, a, then a, b, then b, …, otherwise)',
    'what follows the first match',
    [2, MANY],
    switchOf,
  ),
  define('Choices', 'empty(value)', 'whether nothing is there', [1, 1], ([value = '']) =>
    typeof value === 'object' ? value.length === 0 : textOf(value).trim() === '',
  ),
  define(
    'Choices',
    'first(a, b, …)',
    'the first value that is not empty',
    [1, MANY],
    (given) => given.find((value) => textOf(value).trim() !== '') ?? '',
  ),
  define('Text', 'upper(text)', 'CAPITALS', [1, 1], ([text]) => str(text).toUpperCase()),
  define('Text', 'lower(text)', 'small letters', [1, 1], ([text]) => str(text).toLowerCase()),
  define('Text', 'title(text)', 'Each Word With A Capital', [1, 1], ([text]) => title(str(text))),
  define('Text', 'trim(text)', 'without space at its ends', [1, 1], ([text]) => str(text).trim()),
  define('Text', 'length(text or list)', 'how many characters or items', [1, 1], ([value = '']) =>
    typeof value === 'object' ? value.length : [...textOf(value)].length,
  ),
  define('Text', 'left(text, count)', 'the first characters', [1, 2], ([text, count]) =>
    [...str(text)].slice(0, Math.max(0, whole(count, 1))).join(''),
  ),
  define('Text', 'right(text, count)', 'the last characters', [1, 2], ([text, count]) => {
    const keep = Math.max(0, whole(count, 1));
    return keep === 0 ? '' : [...str(text)].slice(-keep).join('');
  }),
  define(
    'Text',
    'mid(text, start, count)',
    'characters from a place on; the first is 1',
    [2, 3],
    ([text, start, count]) => {
      const from = Math.max(0, whole(start, 1) - 1);
      return [...str(text)]
        .slice(from, count === undefined ? undefined : from + Math.max(0, whole(count, 0)))
        .join('');
    },
  ),
  define('Text', 'replace(text, old, new)', 'every old replaced', [3, 3], ([text, from, to]) =>
    replaceAll(str(text), str(from), str(to)),
  ),
  define('Text', 'repeat(text, count)', 'the text several times', [2, 2], ([text, count]) =>
    repeated(str(text), whole(count, 1)),
  ),
  define(
    'Text',
    'pad(text, width, filler)',
    'filled up at the start: pad(7, 3, "0") is 007',
    [2, 3],
    (given) => padded(given, true),
  ),
  define('Text', 'padEnd(text, width, filler)', 'filled up at the end', [2, 3], (given) =>
    padded(given, false),
  ),
  define('Text', 'contains(text or list, what)', 'whether it is in there', [2, 2], contains),
  define('Text', 'startsWith(text, what)', 'whether the text begins so', [2, 2], ([text, what]) =>
    str(text).toLowerCase().startsWith(str(what).toLowerCase()),
  ),
  define('Text', 'endsWith(text, what)', 'whether the text ends so', [2, 2], ([text, what]) =>
    str(text).toLowerCase().endsWith(str(what).toLowerCase()),
  ),
  define('Text', 'text(value)', 'the value as text', [1, 1], ([value]) => str(value)),
  define(
    'Numbers',
    'number(text, otherwise)',
    'the number a text reads as',
    [1, 2],
    ([value = '', otherwise]) => numberOf(value) ?? otherwise ?? num(value),
  ),
  define('Numbers', 'round(number, decimals)', 'rounded', [1, 2], (given) => rounded(given, Math.round)),
  define('Numbers', 'floor(number, decimals)', 'rounded down', [1, 2], (given) => rounded(given, Math.floor)),
  define('Numbers', 'ceil(number, decimals)', 'rounded up', [1, 2], (given) => rounded(given, Math.ceil)),
  define('Numbers', 'fixed(number, decimals)', 'with exactly so many decimals', [1, 2], ([value, decimals]) =>
    num(value).toFixed(limited(whole(decimals, 0), 0, MAX_DECIMALS)),
  ),
  define('Numbers', 'abs(number)', 'without its sign', [1, 1], ([value]) => Math.abs(num(value))),
  define('Numbers', 'mod(number, by)', 'what is left after dividing', [2, 2], ([value, by]) =>
    modulo(num(value), num(by)),
  ),
  define('Numbers', 'sqrt(number)', 'its square root', [1, 1], ([value]) => {
    const number = num(value);
    if (number < 0) throw new Error('A number below 0 has no square root.');
    return Math.sqrt(number);
  }),
  define('Numbers', 'min(a, b, …)', 'the smallest, lists opened', [1, MANY], (given) => {
    const numbers = numbersOf(given);
    return numbers.length === 0 ? '' : Math.min(...numbers);
  }),
  define('Numbers', 'max(a, b, …)', 'the largest, lists opened', [1, MANY], (given) => {
    const numbers = numbersOf(given);
    return numbers.length === 0 ? '' : Math.max(...numbers);
  }),
  define('Numbers', 'sum(a, b, …)', 'all added up, lists opened', [1, MANY], (given) =>
    numbersOf(given).reduce((total, value) => total + value, 0),
  ),
  define('Numbers', 'clamp(number, low, high)', 'no lower and no higher', [3, 3], ([value, low, high]) =>
    limited(num(value), num(low), num(high)),
  ),
  define('Numbers', 'roman(number)', 'as a Roman number', [1, 1], ([value]) => roman(num(value))),
  define('Lists', 'list(a, b, …)', 'a list', [0, MANY], (given) => [...given]),
  define('Lists', 'split(text, separator)', 'a list of the parts', [1, 2], ([text, separator]) => {
    if (separator === undefined) return listOf(str(text)).slice(0, MAX_LIST);
    const by = str(separator);
    return by === ''
      ? [...str(text)].slice(0, MAX_LIST)
      : str(text)
          .split(by, MAX_LIST)
          .map((part) => part.trim());
  }),
  define('Lists', 'join(list, separator)', 'a text of the items', [1, 2], ([list = '', separator]) =>
    listOf(list)
      .map(textOf)
      .join(separator === undefined ? ', ' : str(separator)),
  ),
  define('Lists', 'item(list, place)', 'one item; the first is 1, the last is -1', [2, 2], itemOf),
  define('Lists', 'range(from, to, step)', 'a list of numbers', [1, 3], range),
  define('Lists', 'sort(list)', 'the items in order', [1, 1], ([list = '']) =>
    [...listOf(list)].sort(compare),
  ),
  define('Lists', 'reverse(list)', 'the items the other way round', [1, 1], ([list = '']) =>
    [...listOf(list)].reverse(),
  ),
  define('Lists', 'unique(list)', 'each item once', [1, 1], ([list = '']) => {
    const seen = new Set<string>();
    return listOf(list).filter((item) => {
      const key = foldedText(item);
      return seen.has(key) ? false : Boolean(seen.add(key));
    });
  }),
  define(
    'Lists',
    'countOf(list, what)',
    'how many items match; without what, how many there are',
    [1, 2],
    ([list = '', what]) => {
      if (what === undefined) return listOf(list).length;
      const wanted = foldedText(what);
      return listOf(list).filter((item) => foldedText(item) === wanted).length;
    },
  ),
];

/** `if` is not in the table of functions: it evaluates only the branch it takes. */
export const IF_USAGE = { usage: 'if(test, then, otherwise)', gives: 'one or the other' } as const;

/** `lang` is not in the table of functions: what follows its full stop is the name of a column. */
export const LANG_USAGE = {
  usage: 'lang("de").Name',
  gives:
    'the column in that language, or its own words where it is not translated; layouts alone know languages',
} as const;

const byName = new Map(FUNCTIONS.map((one) => [one.name.toLowerCase(), one]));

export function findFunction(name: string): ExpressionFunction | undefined {
  return byName.get(name.toLowerCase());
}

/** The remainder with the sign of the divisor, so that cycling continues below 0. */
export function modulo(value: number, by: number): number {
  if (by === 0) throw new Error('Nothing can be divided by 0.');
  return value - by * Math.floor(value / by);
}
