import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { Adler32, crc32 } from './checksums.ts';
import { codeLengths } from './huffman.ts';
import { encodePng } from './png.ts';

/**
 * Encodes a copy, since encoding overwrites the pixels, and decodes it with another decoder, which checks every
 * checksum.
 */
async function roundTrip(pixels: Uint8ClampedArray, width: number, height: number) {
  const made = await encodePng(
    (row, rows) => pixels.slice(4 * width * row, 4 * width * (row + rows)),
    width,
    height,
    300,
  );
  return { made, read: PNG.sync.read(Buffer.from(made)) };
}

async function expectSame(pixels: Uint8ClampedArray, width: number, height: number): Promise<Uint8Array> {
  const { made, read } = await roundTrip(pixels, width, height);
  expect([read.width, read.height]).toEqual([width, height]);
  expect(Buffer.compare(read.data, Buffer.from(pixels))).toBe(0);
  return made;
}

/** Pseudorandom numbers, the same every time. */
function noise(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state ^ (state >>> 12)) & 255;
  };
}

describe('PNG', () => {
  test('whatever the pixels, they come back', async () => {
    // Few values make runs and repetition, many make none.
    const byte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 255));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(byte, { minLength: 1, maxLength: 200 }),
        async (width, height, bytes) => {
          const pixels = Uint8ClampedArray.from(
            { length: 4 * width * height },
            (_, at) => bytes[at % bytes.length] ?? 0,
          );
          await expectSame(pixels, width, height);
        },
      ),
    );
  });

  test.each([
    ['nothing at all', () => 0],
    ['one colour', () => 200],
    ['noise', noise(7)],
    ['a slope with grain', (at: number) => (at >> 9) + ((at * 7) & 3)],
    ['stripes farther apart than deflate looks back', (at: number) => ((at >> 14) % 3) * 80],
  ])(
    '%s over several strips comes back',
    async (_name, value) => {
      // More than a strip of rows, and rows that do not divide it.
      const [width, height] = [1_021, 4_130];
      const pixels = new Uint8ClampedArray(4 * width * height);
      for (let at = 0; at < pixels.length; at++) pixels[at] = value(at);
      await expectSame(pixels, width, height);
    },
    30_000,
  );

  test('flat pictures are small, noise hardly grows', async () => {
    const [width, height] = [744, 1_039];
    const raw = 4 * width * height;
    expect((await expectSame(new Uint8ClampedArray(raw).fill(255), width, height)).length).toBeLessThan(
      raw / 200,
    );
    const grain = noise(3);
    const random = Uint8ClampedArray.from({ length: raw }, grain);
    expect((await expectSame(random, width, height)).length).toBeLessThan(raw * 1.01);
  });

  test('says how many dots a metre has and that colours are sRGB', async () => {
    const { made } = await roundTrip(Uint8ClampedArray.of(1, 2, 3, 4), 1, 1);
    const view = new DataView(made.buffer, made.byteOffset);
    const text = new TextDecoder('latin1').decode(made);
    const at = text.indexOf('pHYs');
    expect([view.getUint32(at + 4), view.getUint32(at + 8), view.getUint8(at + 12)]).toEqual([
      11811, 11811, 1,
    ]);
    // The checksum of that chunk in PNG files of 300 dpi.
    expect(view.getUint32(at + 13).toString(16)).toBe('78a53f76');
    expect(text.indexOf('sRGB')).toBeLessThan(at);
    expect(at).toBeLessThan(text.indexOf('IDAT'));
  });
});

describe('sums', () => {
  test('are those of the specifications', () => {
    expect(crc32(new TextEncoder().encode('123456789')).toString(16)).toBe('cbf43926');
    const sum = new Adler32();
    for (const byte of new TextEncoder().encode('Wikipedia')) sum.byte(byte);
    expect(sum.value.toString(16)).toBe('11e60398');
  });

  test('pixels sum up as their bytes do', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 3_000 }),
        (values) => {
          const pixels = Int32Array.from(values);
          const whole = new Adler32();
          whole.pixels(pixels, 0, pixels.length);
          const single = new Adler32();
          for (const byte of new Uint8Array(pixels.buffer)) single.byte(byte);
          expect(whole.value).toBe(single.value);
        },
      ),
    );
  });
});

test('codes use all the room there is and none is too long', () => {
  const frequency = fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 50 }),
    // Frequencies that double make the longest codes.
    fc.integer({ min: 0, max: 30 }).map((power) => 2 ** power),
  );
  fc.assert(
    fc.property(
      fc.array(frequency, { minLength: 3, maxLength: 286 }),
      fc.constantFrom(7, 12),
      (all, limit) => {
        const frequencies = Uint32Array.from(all.slice(0, limit === 7 ? 19 : 286));
        const lengths = codeLengths(frequencies, limit);
        let room = 0;
        for (const [symbol, length] of lengths.entries()) {
          expect(length > 0).toBe((frequencies[symbol] ?? 0) > 0);
          expect(length).toBeLessThanOrEqual(limit);
          if (length > 0) room += 2 ** -length;
        }
        const used = frequencies.filter((one) => one > 0).length;
        expect(room).toBe(used === 0 ? 0 : used === 1 ? 0.5 : 1);
      },
    ),
  );
});
