import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { GAP_PX, placeBubble } from './place.ts';

const viewport = { width: 1000, height: 800 };
const bubble = { width: 300, height: 160 };
const box = fc.record({
  left: fc.integer({ min: 0, max: 900 }),
  top: fc.integer({ min: 0, max: 700 }),
  width: fc.integer({ min: 10, max: 200 }),
  height: fc.integer({ min: 10, max: 100 }),
});
const position = fc.record({
  horizontal: fc.constantFrom('left' as const, 'center' as const, 'right' as const),
  vertical: fc.constantFrom('top' as const, 'middle' as const, 'bottom' as const),
});

it('keeps the bubble in the window and off the target', () => {
  fc.assert(
    fc.property(box, position, (target, wanted) => {
      const { left, top } = placeBubble(target, bubble, viewport, wanted);
      expect(left).toBeGreaterThanOrEqual(GAP_PX);
      expect(top).toBeGreaterThanOrEqual(GAP_PX);
      expect(left + bubble.width).toBeLessThanOrEqual(viewport.width - GAP_PX);
      expect(top + bubble.height).toBeLessThanOrEqual(viewport.height - GAP_PX);
      const apart =
        left >= target.left + target.width ||
        left + bubble.width <= target.left ||
        top >= target.top + target.height ||
        top + bubble.height <= target.top;
      expect(apart).toBe(true);
    }),
  );
});

it('stands where the step wants it', () => {
  const target = { left: 400, top: 300, width: 100, height: 40 };
  expect(placeBubble(target, bubble, viewport, { horizontal: 'center', vertical: 'bottom' })).toEqual({
    left: 300,
    top: 354,
  });
  expect(placeBubble(target, bubble, viewport, { horizontal: 'left', vertical: 'middle' }).left).toBe(86);
});
