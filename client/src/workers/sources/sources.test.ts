import { afterEach, expect, test, vi } from 'vitest';
import { EMPTY_LIBRARY, ImageLibrary } from '../../core/images/library.ts';
import { MAX_IMAGE_BYTES } from '../../core/images/limits.ts';
import type { FaceFile } from '../../core/text/fonts/catalogue.ts';
import { fetchFace, imageReader } from './sources.ts';

const MIB = 1024 * 1024;
const FACE = { weight: 400, italic: false } as FaceFile;

afterEach(() => vi.unstubAllGlobals());

const read = imageReader(
  new Map([['huge', new Blob([new Uint8Array(MAX_IMAGE_BYTES + 1)])]]),
  () => EMPTY_LIBRARY,
);

test('an image is not downloaded further than it may be large', async () => {
  let sent = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += MIB;
        controller.enqueue(new Uint8Array(MIB));
      },
    });
  vi.stubGlobal('fetch', async () => new Response(body()));
  await expect(read('/v0/b/endless')).rejects.toThrow('is larger than 40 MB');
  expect(sent).toBeLessThanOrEqual(MAX_IMAGE_BYTES + 3 * MIB);
  sent = 0;
  const headers = { 'content-length': `${MAX_IMAGE_BYTES + 1}` };
  vi.stubGlobal('fetch', async () => new Response(body(), { headers }));
  await expect(read('/v0/b/announced')).rejects.toThrow('is larger than 40 MB');
  expect(sent).toBeLessThanOrEqual(2 * MIB);
});

test('a file that was brought is not read when it is too large', async () => {
  await expect(read('huge')).rejects.toThrow('is larger than 40 MB');
});

test('only stored files of the same server are fetched, whoever names the address', async () => {
  vi.stubGlobal('location', { origin: 'https://cards.example' });
  const fetched = vi.fn(async () => new Response('gone', { status: 404 }));
  vi.stubGlobal('fetch', fetched);
  for (const source of [
    'https://tracker.example/x.png',
    '//tracker.example/x.png',
    'http://cards.example/x',
  ]) {
    await expect(read(source), source).rejects.toThrow('lies on another server');
  }
  for (const source of ['/metrics', '/v0/b/../../metrics', 'https://cards.example/x.png']) {
    await expect(read(source), source).rejects.toThrow('is no stored image');
  }
  const forged = [
    { id: 'i', shelf: 'image', path: 'a.png', former: [], url: 'https://tracker.example/v0/b/x' },
  ] as const;
  const shared = imageReader(new Map(), () => new ImageLibrary(forged));
  await expect(shared('a.png')).rejects.toThrow('lies on another server');
  for (const file of ['https://tracker.example/f.ttf', '/metrics', '//tracker.example/v0/b/f']) {
    await expect(fetchFace({ ...FACE, file }), file).rejects.toThrow('no font stored here');
  }
  expect(fetched).not.toHaveBeenCalled();
  expect(await read('/v0/b/x')).toBeUndefined();
  expect(fetched).toHaveBeenCalledWith('/v0/b/x', { redirect: 'error' });
});
