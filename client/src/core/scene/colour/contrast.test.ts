import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatColour } from './colour.ts';
import { contrast, LEAST_CONTRAST, readableOn } from './contrast.ts';

const byte = fc.integer({ min: 0, max: 255 });
const colours = fc.tuple(byte, byte, byte).map(([r, g, b]) => formatColour([r, g, b, 1]));

test('black on white has the most contrast, a colour on itself none', () => {
  expect(contrast('#000', '#ffffff')).toBeCloseTo(21, 6);
  expect(contrast('teal', '#008080')).toBeCloseTo(1, 6);
  expect(contrast('#777777', '#fff')).toBeCloseTo(4.48, 2);
  expect(contrast('no colour', '#fff')).toBeUndefined();
});

test('letters can be read on any ground, in their own colour where that is enough', () => {
  fc.assert(
    fc.property(colours, colours, (ground, wanted) => {
      const ink = readableOn(ground, wanted);
      expect(contrast(ground, ink)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      if ((contrast(ground, wanted) ?? 0) >= LEAST_CONTRAST) expect(ink).toBe(wanted);
    }),
  );
  expect(readableOn('no colour', '#123456')).toBe('#123456');
});
