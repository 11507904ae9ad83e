import { expect, test } from 'vitest';
import { FaceCache } from './face-cache.ts';

/** A bitmap that notes when it is closed. */
const bitmapOf = (width: number): ImageBitmap & { closed: boolean } => {
  const bitmap = {
    width,
    height: width,
    closed: false,
    close: () => {
      bitmap.closed = true;
    },
  };
  return bitmap;
};

/** A cache whose paintings are finished by hand. */
function world(most?: number) {
  const asked: { key: string; width: number; done: (bitmap: ImageBitmap) => void; fail: () => void }[] = [];
  let came = 0;
  const cache = new FaceCache<string>(
    (key, width) =>
      new Promise((resolve, reject) => {
        asked.push({ key, width, done: resolve, fail: () => reject(new Error('no')) });
      }),
    () => {
      came++;
    },
    most,
  );
  const finish = async (index: number) => {
    const one = asked[index];
    const bitmap = bitmapOf(one?.width ?? 0);
    one?.done(bitmap);
    await Promise.resolve();
    await Promise.resolve();
    return bitmap;
  };
  const get = (key: string, px: number) => cache.get({ key, look: key }, px);
  return { cache, asked, finish, get, came: () => came };
}

test('a side is painted once in the size that is drawn, and another size shows meanwhile', async () => {
  const { asked, finish, get, came } = world();
  expect(get('fox', 100)).toBeUndefined();
  expect(get('fox', 90)).toBeUndefined();
  expect(asked.map(({ width }) => width)).toEqual([128]);
  const small = await finish(0);
  expect(came()).toBe(1);
  expect(get('fox', 128)).toBe(small);
  expect(get('fox', 300)).toBe(small);
  const large = await finish(1);
  expect(get('fox', 300)).toBe(large);
  expect(asked).toHaveLength(2);
});

test('beyond its limit it lets go what was not used for longest', async () => {
  const bytes = 64 * 64 * 4;
  const { cache, finish, get } = world(2 * bytes);
  for (const key of ['a', 'b']) get(key, 64);
  const [a, b] = [await finish(0), await finish(1)];
  get('a', 64);
  get('c', 64);
  await finish(2);
  expect(b.closed).toBe(true);
  expect(a.closed).toBe(false);
  expect(cache.bytes).toBe(2 * bytes);
  cache.dispose();
  expect(a.closed).toBe(true);
});

test('after a change of pictures old ones show until new ones are painted', async () => {
  const { cache, asked, finish, get } = world();
  get('fox', 64);
  const old = await finish(0);
  cache.forget();
  expect(get('fox', 64)).toBe(old);
  expect(asked).toHaveLength(2);
  const fresh = await finish(1);
  expect(get('fox', 64)).toBe(fresh);
  expect(old.closed).toBe(true);
});

test('a side that cannot be painted is not tried again and again', async () => {
  const { cache, asked, get } = world();
  get('fox', 64);
  asked[0]?.fail();
  await Promise.resolve();
  await Promise.resolve();
  get('fox', 64);
  expect(asked).toHaveLength(1);
  expect(cache.hasFailed('fox')).toBe(true);
});
