import fc from 'fast-check';
import { gzipSync, zlibSync } from 'fflate';
import { expect, test } from 'vitest';
import { layoutSchema } from '../../scene/layout.ts';
import { cellIn } from '../grid.ts';
import { decodeTerrain } from '../terrain-data.ts';
import { boardOfTiled } from './board-of-tiled.ts';
import { readTiled } from './read-tiled.ts';

/** A hexagonal map as Tiled 1.10 writes it, of five columns and four rows, with a town, a harbour and one turned tile. */
const HEXAGONAL = {
  type: 'map',
  version: '1.10',
  tiledversion: '1.10.2',
  orientation: 'hexagonal',
  renderorder: 'right-down',
  hexsidelength: 16,
  staggeraxis: 'y',
  staggerindex: 'odd',
  infinite: false,
  width: 5,
  height: 4,
  tilewidth: 32,
  tileheight: 32,
  layers: [
    {
      type: 'tilelayer',
      id: 1,
      name: 'Ground',
      width: 5,
      height: 4,
      visible: true,
      data: [1, 1, 2, 2, 0, 1, 1, 2, 2, 2, 3, 1, 1, 2147483650, 2, 3, 3, 1, 1, 0],
    },
    {
      type: 'objectgroup',
      id: 2,
      name: 'Places',
      visible: true,
      objects: [
        { id: 1, name: 'Kel', x: 88, y: 52, width: 0, height: 0, point: true, visible: true },
        { id: 2, name: 'Bay', x: 0, y: 52, width: 44, height: 52, visible: true },
      ],
    },
  ],
  tilesets: [
    {
      firstgid: 1,
      name: 'Lands',
      tiles: [
        { id: 0, class: 'Grassland' },
        { id: 1, type: 'Sea' },
      ],
    },
  ],
};

test('a hexagonal map brings its cells, its terrains with their names, and its objects as spaces', () => {
  const { grid, terrains, data, spaces, remarks } = readTiled(HEXAGONAL);
  expect(grid).toEqual({ cells: 'hex-pointy', cols: 5, rows: 4 });
  expect(terrains.map(({ name, pattern }) => [name, pattern])).toEqual([
    ['Grassland', 'grass'],
    ['Sea', 'waves'],
    ['Lands 3', 'none'],
  ]);
  expect([...decodeTerrain(grid, data)]).toEqual([
    1, 1, 2, 2, 0, 1, 1, 2, 2, 2, 3, 1, 1, 2, 2, 3, 3, 1, 1, 0,
  ]);
  // The map is 176 pixels wide and 104 high.
  expect(spaces).toEqual([
    { name: 'Kel', role: 'spot', x: 0.5, y: 0.5, w: 0, h: 0 },
    { name: 'Bay', role: 'area', x: 0, y: 0.5, w: 0.25, h: 0.5 },
  ]);
  expect(remarks).toEqual([]);
});

test('a map whose even rows are shifted keeps every neighbour: an empty row comes before', () => {
  const { grid, data } = readTiled({ ...HEXAGONAL, staggerindex: 'even' });
  expect(grid.rows).toBe(5);
  const cells = decodeTerrain(grid, data);
  expect(cells[cellIn(grid, 2, 1) ?? 0]).toBe(2);
  expect([...cells.subarray(0, 5)]).toEqual([0, 0, 0, 0, 0]);
});

test('layers in every encoding say the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 6, maxLength: 6 }),
      fc.constantFrom('csv', 'base64', 'zlib', 'gzip'),
      (tiles, how) => {
        const bytes = new Uint8Array(Uint32Array.from(tiles).buffer);
        const packed = how === 'zlib' ? zlibSync(bytes) : how === 'gzip' ? gzipSync(bytes) : bytes;
        const data = how === 'csv' ? tiles.join(',') : btoa(String.fromCharCode(...packed));
        const layer = { type: 'tilelayer', data, encoding: how === 'csv' ? 'csv' : 'base64' };
        const compression = how === 'zlib' || how === 'gzip' ? { compression: how } : {};
        const plain = { ...HEXAGONAL, orientation: 'orthogonal', width: 3, height: 2 };
        const one = readTiled({ ...plain, layers: [{ ...layer, ...compression }] });
        expect(one).toEqual(readTiled({ ...plain, layers: [{ type: 'tilelayer', data: tiles }] }));
      },
    ),
  );
});

test.each([
  ['no map at all', 'x', /no map of Tiled/],
  ['a map without end', { ...HEXAGONAL, infinite: true }, /Infinite/],
  ['too many cells', { ...HEXAGONAL, width: 500, height: 500 }, /at most 20000/],
  ['a layer of another size', { ...HEXAGONAL, width: 6 }, /has 20 cells; the map has 24/],
  [
    'a compression that is not known',
    { ...HEXAGONAL, layers: [{ type: 'tilelayer', data: 'AAAA', encoding: 'base64', compression: 'zstd' }] },
    /Zstandard/,
  ],
  [
    'a bomb',
    {
      ...HEXAGONAL,
      layers: [
        {
          type: 'tilelayer',
          data: btoa(String.fromCharCode(...zlibSync(new Uint8Array(5_000_000)))),
          encoding: 'base64',
          compression: 'zlib',
        },
      ],
    },
    /has 21 cells; the map has 20/,
  ],
  [
    'more tiles than terrains',
    {
      ...HEXAGONAL,
      orientation: 'orthogonal',
      width: 10,
      height: 10,
      layers: [{ type: 'tilelayer', data: Array.from({ length: 100 }, (_, at) => at + 1) }],
    },
    /100 different tiles/,
  ],
])('%s is refused in words', (_, json, words) => {
  expect(() => readTiled(json)).toThrow(words);
});

test('text that is no base64 is refused in words', () => {
  const layer = { type: 'tilelayer', data: 'not/base64!', encoding: 'base64' };
  expect(() => readTiled({ ...HEXAGONAL, layers: [layer] })).toThrow(/damaged/);
});

test('whatever a file holds, it is a map or a sentence', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(HEXAGONAL)), (value, key) => {
      try {
        readTiled({ ...HEXAGONAL, [key]: value });
      } catch (error) {
        expect((error as Error).name).toBe('TiledError');
      }
    }),
    { numRuns: 300 },
  );
});

test('objects far outside of a map are left out, so that its board can be stored and opened again', () => {
  const [ground] = HEXAGONAL.layers;
  const near = { name: 'Near', x: -20, y: 10, width: 10, height: 10 };
  const far = [
    { ...near, x: 1e308 },
    { ...near, y: -1e12 },
    { ...near, width: 1e308, height: 1 },
    { ...near, width: 1, height: 1e9 },
  ];
  const map = readTiled({ ...HEXAGONAL, layers: [ground, { type: 'objectgroup', objects: [...far, near] }] });
  expect(map.spaces.map(({ name }) => name)).toEqual(['Near']);
  expect(map.remarks).toContain('4 of its objects are left out: they lie far outside of the map.');
  let id = 0;
  const open = layoutSchema.safeParse(boardOfTiled('Board', map, () => `z${id++}`));
  expect(open.success).toBe(true);
});
