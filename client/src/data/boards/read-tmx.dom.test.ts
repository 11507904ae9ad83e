// @vitest-environment happy-dom

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CELL_KINDS } from '../../core/board/grid.ts';
import { ACCEPTED_PIECES, SPACE_ROLES, SPACE_TURNINGS } from '../../core/board/space.ts';
import { encodeTerrain } from '../../core/board/terrain-data.ts';
import { readTiled } from '../../core/board/tiled/read-tiled.ts';
import { writeTiled } from '../../core/board/tiled/write-tiled.ts';
import { writeTmx } from '../../core/board/tiled/write-tmx.ts';
import { STARTING_TERRAINS } from '../../core/scene/board/terrain.ts';
import { readTmx } from './read-tmx.ts';

const TMX = `<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" orientation="hexagonal" renderorder="right-down" width="3" height="2"
  tilewidth="32" tileheight="32" infinite="0" hexsidelength="16" staggeraxis="y" staggerindex="odd">
 <tileset firstgid="1" name="Lands" tilewidth="32" tileheight="32" tilecount="2" columns="0">
  <tile id="0" type="Grass"/>
  <tile id="1"><image width="32" height="32" source="tiles/deep-sea.png"/></tile>
 </tileset>
 <layer id="1" name="Ground" width="3" height="2"><data encoding="csv">
1,1,2,
2,0,1
</data></layer>
 <layer id="2" name="Notes" width="3" height="2" visible="0"><data encoding="csv">2,2,2,2,2,2</data></layer>
 <objectgroup id="3" name="Places"><object id="1" name="Kel" x="56" y="28"><point/></object></objectgroup>
</map>`;

test('a map as Tiled saves it by itself reads like its JSON; hidden layers stay out', () => {
  const { grid, terrains, data, spaces } = readTiled(readTmx(TMX));
  expect(grid).toEqual({ cells: 'hex-pointy', cols: 3, rows: 2 });
  expect(terrains.map(({ name }) => name)).toEqual(['Grass', 'deep-sea']);
  expect(data).toBe('2AB/B.A');
  expect(spaces).toMatchObject([{ name: 'Kel', role: 'spot', x: 0.5, y: 0.5, w: 0, h: 0 }]);
});

test('cells written one by one are read', () => {
  const cells = TMX.replace(/<data encoding="csv">\n1,1,2,\n2,0,1\n<\/data>/, () => {
    const tiles = [1, 1, 2, 2, 0, 1].map((gid) => (gid ? `<tile gid="${gid}"/>` : '<tile/>')).join('');
    return `<data>${tiles}</data>`;
  });
  expect(readTiled(readTmx(cells)).data).toBe('2AB/B.A');
});

test('groups, turned objects, tiles, polygons and properties read as they do in JSON', () => {
  const objects = `<group id="4" name="All" offsetx="8"><objectgroup id="5" name="More" offsety="4">
    <object id="3" name="Tower" x="16" y="20" width="10" height="20" rotation="90">
      <properties><property name="order" type="int" value="2"/><property name="to" type="object" value="4"/></properties>
    </object>
    <object id="4" name="House" gid="2147483649" x="16" y="20" width="10" height="20"/>
    <object id="5" name="Lake" x="5" y="5"><polygon points="0,0 10,-2.5 4,8"/></object>
    <object id="6" x="5" y="5"><polyline points="0,0 10,10"/></object>
    <object id="7" x="5" y="5"><text>Sea</text></object>
    <object id="8" template="tree.tx" x="5" y="5"/>
  </objectgroup></group><imagelayer id="9" name="Paper"><image source="paper.png"/></imagelayer></map>`;
  const { spaces, remarks } = readTiled(readTmx(TMX.replace('</map>', objects)));
  const common = { role: 'area', rotation: 0, links: [] };
  // The map is 112 pixels wide and 56 high.
  const middle = ({ x, y, w, h }: { x: number; y: number; w: number; h: number }) => [
    Math.round((x + w / 2) * 1_120) / 10,
    Math.round((y + h / 2) * 560) / 10,
  ];
  expect(spaces.slice(1)).toMatchObject([
    { ...common, name: 'Tower', rotation: 90, order: 2, links: [2] },
    { ...common, name: 'House' },
    { ...common, name: 'Lake' },
  ]);
  expect(spaces.slice(1).map(middle)).toEqual([
    [14, 29],
    [29, 14],
    [18, 11.8],
  ]);
  expect(remarks).toHaveLength(2);
});

test.each(['', 'not xml', '<svg/>', '<map'])('%j is no map', (text) => {
  expect(() => readTiled(readTmx(text))).toThrow(/not a Tiled map/);
});

test('a map that was written as XML says what it says as JSON, whatever its names are', () => {
  const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  // XML has no way to hold most control characters.
  const writable = fc.oneof(
    names.filter((name) => !/[\p{Cc}\p{Cn}\p{Cs}]/u.test(name)),
    fc.constantFrom('<&">', 'two\nlines', 'a\ttab', ']]>'),
  );
  const space = fc.record({
    name: writable,
    role: fc.constantFrom(...SPACE_ROLES),
    x: fc.constantFrom(0, 0.25),
    y: fc.constantFrom(0.1, 0.5),
    w: fc.constantFrom(0.1, 0.25),
    h: fc.constantFrom(0.1, 0.25),
    rotation: fc.constantFrom(0, 30, -90.5),
    turning: fc.constantFrom(...SPACE_TURNINGS),
    turn: fc.constantFrom(0, 45.5),
    accepts: fc.subarray([...ACCEPTED_PIECES]),
    holds: fc.constantFrom(0, 4),
    order: fc.constantFrom(0, 7),
    links: fc.constantFrom([], [0]),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...CELL_KINDS),
      fc.uint8Array({ minLength: 12, maxLength: 12, max: 8 }),
      fc.array(space, { maxLength: 3 }),
      writable,
      (cells, terrain, spaces, name) => {
        const grid = { cells, cols: 4, rows: 3 };
        const terrains = STARTING_TERRAINS.map((one, at) => (at === 0 ? { ...one, name } : one));
        const map = writeTiled(grid, terrains, encodeTerrain(grid, terrain), spaces);
        expect(readTiled(readTmx(writeTmx(map)))).toEqual(readTiled(JSON.parse(JSON.stringify(map))));
      },
    ),
  );
});

test('an infinite map has its pieces, as text or as elements, and an object without a place is at the corner', () => {
  const attributes =
    'orientation="orthogonal" width="9" height="9" tilewidth="16" tileheight="16" infinite="1"';
  const set = '<tileset firstgid="1" name="Land"/>';
  const objects = '<objectgroup><object id="1" name="Corner"/></objectgroup>';
  const of = (data: string) =>
    `<map ${attributes}>${set}<layer name="Ground">${data}</layer>${objects}</map>`;
  const text = of('<data encoding="csv"><chunk x="-1" y="0" width="2" height="1">1,2</chunk></data>');
  const elements = of(
    '<data><chunk x="-1" y="0" width="2" height="1"><tile gid="1"/><tile gid="2"/></chunk></data>',
  );
  for (const one of [text, elements]) {
    const map = readTiled(readTmx(one));
    expect(map).toMatchObject({ grid: { cols: 2, rows: 1 }, data: 'AB' });
    // Its corner lies a column right of the first tile.
    expect(map.spaces).toMatchObject([{ name: 'Corner', x: 1 / 2, y: 0 }]);
  }
});
