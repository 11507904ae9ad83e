import { expect, it } from 'vitest';
import type { Card, TableColumn, WithId } from '../documents/documents.ts';
import { Formulas } from './formula/formula.ts';
import { PLAIN_VIEW, sumsOf, type TableView, viewRows } from './view.ts';

const columns: TableColumn[] = [
  { key: 'name', name: 'Name', type: 'text' },
  { key: 'cost', name: 'Cost', type: 'number' },
  { key: 'suit', name: 'Suit', type: 'list' },
];
const cards: WithId<Card>[] = [
  ['Fox', '10', 'red'],
  ['owl', '2,5', 'blue'],
  ['Bear', '', 'red'],
  ['Rat', 'x', ''],
].map(([name = '', cost = '', suit = ''], order) => ({
  id: name,
  order,
  copies: 1,
  cells: { name, cost, suit },
}));

function shown(view: Partial<TableView>): string[] {
  const rows = viewRows(
    cards,
    columns,
    { ...PLAIN_VIEW, ...view },
    (card, key) => card.cells[key] ?? '',
    (card, number) => ({ kind: 'card', id: card.id, card, number }),
  );
  return rows.map((row) =>
    row.kind === 'card'
      ? `${row.number} ${row.id}`
      : `${row.kind} ${row.label} ${row.cards} ${row.sums.cost ?? ''}`,
  );
}

it.each<[string, Partial<TableView>, string[]]>([
  ['as it is', {}, ['1 Fox', '2 owl', '3 Bear', '4 Rat', 'totals Total 4 Σ 12.5']],
  [
    'sorted by number, empty last',
    { sort: { key: 'cost', descending: false } },
    ['2 owl', '1 Fox', '4 Rat', '3 Bear', 'totals Total 4 Σ 12.5'],
  ],
  [
    'the other way round, empty still last',
    { sort: { key: 'cost', descending: true } },
    ['4 Rat', '1 Fox', '2 owl', '3 Bear', 'totals Total 4 Σ 12.5'],
  ],
  [
    'sorted by name without regard to case',
    { sort: { key: 'name', descending: false } },
    ['3 Bear', '1 Fox', '2 owl', '4 Rat', 'totals Total 4 Σ 12.5'],
  ],
  ['searched', { search: 'RE' }, ['1 Fox', '3 Bear', 'totals Total 2 Σ 10']],
  [
    'over a number',
    { filters: [{ key: 'cost', operation: 'over', value: '3' }] },
    ['1 Fox', 'totals Total 1 Σ 10'],
  ],
  ['empty', { filters: [{ key: 'cost', operation: 'empty', value: '' }] }, ['3 Bear']],
  [
    'grouped, no group last',
    { groupBy: 'suit' },
    [
      'group blue 1 Σ 2.5',
      '2 owl',
      'group red 2 Σ 10',
      '1 Fox',
      '3 Bear',
      'group  1 ',
      '4 Rat',
      'totals Total 4 Σ 12.5',
    ],
  ],
])('%s', (_, view, rows) => {
  const got = shown(view).filter(
    (row) => rows.some((one) => one.startsWith('totals')) || !row.startsWith('totals'),
  );
  expect(got).toEqual(rows);
});

it('sums stand under numbers and formulas, counts under yes or no, nothing under texts', () => {
  const all: TableColumn[] = [
    ...columns,
    { key: 'double', name: 'Double', type: 'formula', formula: 'Cost * 2' },
    { key: 'rare', name: 'Rare', type: 'bool' },
  ];
  const three = ['10', '0.1', '0.2'].map((cost, order) => ({
    id: `c${order}`,
    order,
    copies: 1,
    cells: { name: String(order), cost, suit: 'red', rare: order === 0 ? 'yes' : 'no' },
  }));
  const formulas = new Formulas({ columns: all });
  expect(sumsOf(three, all, formulas.textOf)).toEqual({ cost: 'Σ 10.3', double: 'Σ 20.6', rare: '1 ✓' });
});
