import { expect, test } from 'vitest';
import type { PackPart } from '../play/box/pack.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone } from '../scene/zones.ts';
import { parseSharedVersion, SHARED_VERSION, sharedParts } from './shared-version.ts';

const layout = (name: string, column: string) => {
  const made = newLayout(name);
  const zone = newZone('text', 'title', 'Title', { x: 5, y: 5, w: 50, h: 20 });
  zone.bindings = { text: { mode: 'column', column } };
  made.zones = [zone];
  return made;
};
const columns = ['name', 'motto', 'secret'].map((key) => ({ key, name: key, type: 'text' }));
const front = layout('Front', 'name');
const part = (back: ReturnType<typeof layout> | null, component = 'c', cut = false): PackPart => ({
  ...{ component, name: 'Events', kind: 'cards', ids: ['a', 'b'] },
  part: {
    ...{ layout: front, back, columns },
    cards: ['Ash', 'Oak'].map((name, at) => ({
      row: { cells: { name, motto: `motto of ${name}`, secret: `secret of ${name}` } },
      copies: cut ? at : at + 1,
    })),
  } as unknown as PackPart['part'],
});
const whole = (parts: readonly PackPart[]) => ({
  ...{ version: SHARED_VERSION, game: 'Tides', name: 'v1', number: 1, at: 5, images: [], rulebooks: [] },
  ...sharedParts(parts),
});

test('cards have the cells that their faces and backs read, and no others', () => {
  expect(sharedParts([part(null)]).parts[0]?.cards).toEqual([
    { name: 'Ash', copies: 1, cells: { name: 'Ash' } },
    { name: 'Oak', copies: 2, cells: { name: 'Oak' } },
  ]);
  const { parts } = sharedParts([part(layout('Back', 'motto'))]);
  expect(parts[0]?.cards[0]?.cells).toEqual({ name: 'Ash', motto: 'motto of Ash' });
});

test('a card without copies is not shown', () => {
  expect(sharedParts([part(null, 'c', true)]).parts[0]?.cards.map(({ name }) => name)).toEqual(['Oak']);
});

test('layouts and columns are there once, without what only an editor needs', () => {
  const made = sharedParts([part(null), part(front, 'd')]);
  expect(made.layouts).toHaveLength(1);
  expect(made.layouts[0]).not.toHaveProperty('sample');
  expect(made.tables).toEqual([columns.map(({ key, name }) => ({ key, name }))]);
  expect(made.parts.map(({ back }) => back)).toEqual([null, 0]);
});

test('a version comes back as it was stored, and one that names what it does not have is refused', () => {
  const stored = JSON.parse(JSON.stringify(whole([part(null)])));
  const read = parseSharedVersion(stored);
  expect(JSON.parse(JSON.stringify(read.parts))).toEqual(stored.parts);
  for (const broken of [
    { ...stored, version: 2 },
    { ...stored, layouts: [] },
    { ...stored, parts: [{ ...stored.parts[0], back: 7 }] },
    { ...stored, rulebooks: [{ title: 'Rules' }] },
    null,
  ])
    expect(() => parseSharedVersion(broken)).toThrow('another program');
});
