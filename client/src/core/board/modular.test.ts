import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dealTiles, MODULAR_CELLS, MODULAR_SHAPES, type ModularSettings } from './modular.ts';

const settings: fc.Arbitrary<ModularSettings> = fc.record({
  seed: fc.string({ maxLength: 8 }),
  cells: fc.constantFrom(...MODULAR_CELLS),
  shape: fc.constantFrom(...MODULAR_SHAPES),
  rings: fc.integer({ min: 1, max: 4 }),
  columns: fc.integer({ min: 1, max: 7 }),
  rows: fc.integer({ min: 1, max: 7 }),
  gap: fc.constantFrom(0, 2),
  shuffles: fc.boolean(),
  turns: fc.boolean(),
});
const copies = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 6 });
const SLIM = Math.sqrt(3) / 2;
/** Regular tiles of 40 mm between opposite sides or corners. */
const sizeOf = ({ cells }: ModularSettings) =>
  cells === 'square'
    ? { w: 40, h: 40 }
    : cells === 'hex-flat'
      ? { w: 40, h: 40 * SLIM }
      : { w: 40 * SLIM, h: 40 };

test('the same seed gives the same board, and tiles lie side by side inside it', () => {
  fc.assert(
    fc.property(settings, copies, (given, counts) => {
      const size = sizeOf(given);
      const board = dealTiles(counts, size, given);
      expect(dealTiles(counts, size, given)).toEqual(board);
      const across = given.cells === 'square' ? 40 : 40 * SLIM;
      for (const [at, { middle, turn }] of board.tiles.entries()) {
        expect(middle.x - size.w / 2).toBeGreaterThanOrEqual(-1e-9);
        expect(middle.y - size.h / 2).toBeGreaterThanOrEqual(-1e-9);
        expect(middle.x + size.w / 2).toBeLessThanOrEqual(board.w + 1e-9);
        expect(middle.y + size.h / 2).toBeLessThanOrEqual(board.h + 1e-9);
        expect(turn % (given.cells === 'square' ? 90 : 60)).toBe(0);
        if (!given.turns) expect(turn).toBe(0);
        for (const other of board.tiles.slice(0, at)) {
          const away = Math.hypot(middle.x - other.middle.x, middle.y - other.middle.y);
          expect(away).toBeGreaterThanOrEqual(across - 1e-9);
        }
      }
    }),
  );
});

test('no tile is dealt more often than there are copies, and every place or every tile is used', () => {
  fc.assert(
    fc.property(settings, copies, (given, counts) => {
      const { tiles, empty, left } = dealTiles(counts, sizeOf(given), given);
      const dealt = counts.map((_, tile) => tiles.filter((one) => one.tile === tile).length);
      for (const [tile, count] of dealt.entries()) expect(count).toBeLessThanOrEqual(counts[tile] ?? 0);
      const all = counts.reduce((sum, count) => sum + count, 0);
      expect(tiles.length + left).toBe(all);
      expect(Math.min(empty, left)).toBe(0);
      const rings = given.cells !== 'square' && given.shape === 'rings';
      const places = rings ? 3 * given.rings * (given.rings + 1) + 1 : given.columns * given.rows;
      expect(tiles.length + empty).toBe(places);
    }),
  );
});

test('more places or turned tiles change nothing of the order in which tiles are dealt', () => {
  fc.assert(
    fc.property(settings, copies, (given, counts) => {
      const order = (change: Partial<ModularSettings>) =>
        dealTiles(counts, { w: 10, h: 10 }, { ...given, cells: 'square', ...change }).tiles.map(
          ({ tile }) => tile,
        );
      const few = order({ turns: false });
      expect(order({ turns: true })).toEqual(few);
      expect(order({ rows: given.rows + 1 }).slice(0, few.length)).toEqual(few);
    }),
  );
});
