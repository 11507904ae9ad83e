import { describe, expect, test, vi } from 'vitest';
import { PaintingCache } from './painting-cache.ts';

const bitmap = (): ImageBitmap => ({ close: vi.fn() }) as unknown as ImageBitmap;
const LAYOUT = { name: 'A', zones: [] };

describe('picture cache', () => {
  test('finds the picture of a document that came again unchanged, and none of another', () => {
    const cache = new PaintingCache();
    const key = (layout: object, cells: object, width = 100): string =>
      cache.key(layout, cells, [], width, false);
    const painting = cache.set(key(LAYOUT, { a: '1' }), bitmap());
    expect(cache.get(key(structuredClone(LAYOUT), { a: '1' }))).toBe(painting);
    for (const other of [
      key({ ...LAYOUT, name: 'B' }, { a: '1' }),
      key(LAYOUT, { a: '2' }),
      key(LAYOUT, { a: '1' }, 101),
    ])
      expect(cache.get(other)).toBeUndefined();
  });

  test('closes what it lets go: the least recently used', () => {
    const cache = new PaintingCache();
    const paintings = Array.from({ length: 401 }, bitmap);
    for (const [at, painting] of paintings.slice(0, 400).entries()) cache.set(`${at}`, painting);
    cache.get('0');
    cache.set('400', paintings[400] as ImageBitmap);
    expect(paintings[1]?.close).toHaveBeenCalledTimes(1);
    expect(paintings[0]?.close).not.toHaveBeenCalled();
  });

  test('closes the picture that another takes the place of, never the one it keeps', () => {
    const cache = new PaintingCache();
    const [first, second] = [bitmap(), bitmap()];
    cache.set('a', first);
    cache.set('a', second);
    cache.set('a', second);
    expect(first.close).toHaveBeenCalledTimes(1);
    expect(second.close).not.toHaveBeenCalled();
  });
});
