import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { BundleEntry, Painting } from '../../core/imposition/images/painting.ts';
import { jpegWithResolution } from '../../render/images/resolution.ts';
import { type BundleTools, writeBundle } from './bundle.ts';
import { Pipe } from './pipe.ts';

const painting = (width: number): Painting => ({ width, height: 1, background: null, items: [], lines: [] });
const entry = (index: number): BundleEntry => ({
  name: `${index}.png`,
  kind: 'painting',
  painting: painting(index),
  encoding: { type: 'image/png', quality: 1, dpi: 300 },
});

/** A bundle written into memory; `encode` returns the painting's width as one byte. */
async function bundle(entries: readonly BundleEntry[], rest: Partial<BundleTools> = {}) {
  const chunks: Uint8Array[] = [];
  const progress: number[] = [];
  const { issues } = await writeBundle(entries, {
    encode: async ({ width }) => ({ bytes: Uint8Array.of(width), issues: [] }),
    ahead: 3,
    created: new Date(0),
    write: async (chunk) => void chunks.push(chunk.slice()),
    onProgress: ({ done }) => progress.push(done),
    ...rest,
  });
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { files: unzipSync(bytes), issues, progress };
}

describe('bundles', () => {
  test('every file is in the ZIP, in order, whichever is finished first', async () => {
    const waiting: (() => void)[] = [];
    const entries = Array.from({ length: 7 }, (_, index) => entry(index));
    const made = bundle(entries, {
      encode: ({ width }) =>
        new Promise((resolve) => {
          waiting.unshift(() => resolve({ bytes: Uint8Array.of(width), issues: [] }));
          // Three are under way: the last begun is the first done.
          if (waiting.length === 3 || width >= 5) for (const finish of waiting.splice(0)) finish();
        }),
    });
    const { files, progress } = await made;
    expect(Object.keys(files)).toEqual(entries.map(({ name }) => name));
    expect(Object.values(files).map(([byte]) => byte)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(progress).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('no more are under way than asked for', async () => {
    let under = 0;
    let most = 0;
    await bundle(
      Array.from({ length: 40 }, (_, index) => entry(index)),
      {
        ahead: 4,
        encode: async ({ width }) => {
          most = Math.max(most, ++under);
          await Promise.resolve();
          under--;
          return { bytes: Uint8Array.of(width), issues: [] };
        },
      },
    );
    expect(most).toBeLessThanOrEqual(5);
  });

  test('texts lie beside pictures', async () => {
    const { files } = await bundle([entry(1), { name: 'cards.csv', kind: 'text', text: 'ä,b\r\n' }]);
    expect(new TextDecoder().decode(files['cards.csv'])).toBe('ä,b\r\n');
  });

  test('a file that fails is named, and nothing goes on', async () => {
    const begun: number[] = [];
    const failing = bundle(
      Array.from({ length: 50 }, (_, index) => entry(index)),
      {
        encode: async ({ width }) => {
          begun.push(width);
          if (width === 5) throw new Error('no canvas');
          return { bytes: Uint8Array.of(width), issues: [] };
        },
      },
    );
    await expect(failing).rejects.toThrow('5.png could not be made: no canvas');
    expect(begun.length).toBeLessThan(15);
  });

  test('a cancelled bundle rejects with the reason', async () => {
    const controller = new AbortController();
    const cancelled = bundle(
      Array.from({ length: 50 }, (_, index) => entry(index)),
      {
        signal: controller.signal,
        onProgress: ({ done }) => done === 3 && controller.abort(),
      },
    );
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a disk that is full ends it', async () => {
    const full = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'));
    await expect(bundle([entry(1)], { write: full })).rejects.toThrow('The disk is full.');
  });
});

test('a pipe hands over each value once, in order, and ends', async () => {
  const pipe = new Pipe<number>();
  const taken: number[] = [];
  const reading = (async () => {
    for await (const value of pipe) taken.push(value);
  })();
  for (let value = 0; value < 5; value++) await pipe.push(value);
  pipe.end();
  await reading;
  expect(taken).toEqual([0, 1, 2, 3, 4]);
});

test('JPEG says its resolution in its head', () => {
  const jpeg = Uint8Array.of(
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    16,
    0x4a,
    0x46,
    0x49,
    0x46,
    0,
    1,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
  );
  const made = jpegWithResolution(jpeg.slice(), 300);
  expect([...made.subarray(13, 18)]).toEqual([1, 1, 44, 1, 44]);
  const bare = Uint8Array.of(0xff, 0xd8, ...jpeg.subarray(20), ...jpeg);
  expect(jpegWithResolution(bare.slice(), 300)).toEqual(bare);
});
