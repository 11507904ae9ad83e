import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Matrix } from '../../core/scene/display/matrix.ts';
import { BitmapCache, FILE_LIMITS, SCREEN_LIMITS } from './bitmap-cache.ts';

/** The part of a canvas that the cache uses; Node has none. */
class FakeCanvas {
  width: number;
  height: number;
  readonly matrices: Matrix[] = [];
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }
  getContext() {
    return { setTransform: (...matrix: number[]) => this.matrices.push(matrix as unknown as Matrix) };
  }
}

beforeAll(() => {
  vi.stubGlobal('OffscreenCanvas', FakeCanvas);
});

const BOX = { x: 1, y: 2, w: 10, h: 5 };
const at = (e: number, f: number): Matrix => [2, 0, 0, 2, e, f];

describe('bitmap cache', () => {
  test('paints once for one look and place in the pixel, again for another', () => {
    const cache = new BitmapCache();
    const paint = vi.fn();
    const first = cache.get('a', BOX, at(0, 0), paint);
    const moved = cache.get('a', BOX, at(30, -7), paint);
    expect(paint).toHaveBeenCalledTimes(1);
    expect(moved?.canvas).toBe(first?.canvas);
    expect([(moved?.x ?? 0) - (first?.x ?? 0), (moved?.y ?? 0) - (first?.y ?? 0)]).toEqual([30, -7]);
    cache.get('a', BOX, at(0.5, 0), paint);
    cache.get('b', BOX, at(0, 0), paint);
    cache.get('a', { ...BOX, w: 11 }, at(0, 0), paint);
    cache.get('a', BOX, [3, 0, 0, 2, 0, 0], paint);
    expect(paint).toHaveBeenCalledTimes(5);
  });

  test('lets the least recently used go and keeps to its limit', () => {
    const cache = new BitmapCache({ ...SCREEN_LIMITS, pixels: 600 });
    const paint = vi.fn();
    const pictures = ['a', 'b', 'a', 'c'].map((key) => cache.get(key, BOX, at(0, 0), paint)?.canvas);
    expect(cache.pixels).toBeLessThanOrEqual(600);
    // Evicted canvases give their memory back at once.
    expect(pictures.map((canvas) => canvas?.width === 0)).toEqual([false, true, false, false]);
    cache.get('a', BOX, at(0, 0), paint);
    expect(paint).toHaveBeenCalledTimes(3);
    cache.get('b', BOX, at(0, 0), paint);
    expect(paint).toHaveBeenCalledTimes(4);
  });

  test('keeps nothing that is larger than all it may keep, or nothing at all', () => {
    const cache = new BitmapCache({ ...SCREEN_LIMITS, pixels: 100 });
    const paint = vi.fn();
    expect(cache.get('a', BOX, at(0, 0), paint)).toBeUndefined();
    expect(cache.get('a', { ...BOX, w: Number.NaN }, at(0, 0), paint)).toBeUndefined();
    expect(paint).not.toHaveBeenCalled();
    expect(cache.pixels).toBe(0);
  });

  test.each([
    ['screen: within an eighth of a pixel', SCREEN_LIMITS, 0.07],
    ['file: where it belongs', FILE_LIMITS, 0.0002],
  ])('whatever the matrix, the picture holds the whole box (%s)', (_name, limits, off) => {
    const number = fc.double({ min: -4, max: 4, noNaN: true });
    const offset = fc.double({ min: -500, max: 500, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(number, number, number, number, offset, offset),
        offset,
        offset,
        (matrix, x, y) => {
          const cache = new BitmapCache(limits);
          let here: Matrix | undefined;
          const box = { x, y, w: 20, h: 10 };
          const kept = cache.get('a', box, matrix, (_, given) => {
            here = given;
          });
          if (!kept || !here) throw new Error('nothing kept');
          const { canvas } = kept;
          for (const [dx, dy] of [
            [0, 0],
            [20, 0],
            [0, 10],
            [20, 10],
          ] as const) {
            const to = ([a, b, c, d, e, f]: Matrix): [number, number] => [
              a * (x + dx) + c * (y + dy) + e,
              b * (x + dx) + d * (y + dy) + f,
            ];
            const [px, py] = to(here);
            expect(px).toBeGreaterThanOrEqual(0);
            expect(py).toBeGreaterThanOrEqual(0);
            expect(px).toBeLessThanOrEqual(canvas.width);
            expect(py).toBeLessThanOrEqual(canvas.height);
            const [wantedX, wantedY] = to(matrix);
            expect(Math.abs(px + kept.x - wantedX)).toBeLessThan(off);
            expect(Math.abs(py + kept.y - wantedY)).toBeLessThan(off);
          }
        },
      ),
    );
  });
});
