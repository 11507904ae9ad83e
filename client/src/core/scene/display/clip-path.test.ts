import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clipShape } from './clip-path.ts';
import { boundsOf } from './outline.ts';

const BOX = { x: 10, y: 20, w: 50, h: 200 };

describe('clip shapes', () => {
  test.each([
    ['a polygon in percent', 'polygon(0% 0%, 100% 0%, 50% 100%)'],
    ['path data', 'M0 0 L100 0 L50 100 Z'],
    ['path data without spaces, relative', 'm0,0h100l-50,100z'],
    ['a polygon with its rule', 'polygon(evenodd, 0 0, 100% 0, 50% 100%)'],
  ])('%s', (_name, text) => {
    expect(clipShape(text, BOX)).toEqual([['M', 10, 20], ['L', 60, 20], ['L', 35, 220], ['Z']]);
  });

  test('an arc keeps to its circle', () => {
    const commands = clipShape('M50 0 A50 50 0 0 1 50 100 A50 50 0 0 1 50 0 Z', {
      x: 0,
      y: 0,
      w: 100,
      h: 100,
    });
    const ends = commands
      ?.filter((command) => command[0] === 'C')
      .map((command) => command.slice(-2) as number[]);
    expect(ends).toHaveLength(4);
    for (const [x = 0, y = 0] of ends ?? []) expect(Math.hypot(x - 50, y - 50)).toBeCloseTo(50, 6);
    const bounds = boundsOf({ kind: 'path', commands: commands ?? [], evenOdd: true });
    expect(bounds.w).toBeGreaterThanOrEqual(99.9);
  });

  test('smooth curves mirror the control before them', () => {
    const commands = clipShape('M0 0 C0 10 10 20 20 20 S40 30 40 40 Q50 50 60 40 T80 40 Z', {
      x: 0,
      y: 0,
      w: 100,
      h: 100,
    });
    expect(commands?.[2]?.slice(1, 3)).toEqual([30, 20]);
    expect(commands).toHaveLength(6);
  });

  test('what is no shape is refused, whatever it is', () => {
    for (const text of [
      'circle',
      'polygon(1% 2%)',
      'M0 0 L',
      'L1 1',
      'M0 0 L1 x',
      'polygon(a b, c d, e f)',
      '100 100',
    ])
      expect(clipShape(text, BOX)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'MLHVCSQTAZmlhvcsqtaz0123456789 .,-e%()polygn') }),
        (text) => {
          const commands = clipShape(text, BOX);
          for (const [, ...numbers] of commands ?? [])
            for (const number of numbers) expect(number).not.toBeNaN();
        },
      ),
    );
  });
});
