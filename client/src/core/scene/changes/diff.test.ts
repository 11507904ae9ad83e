import { expect, test } from 'vitest';
import type { Layout } from '../layout.ts';
import { newLayout } from '../new-layout.ts';
import { newZone } from '../zones.ts';
import { layoutDifferences } from './diff.ts';

const BOX = { x: 0, y: 0, w: 10, h: 10 };

function start(): Layout {
  const layout = newLayout('Start');
  const group = newZone('container', 'g', 'Group', BOX);
  group.children = [newZone('shape', 'in', 'Inner', BOX)];
  layout.zones = [newZone('text', 'a', 'Title', BOX), newZone('shape', 'b', 'Band', BOX), group];
  return layout;
}

const after = (recipe: (layout: Layout) => void): Layout => {
  const layout = structuredClone(start());
  recipe(layout);
  return layout;
};
const say = (layout: Layout): string[] =>
  layoutDifferences(start(), layout).map(
    ({ what, name, properties }) =>
      `${what} ${name}${properties.length > 0 ? `: ${properties.join(', ')}` : ''}`,
  );

test('nothing differs from itself, nor by what is not seen', () => {
  expect(say(start())).toEqual([]);
  expect(
    say(
      after((layout) => {
        layout.guides.x.push(5);
        Object.assign(layout.zones[0] ?? {}, { locked: true });
      }),
    ),
  ).toEqual([]);
});

test('says what was added, removed and changed, the card and what groups hold too', () => {
  const changed = after((layout) => {
    layout.zones.splice(1, 1);
    layout.zones.push(newZone('shape', 'c', 'New', BOX));
    Object.assign(layout.zones[0] ?? {}, { x: 3, text: 'x' });
    layout.bleed = 5;
    layout.base.fill = { kind: 'none' };
    layout.variables.push({ kind: 'text', name: 'w', value: '' });
    const [, group] = layout.zones;
    if (group && 'children' in group) Object.assign(group.children[0] ?? {}, { opacity: 0.5 });
  });
  expect(say(changed)).toEqual([
    'changed Card: bleed, fill',
    'changed Words, icons and styles',
    'changed Title: x, text',
    'changed Group: place among the layers',
    'changed Inner: opacity',
    'added New',
    'removed Band',
  ]);
});
