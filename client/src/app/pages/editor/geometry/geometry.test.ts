import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorOf, HANDLES, MIN_SIDE_MM, oppositeOf, resizeBox } from './resize.ts';
import { snapAngle, snapMove, snapToGrid } from './snap.ts';

const box = { x: 10, y: 20, w: 30, h: 40, rotation: 0 };

describe('dragging a handle', () => {
  it.each([
    ['nw', { x: 12, y: 23, w: 28, h: 37 }],
    ['n', { x: 10, y: 23, w: 30, h: 37 }],
    ['ne', { x: 10, y: 23, w: 32, h: 37 }],
    ['e', { x: 10, y: 20, w: 32, h: 40 }],
    ['se', { x: 10, y: 20, w: 32, h: 43 }],
    ['s', { x: 10, y: 20, w: 30, h: 43 }],
    ['sw', { x: 12, y: 20, w: 28, h: 43 }],
    ['w', { x: 12, y: 20, w: 28, h: 40 }],
  ] as const)('%s by (2, 3)', (handle, expected) => {
    expect(resizeBox(box, handle, 2, 3)).toEqual({ ...expected, rotation: 0 });
  });

  it('keeps the opposite side where it is, however the zone is turned', () => {
    const number = fc.double({ min: -60, max: 60, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...HANDLES),
        number,
        number,
        fc.double({ min: 0, max: 360, noNaN: true }),
        fc.boolean(),
        (handle, dx, dy, rotation, keepRatio) => {
          const start = { ...box, rotation };
          const end = resizeBox(start, handle, dx, dy, { keepRatio });
          const before = anchorOf(start, oppositeOf(handle));
          const after = anchorOf(end, oppositeOf(handle));
          expect(after.x).toBeCloseTo(before.x, 6);
          expect(after.y).toBeCloseTo(before.y, 6);
          expect(Math.min(end.w, end.h)).toBeGreaterThanOrEqual(MIN_SIDE_MM);
        },
      ),
    );
  });

  it('keeps proportions on corners when asked', () => {
    const end = resizeBox(box, 'se', 15, 0, { keepRatio: true });
    expect(end.w / end.h).toBeCloseTo(30 / 40, 9);
  });

  it('puts the dragged edges on the grid', () => {
    const end = resizeBox({ ...box, x: 10.3 }, 'se', 0.4, 0.4, { snap: snapToGrid });
    expect(end.x).toBeCloseTo(10.3, 9);
    expect(end.x + end.w).toBeCloseTo(41, 9);
    expect(end.y + end.h).toBeCloseTo(60, 9);
  });
});

describe('snapping', () => {
  it('moves whichever edge is nearer to a line', () => {
    expect(snapMove({ x: 1.1, y: 2.4, w: 3, h: 2.7 })).toEqual({ x: 1, y: 2.3 });
  });

  it('never moves by more than half a step', () => {
    const number = fc.double({ min: -500, max: 500, noNaN: true });
    fc.assert(
      fc.property(number, number, fc.double({ min: 0.5, max: 100, noNaN: true }), (x, y, w) => {
        const moved = snapMove({ x, y, w, h: w });
        expect(Math.abs(moved.x - x)).toBeLessThanOrEqual(0.5 + 1e-3);
      }),
    );
  });

  it.each([
    [47, false, 45],
    [-2, false, 0],
    [358, false, 0],
    [-10, true, 350],
    [47.2, true, 47.2],
  ])('an angle of %f (free: %s) is %f', (angle, free, expected) => {
    expect(snapAngle(angle, free)).toBeCloseTo(expected, 6);
  });
});
