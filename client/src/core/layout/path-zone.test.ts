import { expect, test } from 'vitest';
import type { Op } from '../scene/display/display-list.ts';
import { boundsOf } from '../scene/display/outline.ts';
import { newLayout } from '../scene/new-layout.ts';
import type { PathZone } from '../scene/zones/path.ts';
import { newZone } from '../scene/zones.ts';
import { assetsFor } from '../testing/fonts.ts';
import { layout } from './card.ts';

async function pathsOf(change: Partial<PathZone>): Promise<Extract<Op, { op: 'path' }>[]> {
  const zone = { ...newZone('path', 'p', 'Path', { x: 10, y: 20, w: 40, h: 30 }), ...change };
  const document = { ...newLayout('Path'), zones: [zone] };
  document.base.fill = { kind: 'none' };
  const list = layout(document, { cells: {} }, await assetsFor(document, [{ cells: {} }]));
  return list.ops.filter((op) => op.op === 'path');
}

test('points are shares of the zone', async () => {
  const points = [
    { x: 0, y: 0 },
    { x: 0.5, y: 1 },
    { x: 1, y: 0 },
  ];
  const [line, ...rest] = await pathsOf({ points, smooth: false });
  expect(rest).toEqual([]);
  expect(line?.outline).toMatchObject({
    commands: [
      ['M', 10, 20],
      ['L', 30, 50],
      ['L', 50, 20],
    ],
  });
});

test('arrows point out of the ends, and a closed path has none', async () => {
  const points = [
    { x: 0, y: 0.5 },
    { x: 1, y: 0.5 },
  ];
  const [, end, begin] = await pathsOf({ points, arrow: 'both', width: 1 });
  if (!end || !begin) throw new Error('two heads');
  const [right, left] = [boundsOf(end.outline), boundsOf(begin.outline)];
  expect(right.x + right.w).toBeCloseTo(51, 6);
  expect(left.x).toBeCloseTo(9, 6);
  expect(await pathsOf({ points, arrow: 'both', closed: true })).toHaveLength(1);
});

test('without two points, a width or a colour nothing is painted', async () => {
  expect(await pathsOf({ points: [{ x: 0, y: 0 }] })).toEqual([]);
  expect(await pathsOf({ width: 0 as PathZone['width'] })).toEqual([]);
  expect(await pathsOf({ color: 'transparent' })).toEqual([]);
});
