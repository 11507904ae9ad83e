import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SWIPE_PX, swipeOf } from './swipe.ts';

const way = fc.integer({ min: -2_000, max: 2_000 });

it('goes the way of the finger, never against it, and the other way for the mirrored one', () => {
  fc.assert(
    fc.property(way, way, (dx, dy) => {
      const swipe = swipeOf(dx, dy);
      if (swipe) expect(swipe).toBe(dx > 0 ? 'right' : 'left');
      const mirrored = swipe && (swipe === 'left' ? 'right' : 'left');
      expect(swipeOf(-dx, dy)).toBe(mirrored);
      expect(swipeOf(dx, -dy)).toBe(swipe);
    }),
  );
});

it('is neither a slip nor a scroll', () => {
  fc.assert(
    fc.property(way, way, (dx, dy) => {
      if (Math.abs(dx) < SWIPE_PX || Math.abs(dy) >= Math.abs(dx)) expect(swipeOf(dx, dy)).toBeUndefined();
      if (Math.abs(dx) >= SWIPE_PX && Math.abs(dx) >= 2 * Math.abs(dy)) expect(swipeOf(dx, dy)).toBeDefined();
    }),
  );
});
