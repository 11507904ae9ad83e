import { NotVector } from './drawing.ts';

const PX: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  // The initial font size; drawings without text hardly use it.
  em: 16,
  ex: 8,
};
const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z%]*)$/i;

/**
 * A length in user units (CSS pixels).
 * @param whole reference of percentages
 * @throws NotVector for invalid lengths
 */
export function readLength(text: string | undefined, whole: number, initial: number): number {
  if (text === undefined || text.trim() === '' || text.trim() === 'auto') return initial;
  const found = LENGTH.exec(text.trim());
  const unit = found?.[2]?.toLowerCase() ?? '';
  const factor = unit === '%' ? whole / 100 : Object.hasOwn(PX, unit) ? PX[unit] : undefined;
  if (!found || factor === undefined)
    throw new NotVector(`has a length that cannot be read: ${text.slice(0, 40)}`);
  return Number(found[1]) * factor;
}

/** A share from 0 to 1, as a number or percentage. */
export function readShare(text: string | undefined, initial: number): number {
  return Math.min(1, Math.max(0, readLength(text, 1, initial)));
}

/** Numbers between blanks and commas. */
export function readNumbers(text: string): number[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => readLength(part, 1, 0));
}
