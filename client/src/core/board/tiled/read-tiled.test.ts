import fc from 'fast-check';
import { gzipSync, zlibSync } from 'fflate';
import { expect, test } from 'vitest';
import { layoutSchema } from '../../scene/layout.ts';
import { cellIn } from '../grid.ts';
import { cellBox, placeGrid, sizeFor } from '../placing.ts';
import { plainTraits } from '../space.ts';
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
  const plain = { rotation: 0, order: 0, links: [] };
  expect(spaces).toEqual([
    { ...plainTraits('spot'), ...plain, name: 'Kel', x: 0.5, y: 0.5, w: 0, h: 0 },
    { ...plainTraits('area'), ...plain, name: 'Bay', x: 0, y: 0.5, w: 0.25, h: 0.5 },
  ]);
  expect(remarks).toEqual(['Tiles that are turned or mirrored lie as they were drawn.']);
});

test('a map whose even rows are shifted keeps every neighbour: an empty row comes before', () => {
  const { grid, data } = readTiled({ ...HEXAGONAL, staggerindex: 'even' });
  expect(grid.rows).toBe(5);
  const cells = decodeTerrain(grid, data);
  expect(cells[cellIn(grid, 2, 1) ?? 0]).toBe(2);
  expect([...cells.subarray(0, 5)]).toEqual([0, 0, 0, 0, 0]);
});

