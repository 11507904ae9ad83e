import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { layoutSchema } from '../../core/scene/layout.ts';
import { suggestLayout } from './suggest-layout.ts';

const ids = () => {
  let next = 0;
  return () => `z${next++}`;
};
const column = (name: string, type: 'text' | 'number' | 'image' = 'text') => ({
  key: name.toLowerCase(),
  name,
  type,
});

it('binds the columns that look right', () => {
  const columns = [
    column('ID'),
    column('Name'),
    column('Category'),
    column('Color'),
    column('Rules'),
    column('Copies', 'number'),
  ];
  const cards = [
    {
      cells: {
        id: 'a1',
        name: 'Fox',
        category: 'Path',
        color: '#3d8b8a',
        rules: 'When you '.repeat(20),
        copies: '1',
      },
    },
  ];
  const layout = suggestLayout('Cards', columns, cards, 'copies', ids());
  expect(
    layout.zones.flatMap((zone) =>
      Object.entries(zone.bindings).map(([path, one]) => [path, 'column' in one && one.column]),
    ),
  ).toEqual([
    ['fill', 'Color'],
    ['text', 'Name'],
    ['text', 'Category'],
    ['text', 'Rules'],
  ]);
});

it.each(['No.', 'Nr', '#', 'Number', 'Card no.', 'Card number', 'Index', 'N°'])(
  'takes a column that numbers the cards, such as %s, for no value of the game',
  (name) => {
    const columns = [column('Name'), column(name, 'number'), column('Cost', 'number')];
    const cards = [{ cells: { name: 'Fox', [name.toLowerCase()]: '1', cost: '3' } }];
    const layout = suggestLayout('Cards', columns, cards, undefined, ids());
    const bound = layout.zones.flatMap((zone) => Object.values(zone.bindings));
    expect(bound.map((one) => 'column' in one && one.column)).toContain('Cost');
    expect(bound.map((one) => 'column' in one && one.column)).not.toContain(name);
  },
);

it('makes a valid layout of any table', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('#fff', 'art.png', '7', ''));
  const table = fc.record({
    columns: fc.uniqueArray(
      fc.record({
        name: fc.string({ minLength: 1 }),
        type: fc.constantFrom('text' as const, 'number' as const, 'image' as const),
      }),
      { selector: (one) => one.name, maxLength: 12 },
    ),
    cards: fc.array(fc.array(cell, { maxLength: 12 }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(table, ({ columns, cards }) => {
      const keyed = columns.map((one, i) => ({ ...one, key: `c${i}` }));
      const rows = cards.map((cells) => ({
        cells: Object.fromEntries(cells.map((text, i) => [`c${i}`, text])),
      }));
      const layout = suggestLayout('x', keyed, rows, undefined, ids());
      expect(layoutSchema.safeParse(layout).success).toBe(true);
      expect(new Set(layout.zones.map((zone) => zone.id)).size).toBe(layout.zones.length);
    }),
  );
});
