import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutSchema } from '../../scene/layout.ts';
import { boardOfTiled } from './board-of-tiled.ts';
import { readTiled } from './read-tiled.ts';
import { TiledError } from './tiled-error.ts';

const number = fc.oneof(
  fc.integer({ min: -200, max: 200 }),
  fc.constantFrom(0, -1, 1e-9, 1e6, -1e9, 1e300, 4_294_967_295),
);
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '',
    '  ',
    'x'.repeat(500),
    '👩‍👩‍👧'.repeat(60),
    'שלום',
    '\u0000',
    '</a>',
    '{{1}}',
    'e\u0301',
  ),
);
const object = fc.record(
  {
    id: number,
    name: text,
    type: text,
    x: number,
    y: number,
    width: number,
    height: number,
    rotation: number,
    gid: number,
    polygon: fc.array(fc.record({ x: number, y: number }), { maxLength: 4 }),
    properties: fc.array(
      fc.record({
        name: fc.constantFrom('turn', 'order', 'holds', 'to'),
        type: fc.constantFrom('object', 'int'),
        value: fc.oneof(number, text),
      }),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: ['x', 'y'] },
);
const maps = fc.record({
  orientation: fc.constantFrom('orthogonal', 'isometric', 'staggered', 'hexagonal'),
  staggeraxis: fc.constantFrom('x', 'y'),
  staggerindex: fc.constantFrom('odd', 'even'),
  width: fc.constantFrom(1, 2, 3, 100, 20_000),
  height: fc.constantFrom(1, 2, 3, 200),
  tilewidth: fc.constantFrom(1, 16, 100_000),
  tileheight: fc.constantFrom(1, 16, 99_999),
  hexsidelength: number,
  layers: fc.tuple(
    fc.record({
      type: fc.constant('objectgroup'),
      offsetx: number,
      objects: fc.array(object, { maxLength: 5 }),
    }),
  ),
  tilesets: fc.array(
    fc.record({
      firstgid: fc.integer({ min: 1, max: 9 }),
      name: text,
      tiles: fc.array(fc.record({ id: fc.nat(5), class: text }), { maxLength: 3 }),
    }),
    { maxLength: 2 },
  ),
});

test('whatever a map of Tiled holds, the board made of it is one that can be stored', () => {
  fc.assert(
    fc.property(maps, text, fc.boolean(), (map, name, tiled) => {
      const count = map.width * map.height;
      const ground = {
        type: 'tilelayer',
        data: tiled && count < 500 ? Array.from({ length: count }, (_, at) => at % 5) : [],
      };
      const json = { ...map, layers: ground.data.length > 0 ? [ground, ...map.layers] : map.layers };
      let read: ReturnType<typeof readTiled>;
      try {
        read = readTiled(JSON.parse(JSON.stringify(json)));
      } catch (error) {
        expect(error).toBeInstanceOf(TiledError);
        return;
      }
      let next = 0;
      const result = layoutSchema.safeParse(boardOfTiled(name, read, () => `z${next++}`));
      expect(result.error?.issues ?? []).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
