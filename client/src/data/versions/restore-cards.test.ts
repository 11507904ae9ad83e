import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/archive/bundle.ts';
import { cardDifference } from '../../core/versions/cards.ts';
import { type Card, type Component, cardSchema, type WithId } from '../documents/documents.ts';
import { changeOf } from '../table/changes/change.ts';
import { applyOverlay, noOverlays, stack } from '../table/changes/overlay.ts';
import { restoreCard, restoreCell } from './restore-cards.ts';

const COLUMNS = ['name', 'cost', 'constructor'].map((key) => ({ key, name: key, type: 'text' as const }));
const component = {
  id: 'c',
  name: 'Events',
  kind: 'cards',
  columns: COLUMNS,
} as unknown as WithId<Component>;

const card = fc.option(
  fc.record(
    {
      order: fc.integer({ min: 0, max: 3 }),
      copies: fc.integer({ min: 0, max: 3 }),
      status: fc.constantFrom('idea', 'final'),
      cells: fc.dictionary(fc.constantFrom('name', 'cost', 'constructor'), fc.string({ maxLength: 6 })),
    },
    { requiredKeys: ['order', 'copies', 'cells'] },
  ),
);

const read = (fields: object | null): WithId<Card> | undefined =>
  fields ? { ...cardSchema.parse(fields), id: 'k' } : undefined;

/** Cells without empty ones, which a missing cell is the same as. */
const plain = (one: WithId<Card> | undefined) =>
  one && {
    ...one,
    cells: Object.entries(one.cells)
      .filter(([, text]) => text !== '')
      .sort(),
  };

const differenceOf = (before: object | null, after: object | null) =>
  cardDifference(
    { path: 'components/c/cards/k', before: before as JsonObject | null, after: after as JsonObject | null },
    { component: 'c', id: 'k' },
    COLUMNS,
  );

test('a restored card is what it was, whatever became of it', () => {
  fc.assert(
    fc.property(card, card, (before, after) => {
      fc.pre(before !== null || after !== null);
      let now = read(after);
      for (const intent of restoreCard(differenceOf(before, after)) ?? []) {
        const change = changeOf(intent, now, component);
        if (!change || change.kind === 'component') continue;
        const overlays = noOverlays();
        stack(overlays, change);
        now = applyOverlay('k', now, overlays.cards.get('k'));
      }
      expect(plain(now)).toEqual(plain(read(before)));
    }),
  );
});

test('a card with fields that no table writes is left to the server', () => {
  const stored = { order: 1, copies: 1, cells: { name: 'Ash' } };
  expect(restoreCard(differenceOf({ ...stored, later: 1 }, { ...stored, later: 2 }))).toBeUndefined();
});

test('a cell that says how many copies there are restores them too', () => {
  const [before, after] = ['2', '5'].map((cost) => ({ order: 1, copies: Number(cost), cells: { cost } }));
  const difference = differenceOf(before ?? null, after ?? null);
  const cell = difference.cells.find(({ key }) => key === 'cost');
  expect(cell && restoreCell(difference, cell, { ...component, copiesColumn: 'cost' })).toEqual([
    { kind: 'field', card: 'k', field: 'copies', value: 2 },
    { kind: 'cell', card: 'k', key: 'cost', text: '2' },
  ]);
});
