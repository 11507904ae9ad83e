import { expect, test } from 'vitest';
import { newLayout } from '../scene/new-layout.ts';
import { newZone } from '../scene/zones.ts';
import { columnsOfImages } from './sources.ts';

const BOX = { x: 0, y: 0, w: 10, h: 10 };

test('columns that fill an image of a layout are found at any depth; columns of texts and sizes are not', () => {
  const bound = (kind: 'image' | 'shape' | 'text', id: string, path: string, column: string) => ({
    ...newZone(kind, id, id, BOX),
    bindings: { [path]: { mode: 'column' as const, column } },
  });
  const group = newZone('container', 'g', 'Group', BOX);
  const scene = {
    ...newLayout('Card'),
    zones: [
      bound('image', 'a', 'source', 'Art'),
      bound('text', 'b', 'text', 'Title'),
      bound('shape', 'c', 'box.w', 'Width'),
      {
        ...group,
        children: [bound('shape', 'd', 'fill.source', 'Ground'), bound('image', 'e', 'source', 'Art')],
      },
      {
        ...newZone('image', 'f', 'Formula', BOX),
        bindings: { source: { mode: 'formula' as const, formula: 'Art' } },
      },
    ],
  };
  expect(columnsOfImages(scene)).toEqual(['Art', 'Ground']);
  for (const none of [undefined, null, 'source', [], { bindings: null }, { bindings: { source: null } }])
    expect(columnsOfImages(none)).toEqual([]);
});
