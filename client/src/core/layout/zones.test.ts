import { expect, test } from 'vitest';
import { newLayout } from '../scene/new-layout.ts';
import { newZone, type Zone, type ZoneKind } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { layout } from './card.ts';

const BOX = { x: 2, y: 2, w: 40, h: 20 };
const inside = (): Zone => newZone('shape', 'inside', 'Inside', { x: 0, y: 0, w: 5, h: 5 });

/** A zone of each kind with something to show. */
const FILLED: Readonly<Record<ZoneKind, Zone>> = {
  text: { ...newZone('text', 'z', 'Text', BOX), text: 'Fox' },
  image: { ...newZone('image', 'z', 'Image', BOX), source: 'not in the library' },
  shape: newZone('shape', 'z', 'Shape', BOX),
  code: { ...newZone('code', 'z', 'Code', BOX), text: '12345', fill: { kind: 'none' } },
  container: { ...newZone('container', 'z', 'Container', BOX), children: [inside()] },
  grid: { ...newZone('grid', 'z', 'Grid', BOX), children: [inside()] },
  path: newZone('path', 'z', 'Path', BOX),
  map: newZone('map', 'z', 'Map', BOX),
  space: { ...newZone('space', 'z', 'Space', BOX), fill: { kind: 'solid', color: '#c00' } },
  iterator: { ...newZone('iterator', 'z', 'Iterator', BOX), children: [inside()] },
};

test.each(Object.entries(FILLED))('a %s is drawn and has a frame', async (kind, zone) => {
  const empty = { ...newLayout('Empty'), zones: [] };
  const document = { ...empty, zones: [zone] };
  const assets = await assetsFor(document, [{ cells: {} }]);
  const bare = layout(empty, { cells: {} }, assets);
  const list = layout(document, { cells: {} }, assets);
  expect(list.ops.length).toBeGreaterThan(bare.ops.length);
  expect(list.zones.find(({ id }) => id === 'z')).toMatchObject({ kind, zone: 'z', parent: 'base' });
});
