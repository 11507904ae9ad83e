import { expect, test } from 'vitest';
import { layoutsOf } from '../../../../core/archive/bundle.ts';
import { layoutSchema } from '../../../../core/scene/layout.ts';
import { cardSchema, componentSchema } from '../../../../data/documents/documents.ts';
import { driftglass } from './driftglass.ts';

test('the sample game is whole: every document is one, and every layout it names is there', () => {
  const { components, layouts, notes } = driftglass();
  const keys = new Set(layouts.map(({ key }) => key));
  for (const { scene } of layouts) layoutSchema.parse(scene);
  for (const [order, { fields, cards }] of components.entries()) {
    componentSchema.parse({ ...fields, order });
    for (const key of layoutsOf(fields)) expect(keys).toContain(key);
    expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
    expect(cards.length).toBeGreaterThan(20);
    for (const { id: _, ...card } of cards) cardSchema.parse({ ...card, order: 0 });
  }
  const copies = components.flatMap(({ cards }) => cards).reduce((sum, card) => sum + card.copies, 0);
  expect(notes).toContain(`all ${copies} cards`);
});
