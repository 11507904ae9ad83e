import { expect, test } from 'vitest';
import { arranged } from '../view/arrange.ts';
import { previewOf } from './preview.ts';

const BOX = {
  common: JSON.stringify({ layouts: [], tables: [], pictures: [] }),
  backs: [
    {
      look: JSON.stringify({ name: 'Finds', size: { w: 63.5, h: 88.9 } }),
      kind: 'card' as const,
      size: [635, 889] as const,
      sides: 0,
    },
  ],
  definitions: ['Cockle', 'Whelk', 'Cork', 'Peg'].map((name) => ({
    face: JSON.stringify({ name, sides: [] }),
    back: 0,
    copies: 2,
  })),
};

test('what lies open is not in the deck, nothing covers anything, and no other face is told', () => {
  const view = previewOf(BOX, 'Finds', [2, 0, 3], 2);
  const placed = arranged(view);
  expect(view.pieces.get('deck')?.container?.count).toBe(5);
  expect([...view.faces.values()].map(({ name }) => name)).toEqual(['Cork', 'Cockle', 'Peg']);
  expect(placed.find(({ handle }) => handle === 'deck')?.top?.facing).toBe('down');
  expect(placed).toHaveLength(4);
  for (const one of placed) {
    for (const other of placed) {
      if (one === other) continue;
      const apart = Math.abs(one.x - other.x) >= one.w || Math.abs(one.y - other.y) >= one.h;
      expect(apart, `${one.handle} and ${other.handle}`).toBe(true);
    }
  }
});

test('a card that the box does not have is left out', () => {
  expect(previewOf(BOX, 'Finds', [9], 2).faces.size).toBe(0);
});
