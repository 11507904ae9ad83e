import { evaluate, type Value } from '../../../../../core/expression/expression.ts';

/** Longest text a number field takes, in UTF-16 units. */
export const MAX_AMOUNT_LENGTH = 100;

const NO_NAMES = (): Value | undefined => undefined;
const PLAIN = /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/;

/** Text of a field without its unit, with the signs that formulas know. */
function withoutUnit(text: string, unit: string): string {
  const trimmed = text.trim().replaceAll('−', '-').replaceAll('×', '*').replaceAll('÷', '/');
  const bare = unit !== '' && trimmed.endsWith(unit) ? trimmed.slice(0, -unit.length).trimEnd() : trimmed;
  return bare.replace(/(\d),(?=\d)/g, '$1.').replace(/^\+/, '');
}

/** A number that is written out, such as `10.5`, `10,5` or `10.5 mm`; undefined for anything else. */
export function plainAmount(text: string, unit = ''): number | undefined {
  const plain = withoutUnit(text, unit);
  return PLAIN.test(plain) ? Number(plain.replace(',', '.')) : undefined;
}

/** A number or a sum of numbers, such as `10+5.5`, `63/2` or `2*(3+1)`; undefined for what gives no number. */
export function readAmount(text: string, unit = ''): number | undefined {
  const plain = plainAmount(text, unit);
  if (plain !== undefined) return plain;
  const bare = withoutUnit(text, unit);
  if (bare === '' || bare.includes('{{')) return undefined;
  const result = evaluate(`{{${bare}}}`, NO_NAMES);
  return result.ok && typeof result.value === 'number' && Number.isFinite(result.value)
    ? result.value
    : undefined;
}
