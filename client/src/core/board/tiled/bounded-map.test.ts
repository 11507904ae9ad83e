import fc from 'fast-check';
import { zlibSync } from 'fflate';
import { expect, test } from 'vitest';
import { readTiled } from './read-tiled.ts';

const SIDE = 4;
const maps = fc
  .record({
    orientation: fc.constantFrom('orthogonal', 'isometric', 'staggered', 'hexagonal'),
    staggeraxis: fc.constantFrom('x', 'y'),
    staggerindex: fc.constantFrom('odd', 'even'),
    width: fc.integer({ min: 1, max: 9 }),
    height: fc.integer({ min: 1, max: 9 }),
    tilewidth: fc.constantFrom(16, 32),
    tileheight: fc.constantFrom(16, 30),
    hexsidelength: fc.constantFrom(8, 12),
  })
  .chain((map) =>
    fc.record({
      map: fc.constant(map),
      // Every cell has a tile, so that the part with tiles is the whole.
      tiles: fc.array(fc.integer({ min: 1, max: 6 }), {
        minLength: map.width * map.height,
        maxLength: map.width * map.height,
      }),
    }),
  );

/** The tiles in pieces of four by four, the first of them at this column and row. */
function piecesOf(
  tiles: readonly number[],
  width: number,
  height: number,
  left: number,
  top: number,
  packed: boolean,
) {
  const chunks: object[] = [];
  const floor = (value: number) => Math.floor(value / SIDE) * SIDE;
  for (let y = floor(top); y < top + height; y += SIDE) {
    for (let x = floor(left); x < left + width; x += SIDE) {
      const data = Array.from({ length: SIDE * SIDE }, (_, at) => {
        const [column, row] = [x + (at % SIDE) - left, y + Math.floor(at / SIDE) - top];
        const inside = column >= 0 && column < width && row >= 0 && row < height;
        return inside ? (tiles[row * width + column] ?? 0) : 0;
      });
      const bytes = zlibSync(new Uint8Array(Uint32Array.from(data).buffer));
      chunks.push({
        x,
        y,
        width: SIDE,
        height: SIDE,
        data: packed ? btoa(String.fromCharCode(...bytes)) : data,
      });
    }
  }
  return chunks;
}

const places = fc.record({
  left: fc.integer({ min: -20, max: 20 }),
  top: fc.integer({ min: -20, max: 20 }),
  packed: fc.boolean(),
});

test('an infinite map is the part of it that has tiles, wherever that lies, and its objects stay over their cells', () => {
  fc.assert(
    fc.property(maps, places, ({ map, tiles }, { left: anyLeft, top: anyTop, packed }) => {
      const shifted = map.orientation === 'staggered' || map.orientation === 'hexagonal';
      const left = shifted && map.staggeraxis === 'x' ? anyLeft * 2 : anyLeft;
      const top = shifted && map.staggeraxis === 'y' ? anyTop * 2 : anyTop;
      const side = map.orientation === 'hexagonal' ? map.hexsidelength : 0;
      const across = map.orientation === 'isometric' ? map.tileheight : map.tilewidth;
      const stepX = shifted && map.staggeraxis === 'x' ? (map.tilewidth + side) / 2 : across;
      const stepY = shifted && map.staggeraxis === 'y' ? (map.tileheight + side) / 2 : map.tileheight;
      const object = { name: 'Inn', x: 11, y: 7 };
      const bounded = readTiled({
        ...map,
        layers: [
          { type: 'tilelayer', data: tiles },
          { type: 'objectgroup', objects: [object] },
        ],
      });
      const infinite = readTiled({
        ...map,
        infinite: true,
        width: 30,
        height: 20,
        layers: [
          {
            type: 'tilelayer',
            chunks: piecesOf(tiles, map.width, map.height, left, top, packed),
            ...(packed && { encoding: 'base64', compression: 'zlib' }),
          },
          { type: 'objectgroup', objects: [{ ...object, x: 11 + left * stepX, y: 7 + top * stepY }] },
        ],
      });
      expect(infinite.grid).toEqual(bounded.grid);
      expect(infinite.data).toBe(bounded.data);
      const [one, other] = [bounded.spaces[0], infinite.spaces[0]];
      expect(other?.x).toBeCloseTo(one?.x ?? Number.NaN, 9);
      expect(other?.y).toBeCloseTo(one?.y ?? Number.NaN, 9);
    }),
  );
});

test('tiles of an infinite map that are turned are told of, and one without tiles is refused', () => {
  const map = { orientation: 'orthogonal', infinite: true, width: 9, height: 9, tilewidth: 8, tileheight: 8 };
  const chunk = { x: -1, y: 5, width: 2, height: 1, data: [0, 0x80000001] };
  const read = readTiled({ ...map, layers: [{ type: 'tilelayer', chunks: [chunk] }] });
  expect(read.grid).toMatchObject({ cols: 1, rows: 1 });
  expect(read.remarks).toContain('Tiles that are turned or mirrored lie as they were drawn.');
  const empty = { ...map, layers: [{ type: 'tilelayer', chunks: [{ ...chunk, data: [0, 0] }] }] };
  expect(() => readTiled(empty)).toThrow(/no tiles/);
  const far = { ...chunk, x: 900_000, data: [1, 1] };
  expect(() => readTiled({ ...map, layers: [{ type: 'tilelayer', chunks: [chunk, far] }] })).toThrow(
    /at most 20000/,
  );
});
