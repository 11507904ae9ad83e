import { isTerm } from '../terms.ts';

/**
 * Ids of the texts of cards: `c.{component}.{card}.{column}` and `l.{layout}.{zone}`. Each part is encoded, because keys
 * of columns hold anything: letters, digits and hyphens stand for themselves, all else as `_` with its code and `_`.
 */

const encoded = (part: string): string =>
  part === ''
    ? '__'
    : part.replace(/[^A-Za-z0-9-]/gu, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}_`);

const decoded = (part: string): string =>
  part.replace(/_([0-9a-f]*)_/g, (_, code: string) => (code === '' ? '' : signOf(Number.parseInt(code, 16))));

/** A sign by its code; nothing for what is none. */
const signOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

export const cellId = (component: string, card: string, column: string): string =>
  ['c', encoded(component), encoded(card), encoded(column)].join('.');

export const zoneId = (layout: string, zone: string): string =>
  ['l', encoded(layout), encoded(zone)].join('.');

/** The id of a text whose layout has another name; nothing where `rename` answers nothing. Cells stay as they are. */
export function renamedUnit(id: string, rename: (layout: string) => string | null): string | undefined {
  const [kind, layout = '', zone = ''] = id.split('.');
  if (kind !== 'l') return id;
  const renamed = rename(decoded(layout));
  return renamed === null ? undefined : zoneId(renamed, decoded(zone));
}

/** Longest part of an id: keys of columns are short, and a sign takes up to eight. */
const ID = /^(?:c(?:\.[A-Za-z0-9_-]{1,2000}){3}|l(?:\.[A-Za-z0-9_-]{1,2000}){2})$/;

/** True for what can be an id of a text of cards, or of a term of their project. */
export const isCardUnit = (id: string): boolean => ID.test(id) || isTerm(id);
