import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone, type Zone } from '../scene/zones.ts';
import { countCovered, coverable, covered, openColumns } from './covered.ts';

const BOX = { x: 5, y: 6, w: 20, h: 8 };
const COLUMNS = [
  { key: 'name', name: 'Name' },
  { key: 'rule', name: 'Rule' },
  { key: 'cost', name: 'Cost' },
];
const CELLS = { name: 'Fox', rule: 'Quick.', cost: '3' };

function text(id: string, column: string): Zone {
  const zone = newZone('text', id, `Zone ${id}`, BOX);
  zone.bindings = { text: { mode: 'column', column }, x: { mode: 'column', column: 'cost' } };
  return zone;
}

/** A title, a group with a rule and a picture in it, and a zone that is not painted. */
function layout(): Layout {
  const group = newZone('container', 'group', 'Group', BOX);
  group.children = [text('rule', 'rule'), newZone('image', 'art', 'Art', BOX)];
  const unseen = { ...newZone('shape', 'unseen', 'Unseen', BOX), hidden: true };
  return { ...newLayout('Front'), zones: [text('title', 'name'), group, unseen] };
}

const keys = (columns: readonly { readonly key: string }[]) => columns.map(({ key }) => key);

it('offers every zone that is painted, with those inside below', () => {
  expect(coverable(layout().zones).map(({ id, depth }) => [id, depth])).toEqual([
    ['title', 0],
    ['group', 0],
    ['rule', 1],
    ['art', 1],
  ]);
});

it('puts a cover where the zone lies, and leaves all else as it is', () => {
  const before = layout();
  const after = covered(before, new Set(['rule']));
  expect(after.zones[0]).toBe(before.zones[0]);
  const group = after.zones[1];
  if (group?.kind !== 'container') throw new Error('no group');
  expect(group.children[0]).toMatchObject({ ...BOX, id: 'rule', kind: 'shape', opacity: 1 });
  expect(group.children[0]?.bindings).toEqual({ x: { mode: 'column', column: 'cost' } });
  expect(before).toEqual(layout());
});

it('covers each zone once, whichever are chosen, and nothing if none is there', () => {
  const all = ['title', 'group', 'rule', 'art', 'unseen', 'gone'];
  fc.assert(
    fc.property(fc.subarray(all), (chosen) => {
      const ids = new Set(chosen);
      const inGroup = ['rule', 'art'].filter((id) => ids.has(id)).length;
      const count = (ids.has('title') ? 1 : 0) + (ids.has('group') ? 1 : inGroup);
      const before = layout();
      expect(countCovered(before, ids)).toBe(count);
      if (count === 0) expect(covered(before, ids)).toBe(before);
    }),
  );
});

it('names no column that a covered zone reads', () => {
  const row = { cells: CELLS };
  expect(keys(openColumns(layout(), new Set(), row, COLUMNS))).toEqual(['name', 'rule', 'cost']);
  expect(keys(openColumns(layout(), new Set(['title']), row, COLUMNS))).toEqual(['rule']);
  expect(keys(openColumns(layout(), new Set(['group']), row, COLUMNS))).toEqual(['name']);
});
