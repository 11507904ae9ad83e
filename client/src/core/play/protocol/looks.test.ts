import { expect, test } from 'vitest';
import { newLayout } from '../../scene/new-layout.ts';
import { newZone } from '../../scene/zones.ts';
import { readCommon } from './looks.ts';

/** A zone without the properties that were added to its kind later. */
function older(zone: object, ...added: readonly string[]): object {
  return Object.fromEntries(Object.entries(zone).filter(([key]) => !added.includes(key)));
}

test('a table that was opened before spaces had links and maps single cells is read as if they had none', () => {
  const box = { x: 0, y: 0, w: 40, h: 40 };
  const [space, map] = [newZone('space', 's', 'Space', box), newZone('map', 'm', 'Map', box)];
  const layout = newLayout('Board');
  const zones = [
    older(space, 'turning', 'turn', 'accepts', 'holds', 'order', 'links'),
    older(map, 'overrides', 'rims', 'edges'),
  ];
  const { layouts } = readCommon(
    JSON.stringify({ layouts: [{ ...layout, zones }], tables: [], pictures: [] }),
  );
  expect(layouts[0]?.zones).toMatchObject([space, { ...map, overrides: [], edges: '' }]);
});

test('a layout that cannot be read stays as it is, and no text has none', () => {
  expect(readCommon('{"layouts":[{"zones":"?"}]}').layouts).toEqual([{ zones: '?' }]);
  expect(readCommon(undefined).layouts).toEqual([]);
});
