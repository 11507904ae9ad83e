// @vitest-environment happy-dom

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { colOf, countOf, rowOf } from '../../core/board/grid.ts';
import { decodeTerrain, terrainNumber } from '../../core/board/terrain-data.ts';
import { layoutSchema } from '../../core/scene/layout.ts';
import { gridOf, type MapZone } from '../../core/scene/zones/map.ts';
import type { ZoneOf } from '../../core/scene/zones.ts';
import { openTiled } from './open-tiled.ts';

const open = (name: string, text = readFileSync(join(import.meta.dirname, 'testing', name), 'utf8')) =>
  openTiled([new File([text], name)]);

/** Names of the terrains, row by row; dots for empty cells. */
function picture(map: MapZone): string[][] {
  const grid = gridOf(map);
  const cells = decodeTerrain(grid, map.data);
  const rows = Array.from({ length: grid.rows }, () => Array.from({ length: grid.cols }, () => '·'));
  for (let cell = 0; cell < countOf(grid); cell++) {
    const found = map.terrains.find(({ symbol }) => terrainNumber(symbol) === cells[cell]);
    const row = rows[rowOf(grid, cell)];
    if (row && found) row[colOf(grid, cell)] = found.name;
  }
  return rows;
}

test('a map with shifted columns, packed layers in groups and a set in a file of its own becomes a board', async () => {
  const { board, remarks } = await open('archipelago.tmx');
  expect(layoutSchema.safeParse(board).success).toBe(true);
  const [map, ...spaces] = board.zones as [MapZone, ...ZoneOf<'space'>[]];
  // Even columns are shifted in the file, odd ones here: an empty column comes before.
  expect([map.cells, map.cols, map.rows]).toEqual(['hex-flat', 7, 5]);
  const rows = picture(map);
  expect(rows.map(([first]) => first)).toEqual(['·', '·', '·', '·', '·']);
  expect(rows[0]?.slice(1)).toEqual(Array.from({ length: 6 }, () => 'Sea'));
  // Turned and mirrored tiles are the same terrains; the town lies above the ground.
  expect(rows[1]?.slice(1)).toEqual(['Sea', 'Wald', 'Grün ⛰', 'Grün ⛰', 'Grün ⛰', 'Wald']);
  expect(rows[2]?.[3]).toBe('towns 1');
  expect(spaces.map(({ name, role, order, rotation }) => [name, role, order, rotation])).toEqual([
    ['Kél', 'spot', 1, 0],
    ['北港', 'slot', 0, 30],
    ['Bay', 'area', 0, 0],
  ]);
  expect(spaces[0]?.links).toEqual([spaces[1]?.id]);
  expect(remarks.map((remark) => remark.split(' ').slice(0, 4).join(' '))).toEqual([
    'Tiles that are turned',
    'Some tile sets lie',
    '1 of its objects',
  ]);
});

test('a place lies on the same cell as in Tiled, also where a column comes before', async () => {
  const { board } = await open('archipelago.tmx');
  const [map, kel] = board.zones as [MapZone, ZoneOf<'space'>];
  // Kél lies 154 pixels from the left: the middle of the fourth column, which is the fifth here.
  const width = map.w / (1 + (map.cols - 1) * 0.75);
  const middle = (kel.x + kel.w / 2 - map.x) / width;
  expect(middle).toBeCloseTo(0.5 + 0.75 * 4, 1);
});

test('a map as JSON whose tiles are pictures is named by them', async () => {
  const { board, remarks } = await open('moor.tmj');
  const [map, stone] = board.zones as [MapZone, ZoneOf<'space'>];
  expect(picture(map)).toEqual([
    ['peat_bog', 'peat_bog', 'heath', 'heath'],
    ['peat_bog', 'heath', 'heath', 'peat_bog'],
    ['heath', 'heath', 'peat_bog', 'peat_bog'],
  ]);
  expect(stone.name).toBe('Old stone');
  expect(remarks).toEqual([]);
});

test.each([
  ['a tile set', /[\s\S]*/, '<tileset name="Coast"/>', /a tile set of Tiled/],
  ['layers packed as Zstandard', /compression="zlib"/, 'compression="zstd"', /Zstandard/],
  ['a damaged layer', /compression="zlib">/, 'compression="zlib">AA', /damaged/],
])('%s is refused in words', async (_, from, to, words) => {
  const text = readFileSync(join(import.meta.dirname, 'testing', 'archipelago.tmx'), 'utf8');
  await expect(open('archipelago.tmx', text.replace(from, to))).rejects.toThrow(words);
});

const SET = `<tileset name="Coast"><tile id="0" type="Sea"/><tile id="1" class="Dunes"/></tileset>`;
const SET_JSON = JSON.stringify({
  type: 'tileset',
  name: 'Coast',
  tiles: [
    { id: 0, type: 'Sea' },
    { id: 1, class: 'Dunes' },
  ],
});
const mapWith = (
  source: string,
) => `<map orientation="orthogonal" width="2" height="1" tilewidth="9" tileheight="9">
  <tileset firstgid="3" source="${source}"/><layer name="Ground"><data encoding="csv">3,4</data></layer></map>`;

test.each([
  ['Coast.tsx', SET],
  ['coast.tsj', SET_JSON],
])('a tile set chosen together with its map gives its tiles their names: %s', async (name, text) => {
  const map = new File([mapWith(`../sets/${name}`)], 'Bay.tmx');
  const { board, remarks } = await openTiled([
    new File([text], name),
    new File(['x'], 'tiles.png', { type: 'image/png' }),
    map,
  ]);
  expect(board.name).toBe('Bay');
  expect(picture(board.zones[0] as MapZone)).toEqual([['Sea', 'Dunes']]);
  expect(remarks).toEqual([]);
  const alone = await openTiled([map]);
  expect(alone.remarks.join()).toMatch(/choose these files together with the map/);
  await expect(openTiled([map, map])).rejects.toThrow(/several maps/);
});
