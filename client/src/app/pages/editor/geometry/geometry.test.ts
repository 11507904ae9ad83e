import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributeBoxes } from './arrange.ts';
import { anchorOf, HANDLES, MIN_SIDE_MM, oppositeOf, resizeBox } from './resize.ts';
import { snapAngle, snapMove, snapToGrid } from './snap.ts';
import { distancesOf, snapToTargets, targetsOf } from './snap-targets.ts';

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
    const end = resizeBox({ ...box, x: 10.3 }, 'se', 0.4, 0.4, {
      snap: (value: number) => snapToGrid(value),
    });
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

describe('lines to snap to', () => {
  const targets = targetsOf([{ x: 20, y: 20, w: 10, h: 10 }], { x: [0, 60], y: [0, 90] });

  it.each([
    ['a left edge to a line', { x: 0.4, y: 50, w: 7, h: 7 }, [-0.4, 0]],
    ['a right edge to a left edge', { x: 12.6, y: 50, w: 7, h: 7 }, [0.4, 0]],
    ['a middle to a middle', { x: 21.7, y: 22.1, w: 6, h: 6 }, [0.3, -0.1]],
    ['nothing out of reach', { x: 8, y: 50, w: 7, h: 7 }, [0, 0]],
  ])('%s', (_, box, [dx, dy]) => {
    const snapped = snapToTargets(box, targets, 0.5);
    expect(snapped.dx).toBeCloseTo(dx ?? 0);
    expect(snapped.dy).toBeCloseTo(dy ?? 0);
    expect(snapped.lines).toHaveLength((dx ? 1 : 0) + (dy ? 1 : 0));
  });

  it('measures to the nearest neighbour, or to the card', () => {
    const found = distancesOf({ x: 40, y: 22, w: 5, h: 5 }, [{ x: 20, y: 20, w: 10, h: 10 }], {
      x: 0,
      y: 0,
      w: 60,
      h: 90,
    });
    expect(found.map(({ axis, from, to }) => [axis, from, to])).toEqual([
      ['x', 30, 40],
      ['x', 45, 60],
      ['y', 0, 22],
      ['y', 27, 90],
    ]);
  });
});

describe('distributing', () => {
  it('keeps the outermost and makes the gaps alike, whatever the boxes', () => {
    const steps = fc.array(
      fc.record({
        gap: fc.double({ min: 0, max: 20, noNaN: true }),
        w: fc.double({ min: 1, max: 5, noNaN: true }),
      }),
      { minLength: 3, maxLength: 6 },
    );
    fc.assert(
      fc.property(steps, (made) => {
        let at = 0;
        const boxes = made.map(({ gap, w }) => {
          const x = at + gap;
          at = x + w;
          return { x, y: 0, w, h: 1 };
        });
        const moved = boxes.map((one, index) => ({
          ...one,
          x: one.x + (distributeBoxes(boxes, 'x')[index]?.dx ?? 0),
        }));
        const order = moved.sort((a, b) => a.x + a.w / 2 - b.x - b.w / 2);
        const gaps = order
          .slice(1)
          .map((one, index) => one.x - (order[index]?.x ?? 0) - (order[index]?.w ?? 0));
        for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0] ?? 0, 6);
      }),
    );
  });
});
