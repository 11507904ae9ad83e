/**
 * Values of expressions. A table's cell is text; where a number is wanted, text that reads as one (`3`, `-2.5`, `2,5`)
 * counts as it. Nothing is `null`: a missing value is the empty text.
 */
export type Value = string | number | boolean | readonly Value[];

/** Longest text an expression may make, in UTF-16 units. */
export const MAX_TEXT = 20_000;
/** Most items of one list. */
export const MAX_LIST = 1_000;

/** Decimals kept when a number becomes text: hides rounding errors of binary fractions. */
const TEXT_DECIMALS = 10;
const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/** Text as a number; undefined when it does not read as one. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) ? Number.parseFloat(trimmed.replace(',', '.')) : undefined;
}

/** The number a value is or reads as; undefined for anything else. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? readNumber(value) : undefined;
}

/** A value as text on a card. Items of a list are separated by commas. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return numberText(value);
  return value.map(textOf).join(', ');
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Number.isInteger(value)) return String(value + 0);
  return String(Number(value.toFixed(TEXT_DECIMALS)));
}

/** Empty text, an empty list, 0 and words for no are false; everything else is true. */
export function truthOf(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  if (typeof value !== 'string') return value.length > 0;
  return !['', '0', 'false', 'no', 'off', '-'].includes(value.trim().toLowerCase());
}

/** The items of a list; for text, the parts between commas, semicolons or line ends. */
export function listOf(value: Value): readonly Value[] {
  if (typeof value === 'string') {
    return value
      .split(/[,;\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }
  return typeof value === 'object' ? value : [value];
}

/** Below 0, 0 or above 0 as `a` sorts before, with or after `b`: by number where both are numbers, else by text. */
export function compare(a: Value, b: Value): number {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) return left - right;
  const [first, second] = [foldedText(a), foldedText(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Text for comparisons: case and outer space do not count. */
export const foldedText = (value: Value): string => textOf(value).trim().toLowerCase();
