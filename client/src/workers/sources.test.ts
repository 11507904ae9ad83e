import { afterEach, expect, test, vi } from 'vitest';
import { EMPTY_LIBRARY } from '../core/images/library.ts';
import { MAX_IMAGE_BYTES } from '../core/images/limits.ts';
import { imageReader } from './sources.ts';

const MIB = 1024 * 1024;

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

test('an image of another server is named as such, where the page may not fetch it', async () => {
  vi.stubGlobal('location', { origin: 'https://cards.example' });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  for (const source of [
    'https://tracker.example/x.png',
    '//tracker.example/x.png',
    'http://cards.example/x',
  ]) {
    await expect(read(source), source).rejects.toThrow('lies on another server');
  }
  expect(await read('/v0/b/x')).toBeUndefined();
  vi.stubGlobal('fetch', async () => new Response('gone', { status: 404 }));
  expect(await read('https://cards.example/x.png')).toBeUndefined();
});
