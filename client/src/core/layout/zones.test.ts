import { expect, test } from 'vitest';
import type { Op } from '../scene/display/display-list.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone, type Zone, type ZoneKind, type ZoneOf } from '../scene/zones.ts';
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

test('single cells of a map have a colour over their terrain and a name, printed where no other is', async () => {
  const map: ZoneOf<'map'> = {
    ...newZone('map', 'z', 'Map', BOX),
    cells: 'square',
    cols: 4,
    rows: 2,
    data: '8A',
  };
  const drawn = async (change: Partial<ZoneOf<'map'>>) => {
    const document = { ...newLayout('Board'), zones: [{ ...map, ...change }] };
    return layout(document, { cells: {} }, await assetsFor(document, [{ cells: {} }])).ops;
  };
  const fills = (ops: readonly Op[]) =>
    ops.flatMap((op) =>
      op.op === 'path' && op.fill?.kind === 'solid' ? [op.fill.color.slice(0, 3).join()] : [],
    );
  const letters = (ops: readonly Op[]) => ops.filter(({ op }) => op === 'text').length;
  const plain = await drawn({});
  const own = await drawn({ overrides: [{ at: 'B1', name: 'Kel', color: '#ff0000' }] });
  expect(fills(plain)).not.toContain('255,0,0');
  expect(fills(own)).toContain('255,0,0');
  expect([letters(plain), letters(own) > 0]).toEqual([0, true]);
  const beyond = await drawn({ overrides: [{ at: 'Z9', name: 'Far', color: '#ff0000' }] });
  expect(fills(beyond)).toEqual(fills(plain));
  const named = await drawn({ labels: 'A1', overrides: [{ at: 'B1', name: 'New York', color: '' }] });
  const words = named.flatMap((op) =>
    op.op === 'text' ? op.runs.flatMap((run) => run.words.map(({ text }) => text)) : [],
  );
  expect(words.join(' ')).toContain('New York');
  expect(words).not.toContain('B1');
});
