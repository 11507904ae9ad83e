import { expect, test } from 'vitest';
import { newLayout } from '../../core/scene/new-layout.ts';
import { bySides, looksOf, sidesOf } from './card-layout.ts';

const component = {
  layoutId: 'front',
  backLayoutId: 'back',
  frontBy: { column: 'type', layouts: { Spell: 'spell', constructor: 'odd' } },
  backBy: { column: 'type', layouts: { Spell: 'spell back' } },
};
const card = (type: string) => ({ cells: { type } });

test('a card has the layouts its cell asks for, else those of the component', () => {
  expect(sidesOf(component, card(' Spell '))).toEqual({ front: 'spell', back: 'spell back' });
  expect(sidesOf(component, card('Beast'))).toEqual({ front: 'front', back: 'back' });
  expect(sidesOf(component, card('toString'))).toEqual({ front: 'front', back: 'back' });
  expect(sidesOf(component, { cells: {} })).toEqual({ front: 'front', back: 'back' });
  expect(
    sidesOf({ layoutId: null, backLayoutId: null, frontBy: null, backBy: undefined }, card('Spell')),
  ).toEqual({
    front: null,
    back: null,
  });
});

test('cards go to print in groups of one look, none twice and none left out', () => {
  const groups = bySides(component, ['Beast', 'Spell', 'Beast', 'constructor'].map(card));
  expect(groups.map(({ front, cards }) => [front, cards.length])).toEqual([
    ['front', 2],
    ['spell', 1],
    ['odd', 1],
  ]);
});

test('every look with its cards: what is not there falls back, and a back of another size is none', () => {
  const layouts = new Map(
    ['front', 'back', 'spell', 'spell back'].map((name) => [name, newLayout(name)] as const),
  );
  layouts.set('spell back', newLayout('spell back', { w: 20, h: 20 } as never));
  const looks = looksOf(component, ['Beast', 'Spell', 'constructor', 'Spell'].map(card), layouts);
  expect(looks.map(({ layout, side, cards }) => [layout.name, side, cards])).toEqual([
    ['front', 'front', [0, 2]],
    ['back', 'back', [0, 2]],
    ['spell', 'front', [1, 3]],
  ]);
  expect(looksOf(component, [card('Spell')], new Map())).toEqual([]);
});
