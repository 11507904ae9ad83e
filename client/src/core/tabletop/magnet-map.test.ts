import { beforeAll, expect, test } from 'vitest';
import { installCanvas } from '../../headless/canvas.ts';
import { plainTraits } from '../board/space.ts';
import { cardPainting } from '../imposition/images/image-files.ts';
import type { PrintPart } from '../imposition/job/print-job.ts';
import { spacesOf } from '../layout/laid-spaces.ts';
import { EMPTY_ROW } from '../scene/card/row.ts';
import { newLayout } from '../scene/new-layout.ts';
import { newZone } from '../scene/zones.ts';
import { magnetMap } from './magnet-map.ts';
import { screentopEntries, tabletopiaEntries } from './sets.ts';

const DPI = 100;

function board(): PrintPart {
  const map = newZone('map', 'm', 'Map', { x: 10, y: 10, w: 100, h: 80 });
  map.spaces = [{ id: 's', of: 'all', terrain: '', range: '', ...plainTraits('spot') }];
  const under = { ...newZone('space', 'a', 'Region', { x: 0, y: 0, w: 120, h: 100 }), role: 'area' as const };
  const slot = { ...newZone('space', 'd', 'Pile', { x: 112, y: 40, w: 30, h: 40 }), rotation: 30 };
  const layout = {
    ...newLayout('Board', { preset: 'custom', w: 150, h: 100, shape: 'rect' as const, radius: 0 }),
    zones: [under, map, slot],
  };
  const cards = [{ row: { cells: { n: 'Isle' } }, copies: 1 }];
  return { name: 'Boards', layout, back: null, columns: [{ key: 'n', name: 'Name' }], cards };
}

const paintingOf = (part: PrintPart) =>
  cardPainting(part, EMPTY_ROW, { dpi: DPI, bleed: 0, clipToTrim: false, opaque: true });

beforeAll(async () => expect(await installCanvas('none')).toBeUndefined());

test('every space has a cell about its middle to a pixel, none touches another, and colours are pure', () => {
  const part = board();
  const picture = paintingOf(part);
  const map = magnetMap(part, EMPTY_ROW, picture);
  if (!map) throw new Error('no map');
  expect([map.width, map.height]).toEqual([picture.width, picture.height]);
  const spaces = spacesOf(part.layout, EMPTY_ROW, part.columns).filter(({ role }) => role !== 'area');
  expect(map.lines).toHaveLength(spaces.length);
  const ctx = new OffscreenCanvas(map.width, map.height).getContext('2d');
  if (!ctx) throw new Error('no canvas');
  ctx.fillStyle = map.background ?? '';
  ctx.fillRect(0, 0, map.width, map.height);
  for (const { x1, y1, x2, y2, color, width } of map.lines) {
    ctx.strokeStyle = color;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  }
  const { data } = ctx.getImageData(0, 0, map.width, map.height);
  const colours = new Set<number>();
  const green = (x: number, y: number): boolean => data[4 * (y * map.width + x) + 1] === 255;
  for (let at = 0; at < data.length; at += 4)
    colours.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
  expect([...colours].sort()).toEqual([0, 0x00ff00]);
  // Areas of green that hang together: as many as there are spaces.
  const seen = new Uint8Array(map.width * map.height);
  let areas = 0;
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || !green(start % map.width, Math.floor(start / map.width))) continue;
    areas++;
    const stack = [start];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % map.width, Math.floor(at / map.width)];
      if (seen[at] || !green(x, y)) continue;
      seen[at] = 1;
      stack.push(at - 1, at + 1, at - map.width, at + map.width);
    }
  }
  expect(areas).toBe(spaces.length);
  const scale = DPI / 25.4;
  for (const [at, { x, y }] of spaces.entries()) {
    const line = map.lines[at];
    if (!line) throw new Error('no cell');
    expect(Math.abs((line.x1 + line.x2) / 2 - x * scale)).toBeLessThanOrEqual(1);
    expect(Math.abs(line.y1 - y * scale)).toBeLessThanOrEqual(1);
  }
});

test('the sets of both tables know the spaces: a magnetic map of the same size, and a list', () => {
  const entries = tabletopiaEntries([board()], DPI);
  expect(entries.map(({ name }) => name)).toEqual(['Boards/1 Isle.png', 'Boards/1 Isle magnetic map.png']);
  const sizes = entries.map((entry) =>
    entry.kind === 'painting' ? [entry.painting.width, entry.painting.height] : [],
  );
  expect(sizes[0]).toEqual(sizes[1]);
  const list = screentopEntries([board()], DPI).find(({ name }) => name === 'Boards/spaces.csv');
  if (list?.kind !== 'text') throw new Error('no list');
  expect(list.text.split('\r\n')[0]).toBe(
    'board,space,kind,x mm,y mm,width mm,height mm,turn,order,turn of pieces,accepts,holds,leads to',
  );
  expect(list.text).toContain('Isle,Pile,slot,112,40,30,40,30,,30,,,');
});

test('of spaces that lie on one another the first counts, and a board without spaces has no map', () => {
  const part = board();
  const double = { ...part, layout: { ...part.layout, zones: [...part.layout.zones, ...part.layout.zones] } };
  const once = magnetMap(part, EMPTY_ROW, paintingOf(part));
  expect(magnetMap(double, EMPTY_ROW, paintingOf(part))).toEqual(once);
  const bare = { ...part, layout: { ...part.layout, zones: [] } };
  expect(magnetMap(bare, EMPTY_ROW, paintingOf(part))).toBeUndefined();
  expect(tabletopiaEntries([bare], DPI)).toHaveLength(1);
});
