import { expect, test } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { presetSize } from '../../core/scene/sizes.ts';
import {
  type Card,
  componentSchema,
  type LayoutDocument,
  layoutDocumentSchema,
  type WithId,
} from '../documents/documents.ts';
import { projectParts } from './project-parts.ts';

const layout = (id: string, size = 'poker'): WithId<LayoutDocument> => ({
  id,
  ...layoutDocumentSchema.parse({
    name: id.toUpperCase(),
    version: 1,
    updatedAt: 0,
    scene: newLayout(id, presetSize(size)),
  }),
});
const LAYOUTS = ['front', 'other', 'back', 'dragon'].map((id) => layout(id)).concat(layout('large', 'jumbo'));

const component = (sides: object) => ({
  id: 'c',
  ...componentSchema.parse({
    name: 'Assets',
    kind: 'cards',
    layoutId: 'front',
    backLayoutId: 'back',
    columns: [{ key: 'type', name: 'Type', type: 'text' }],
    order: 0,
    ...sides,
  }),
});
const CARDS = ['Fire', 'Water', 'Fire', 'Earth'].map(
  (type, order): WithId<Card> => ({ id: `k${order}`, order, copies: 1, cells: { type } }),
);
const told = (sides: object) =>
  projectParts(component(sides), CARDS, LAYOUTS).map(({ part, cards }) => [
    part.name,
    part.layout.name,
    part.back?.name ?? null,
    cards.map(({ id }) => id).join(' '),
  ]);

test('one back for all', () => {
  expect(told({})).toEqual([['Assets', 'front', 'back', 'k0 k1 k2 k3']]);
  expect(told({ backLayoutId: null })).toEqual([['Assets', 'front', null, 'k0 k1 k2 k3']]);
});

test('a back of another size is none', () => {
  expect(told({ backLayoutId: 'large' })).toEqual([['Assets', 'front', null, 'k0 k1 k2 k3']]);
});

test('cards have their own backs by a column, and parts are told apart by them', () => {
  expect(told({ backBy: { column: 'type', layouts: { Fire: 'dragon' } } })).toEqual([
    ['Assets, FRONT, DRAGON', 'front', 'dragon', 'k0 k2'],
    ['Assets, FRONT, BACK', 'front', 'back', 'k1 k3'],
  ]);
  expect(told({ backLayoutId: null, backBy: { column: 'type', layouts: { Fire: 'dragon' } } })).toEqual([
    ['Assets, FRONT, DRAGON', 'front', 'dragon', 'k0 k2'],
    ['Assets, FRONT, no back', 'front', null, 'k1 k3'],
  ]);
});

test('fronts and backs by columns, each for itself', () => {
  expect(
    told({
      frontBy: { column: 'type', layouts: { Water: 'other' } },
      backBy: { column: 'type', layouts: { Fire: 'dragon' } },
    }),
  ).toEqual([
    ['Assets, FRONT, DRAGON', 'front', 'dragon', 'k0 k2'],
    ['Assets, OTHER', 'other', 'back', 'k1'],
    ['Assets, FRONT, BACK', 'front', 'back', 'k3'],
  ]);
});
