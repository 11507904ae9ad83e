import { cellAt, own } from '../../records.ts';
import type { Column, Row } from './row.ts';

/**
 * Look of one zone on one card only. A column named after the zone, `Title style`, holds `{color:#a00; size:9}`:
 * properties of the zone with the values that replace its own. Names are the zone's property paths, or the aliases
 * below.
 */

/** Most properties one cell may set. */
const MAX_PROPERTIES = 40;

/** Aliases of property paths; the first path that the zone has is used. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  color: ['style.color'],
  colour: ['style.color'],
  size: ['style.size'],
  fontsize: ['style.size'],
  font: ['style.family'],
  fontfamily: ['style.family'],
  weight: ['style.weight'],
  fontweight: ['style.weight'],
  italic: ['style.italic'],
  lineheight: ['style.lineHeight'],
  letterspacing: ['style.letterSpacing'],
  align: ['style.align'],
  textalign: ['style.align'],
  valign: ['style.vAlign'],
  background: ['fill'],
  bgcolor: ['fill'],
  left: ['x'],
  top: ['y'],
  width: ['w'],
  height: ['h'],
  rotate: ['rotation'],
};

const plain = (name: string) => name.toLowerCase().replace(/[\s-]/g, '');

/** A cell's properties with their values, in the order written. */
export function parseStyle(cell: string): [name: string, value: string][] {
  const inner = cell.trim().replace(/^\{/, '').replace(/\}$/, '');
  return inner
    .split(';')
    .slice(0, MAX_PROPERTIES)
    .flatMap((part): [string, string][] => {
      const colon = part.indexOf(':');
      const name = part.slice(0, Math.max(0, colon)).trim();
      return name === '' ? [] : [[name, part.slice(colon + 1).trim()]];
    });
}

/** The text of a cell for these properties; empty for none. */
export function formatStyle(properties: readonly (readonly [name: string, value: string])[]): string {
  const set = properties.filter(([, value]) => value.trim() !== '');
  return set.length === 0 ? '' : `{${set.map(([name, value]) => `${name}:${value}`).join('; ')}}`;
}

/** The path of a property by the name somebody gave it. */
export function stylePath(name: string): string {
  return own(ALIASES, plain(name))?.[0] ?? name.trim();
}

/** Overrides in a card's table row for one zone: paths and values, in order. */
export function styleOverrides(
  zoneName: string,
  row: Row,
  columns: readonly Column[],
): [path: string, value: string][] {
  const wanted = `${zoneName.trim().toLowerCase()} style`;
  const column = columns.find(({ name }) => name.trim().toLowerCase() === wanted);
  const cell = column && cellAt(row.cells, column.key);
  if (!cell || cell.trim() === '') return [];
  return parseStyle(cell).map(([name, value]) => [stylePath(name), value]);
}
