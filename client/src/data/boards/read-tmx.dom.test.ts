// @vitest-environment happy-dom

import { expect, test } from 'vitest';
import { readTiled } from '../../core/board/tiled/read-tiled.ts';
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
  expect(spaces).toEqual([{ name: 'Kel', role: 'spot', x: 0.5, y: 0.5, w: 0, h: 0 }]);
});

test('cells written one by one are read', () => {
  const cells = TMX.replace(/<data encoding="csv">\n1,1,2,\n2,0,1\n<\/data>/, () => {
    const tiles = [1, 1, 2, 2, 0, 1].map((gid) => (gid ? `<tile gid="${gid}"/>` : '<tile/>')).join('');
    return `<data>${tiles}</data>`;
  });
  expect(readTiled(readTmx(cells)).data).toBe('2AB/B.A');
});

test.each(['', 'not xml', '<svg/>', '<map'])('%j is no map', (text) => {
  expect(() => readTiled(readTmx(text))).toThrow(/no map of Tiled/);
});
