import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IDENTITY } from '../../core/scene/display/matrix.ts';
import { rectOutline } from '../../core/scene/display/outline.ts';
import { jpegBytes, pngBytes } from '../../core/testing/images.ts';
import { imageSize } from '../images/image-size.ts';
import { outlineContours } from './contours.ts';
import { blur, coverage, type Mask } from './coverage.ts';

const area = ({ data }: Mask): number => data.reduce((sum, value) => sum + value, 0) / 255;

describe('coverage', () => {
  test('a rectangle covers its area, wherever it lies between pixels', () => {
    const edge = fc.double({ min: 1, max: 19, noNaN: true });
    fc.assert(
      fc.property(edge, edge, edge, edge, (a, b, c, d) => {
        const [x, x2, y, y2] = [Math.min(a, b), Math.max(a, b), Math.min(c, d), Math.max(c, d)];
        const mask = coverage([[x, y, x2, y, x2, y2, x, y2]], 20, 20);
        // Rows are sampled four times a pixel.
        expect(Math.abs(area(mask) - (x2 - x) * (y2 - y))).toBeLessThan(0.26 * (x2 - x) + 0.3);
      }),
    );
  });

  test('a circle covers pi r squared', () => {
    const outline = { kind: 'ellipse', box: { x: 2, y: 2, w: 36, h: 36 } } as const;
    expect(area(coverage(outlineContours(outline, IDENTITY), 40, 40))).toBeCloseTo(Math.PI * 18 * 18, -1);
  });

  test('contours that overlap are counted once', () => {
    const square = [2, 2, 8, 2, 8, 8, 2, 8];
    expect(area(coverage([square, square], 10, 10))).toBeCloseTo(36, 5);
  });

  test('blurring keeps the area and spreads by its deviation', () => {
    const contours = outlineContours(rectOutline({ x: 30, y: 30, w: 40, h: 40 }), IDENTITY);
    const sharp = coverage(contours, 100, 100);
    const soft = blur(sharp, 6);
    expect(Math.abs(area(soft) - area(sharp))).toBeLessThan(8);
    const middleRow = soft.data.subarray(50 * 100, 51 * 100);
    // At the edge half, a deviation inside about 84 %.
    expect((middleRow[30] ?? 0) / 255).toBeCloseTo(0.53, 1);
    expect((middleRow[36] ?? 0) / 255).toBeCloseTo(0.86, 1);
    expect((middleRow[24] ?? 0) / 255).toBeCloseTo(0.18, 1);
  });
});

describe('image heads', () => {
  test('PNG and JPEG', () => {
    expect(imageSize(pngBytes())).toEqual({ w: 64, h: 64 });
    expect(imageSize(jpegBytes())).toEqual({ w: 96, h: 64 });
  });

  test('anything else, or cut off, has no size and does no harm', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void imageSize(bytes)));
    for (let end = 0; end < 40; end++) imageSize(jpegBytes().slice(0, end));
    expect(imageSize(new TextEncoder().encode('<svg/>'))).toBeUndefined();
  });
});