test('spaces keep to their cells, whichever rows or columns are shifted', () => {
  // The middle of the third cell of the second row: shifted rows are 26 pixels apart, a tile is 44 wide and 52 high.
  const sizes = { tilewidth: 44, tileheight: 52, hexsidelength: 0, width: 4, height: 3 };
  for (const staggeraxis of ['x', 'y'] as const) {
    for (const staggerindex of ['odd', 'even'] as const) {
      const [column, row] = [2, 1];
      const shifted = (place: number) => (place % 2 === 1) === (staggerindex === 'odd');
      const middle =
        staggeraxis === 'y'
          ? { x: 44 * column + (shifted(row) ? 22 : 0) + 22, y: 26 * row + 26 }
          : { x: 22 * column + 22, y: 52 * row + (shifted(column) ? 26 : 0) + 26 };
      const layers = [
        { type: 'tilelayer', data: Array.from({ length: 12 }, (_, at) => (at === row * 4 + column ? 1 : 0)) },
        { type: 'objectgroup', objects: [middle] },
      ];
      const { grid, data, spaces } = readTiled({ ...HEXAGONAL, ...sizes, staggeraxis, staggerindex, layers });
      const cell = decodeTerrain(grid, data).indexOf(1);
      const box = sizeFor(grid, 10, 0);
      const placed = placeGrid(grid, { x: 0, y: 0, ...box }, 0, 'whole');
      const { x, y, w, h } = cellBox(placed, cell);
      const at = { x: (spaces[0]?.x ?? 0) * box.w, y: (spaces[0]?.y ?? 0) * box.h };
      expect(Math.abs(at.x - x - w / 2)).toBeLessThan(w / 2);
      expect(Math.abs(at.y - y - h / 2)).toBeLessThan(h / 2);
    }
  }
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
  ['no map at all', 'x', /not a Tiled map/],
  ['a tile set', { type: 'tileset', name: 'Coast', tiles: [] }, /a tile set of Tiled\. Open a map/],
  ['another JSON file', { name: 'game', version: '1.0' }, /how its tiles lie/],
  [
    'a layer with far more cells than a map has',
    {
      ...HEXAGONAL,
      width: 300,
      height: 300,
      layers: [{ type: 'tilelayer', data: new Array(90_000).fill(1) }],
    },
    /has 90000 cells; a map here has at most 20000/,
  ],
  ['too many cells', { ...HEXAGONAL, width: 500, height: 500 }, /at most 20000/],
  [
    'a row too many',
    { ...HEXAGONAL, width: 150, height: 133, staggerindex: 'even', layers: [] },
    /20100 cells, with a row/,
  ],
  ['a layer of another size', { ...HEXAGONAL, width: 6 }, /has 20 cells; the map has 24/],
  [
    'cells that are no numbers',
    { ...HEXAGONAL, layers: [{ type: 'tilelayer', data: '1,a', encoding: 'csv' }] },
    /damaged/,
  ],
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

/** The map above with these objects alone, or these layers. */
const withObjects = (...objects: object[]) =>
  readTiled({ ...HEXAGONAL, layers: [{ type: 'objectgroup', objects }] });

test('objects turn about their corners, tiles about the lower one; spaces turn about their middles', () => {
  const at = { x: 88, y: 52, width: 20, height: 10, rotation: 90 };
  const middle = ({ x, y, w, h }: { x: number; y: number; w: number; h: number }) => [
    Math.round((x + w / 2) * 176),
    Math.round((y + h / 2) * 104),
  ];
  const { spaces } = withObjects(at, { ...at, gid: 1 }, { ...at, rotation: 0, gid: 1 });
  expect(spaces.map(middle)).toEqual([
    [83, 62],
    [93, 62],
    [98, 47],
  ]);
  expect(spaces.map(({ rotation }) => rotation)).toEqual([90, 90, 0]);
});

test('a polygon is the box around it; lines, texts and templates are left out in words', () => {
  const polygon = [
    { x: -10, y: 0 },
    { x: 30, y: 5 },
    { x: 0, y: 20 },
  ];
  const common = { x: 20, y: 30 };
  const { spaces, remarks } = withObjects(
    { ...common, name: 'Lake', polygon },
    { ...common, polyline: polygon },
    { ...common, text: { text: 'Here' } },
    { ...common, template: 'house.tx' },
  );
  expect(spaces).toMatchObject([{ name: 'Lake', role: 'area', x: 10 / 176, w: 40 / 176, h: 20 / 104 }]);
  expect(remarks).toEqual(['3 of its objects are left out: lines, texts and templates.']);
});

test('properties of an object say what Tiled has no field for; nonsense in them is left out', () => {
  const of = (...values: [string, unknown, string?][]) =>
    values.map(([name, value, type]) => ({ name, value, ...(type && { type }) }));
  const { spaces } = withObjects(
    {
      id: 7,
      x: 1,
      y: 1,
      properties: of(['holds', '3'], ['order', 2], ['accepts', 'Card; die'], ['road', 9, 'object']),
    },
    {
      id: 9,
      x: 2,
      y: 2,
      properties: of(['holds', -1], ['order', 'x'], ['turn', 'up'], ['road', 5, 'object']),
    },
    { id: 11, x: 3, y: 3, properties: of(['turning', 'angle'], ['turn', 450]) },
  );
  expect(spaces).toMatchObject([
    { holds: 3, order: 2, accepts: ['card', 'die'], links: [1] },
    { holds: 0, order: 0, accepts: [], turn: 0, links: [] },
    { turning: 'angle', turn: 90 },
  ]);
});

test('groups of layers are looked into, and what is in a hidden one stays out', () => {
  const objects = [{ x: 10, y: 10, name: 'A' }];
  const group = (visible: boolean, layers: object[], offsetx = 0) => ({
    type: 'group',
    visible,
    layers,
    offsetx,
  });
  const layers = [
    HEXAGONAL.layers[0],
    group(true, [group(true, [{ type: 'objectgroup', objects, offsety: 26 }], 34)], 44),
    group(false, [{ type: 'objectgroup', objects }]),
  ];
  expect(readTiled({ ...HEXAGONAL, layers }).spaces).toMatchObject([{ x: 88 / 176, y: 36 / 104 }]);
  let deep: object = { type: 'group', layers: [] };
  for (let at = 0; at < 5_000; at++) deep = { type: 'group', layers: [deep] };
  expect(() => readTiled({ ...HEXAGONAL, layers: [deep] })).toThrow(/too many groups/);
});

test('slanted maps count objects along the sides of their tiles, and their shifted columns are hexagons', () => {
  const objects = [{ x: 32, y: 16 }];
  const slanted = { ...HEXAGONAL, tilewidth: 64, tileheight: 32, width: 4, height: 2, hexsidelength: 0 };
  const layers = [
    { type: 'tilelayer', data: [1, 1, 1, 1, 1, 1, 1, 1] },
    { type: 'objectgroup', objects },
  ];
  const iso = readTiled({ ...slanted, orientation: 'isometric', layers });
  expect(iso.spaces).toMatchObject([{ x: 0.25, y: 0.25 }]);
  expect(iso.remarks).toEqual(['Its slanted tiles are squares here.']);
  const columns = readTiled({ ...slanted, orientation: 'staggered', staggeraxis: 'x', layers });
  expect(columns.grid.cells).toBe('hex-flat');
  expect(columns.remarks).toEqual(['Its slanted tiles are hexagons here.']);
});

test('tile sets in files of their own give numbers and a sentence that says how to have names', () => {
  const tilesets = [{ firstgid: 1, source: '../sets/coast.tsx' }];
  const { terrains, remarks } = readTiled({ ...HEXAGONAL, tilesets });
  expect(terrains.map(({ name }) => name)).toEqual(['coast 1', 'coast 2', 'coast 3']);
  expect(remarks).toContainEqual(expect.stringContaining('Embed in map'));
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

test('as many objects become spaces as a board can be stored with, and the rest are counted', () => {
  const objects = Array.from({ length: 510 }, (_, at) => ({ x: at % 100, y: at % 90 }));
  const map = withObjects(...objects);
  expect(map.spaces).toHaveLength(499);
  expect(map.remarks).toContain('11 of its objects are left out; 499 become spaces.');
  let id = 0;
  const stored = layoutSchema.safeParse(boardOfTiled('Board', map, () => `z${id++}`));
  expect(stored.error?.issues ?? []).toEqual([]);
});
