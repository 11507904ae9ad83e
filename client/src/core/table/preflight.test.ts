import { describe, expect, test } from 'vitest';
import { newLayout, newZone } from '../scene/defaults.ts';
import type { Layout } from '../scene/zone.ts';
import { checkTable, type Look } from './preflight.ts';

const COLUMNS = [
  { key: 'name', name: 'Name' },
  { key: 'rules', name: 'Rules' },
  { key: 'lore', name: 'Lore' },
];

/** A layout with a text for each of these columns, and a variable. */
function showing(columns: readonly string[], variable?: string): Layout {
  const layout = newLayout('Shows');
  for (const [i, column] of columns.entries()) {
    const zone = newZone('text', `zone${i}`, column, { x: 5, y: 5, w: 40, h: 10 } as never);
    zone.bindings = { text: { mode: 'column', column } };
    layout.zones.push(zone);
  }
  if (variable) layout.variables.push({ name: variable, value: 'x' } as Layout['variables'][number]);
  return layout;
}
const look = (layout: Layout, cards: readonly number[], side: Look['side'] = 'front'): Look => ({
  layout,
  side,
  cards,
});
const rows = (...texts: string[]) => texts.map((rules) => ({ cells: { name: 'A', rules, lore: '' } }));
const check = (looks: readonly Look[], ...texts: string[]) =>
  checkTable(looks, rows(...texts), COLUMNS, undefined, new Set());

describe('cards of several layouts', () => {
  test('a column that any of them shows, front or back, is used', () => {
    const spell = look(showing(['Name', 'Rules']), [0]);
    expect(check([spell], 'a').map(({ column }) => column)).toEqual(['lore']);
    expect(check([spell, look(showing(['Lore']), [1])], 'a', 'b')).toEqual([]);
    expect(check([spell, look(showing(['lore']), [0], 'back')], 'a')).toEqual([]);
  });

  test('a word in braces is unknown to the layout of its own card, not to another’s', () => {
    const all = ['Name', 'Rules', 'Lore'];
    const looks = [look(showing(all, 'mana'), [0, 2]), look(showing(all), [1])];
    const found = check(looks, '{mana}', '{mana}', 'plain');
    expect(found.map(({ kind, card }) => [kind, card])).toEqual([['unknown-token', 1]]);
  });

  test('without a layout only the table itself is checked', () => {
    expect(check([], '{mana}')).toEqual([]);
    expect(checkTable([], rows('a', 'b'), COLUMNS, 'name', new Set()).map(({ kind }) => kind)).toEqual([
      'duplicate-id',
    ]);
  });
});
