import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
} from '@cantoo/pdf-lib';
import fc from 'fast-check';
import { unzlibSync, zlibSync } from 'fflate';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { embedImage } from './images.ts';
import { embedPngRows } from './png-image.ts';

const COLOURS = { grey: 0, rgb: 2, greyAlpha: 4, rgba: 6 } as const;
type Colour = (typeof COLOURS)[keyof typeof COLOURS];

/** A file of random pixels, some of them opaque throughout, each row with a filter of its own. */
const anyPng = fc
  .record({
    colour: fc.constantFrom<Colour>(...Object.values(COLOURS)),
    w: fc.integer({ min: 1, max: 9 }),
    h: fc.integer({ min: 1, max: 9 }),
    opaque: fc.boolean(),
    filter: fc.integer({ min: 0, max: 4 }),
    seed: fc.integer({ min: 1, max: 1e6 }),
  })
  .map(({ colour, w, h, opaque, filter, seed }) => {
    const png = new PNG({ width: w, height: h });
    let noise = seed;
    const next = () => {
      noise = (noise * 48_271) % 2_147_483_647;
      return noise & 255;
    };
    for (let at = 0; at < png.data.length; at += 4) {
      const grey = next();
      const pixel = colour === 0 || colour === 4 ? [grey, grey, grey] : [grey, next(), next()];
      const alpha = opaque || colour === 0 || colour === 2 ? 255 : next();
      png.data.set([...pixel, alpha], at);
    }
    const options = {
      colorType: colour,
      inputColorType: 6 as const,
      inputHasAlpha: true,
      filterType: filter,
    };
    return {
      file: new Uint8Array(PNG.sync.write(png, options)),
      pixels: [...png.data],
      colour,
      w,
      h,
      opaque,
    };
  });

const streamAt = (context: PDFContext, ref: PDFRef): PDFRawStream => {
  const stream = context.lookup(ref);
  if (!(stream instanceof PDFRawStream)) throw new Error('no stream');
  return stream;
};
const numberIn = (dict: PDFDict, key: string): number => {
  const value = dict.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : Number.NaN;
};

/** Undoes the filters of rows, without the code that is tested. */
function decoded(rows: Uint8Array, w: number, h: number, channels: number): number[] {
  const width = w * channels;
  const out: number[] = [];
  const at = (row: number, x: number) => (row < 0 || x < 0 ? 0 : (out[row * width + x] ?? 0));
  for (let row = 0; row < h; row++) {
    const filter = rows[row * (width + 1)];
    for (let x = 0; x < width; x++) {
      const [a, b, c] = [at(row, x - channels), at(row - 1, x), x < channels ? 0 : at(row - 1, x - channels)];
      const p = a + b - c;
      const near = [a, b, c].toSorted((one, two) => Math.abs(p - one) - Math.abs(p - two))[0] ?? 0;
      const guess = [0, a, b, Math.floor((a + b) / 2), near][filter ?? 0] ?? 0;
      out.push(((rows[row * (width + 1) + 1 + x] ?? 0) + guess) % 256);
    }
  }
  return out;
}

test('the pixels in a PDF are those of the file, with a mask where it is transparent', () => {
  fc.assert(
    fc.property(anyPng, ({ file, pixels, colour, w, h }) => {
      const context = PDFContext.create();
      const ref = embedPngRows(context, file);
      if (!ref) throw new Error('was not taken');
      const image = streamAt(context, ref);
      const parms = image.dict.lookup(PDFName.of('DecodeParms'), PDFDict);
      const channels = colour === 0 || colour === 4 ? 1 : 3;
      expect(numberIn(parms, 'Colors')).toBe(channels);
      expect([numberIn(parms, 'Columns'), numberIn(image.dict, 'Height')]).toEqual([w, h]);
      const found = decoded(unzlibSync(image.contents), w, h, channels);
      const maskRef = image.dict.get(PDFName.of('SMask'));
      const mask =
        maskRef instanceof PDFRef
          ? decoded(unzlibSync(streamAt(context, maskRef).contents), w, h, 1)
          : undefined;
      const isOpaque = pixels.every((value, at) => at % 4 !== 3 || value === 255);
      expect(mask === undefined).toBe(isOpaque);
      for (let pixel = 0; pixel < w * h; pixel++) {
        const [r, g, b, a] = pixels.slice(4 * pixel);
        const own = found.slice(pixel * channels, (pixel + 1) * channels);
        expect(own).toEqual(channels === 1 ? [r] : [r, g, b]);
        expect(mask?.[pixel] ?? 255).toBe(a);
      }
    }),
    { numRuns: 200 },
  );
});

/** A file of chunks; checksums are not looked at. */
function fileOf(...chunks: [name: string, content: Uint8Array | number[]][]): Uint8Array {
  const bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  for (const [name, content] of chunks) {
    bytes.push(
      0,
      0,
      content.length >> 8,
      content.length & 255,
      ...new TextEncoder().encode(name),
      ...content,
      0,
      0,
      0,
      0,
    );
  }
  return Uint8Array.from(bytes);
}
const head = (w: number, h: number, depth: number, colour: number, interlaced = 0) => [
  ...[0, 0, 0, w, 0, 0, 0, h],
  ...[depth, colour, 0, 0, interlaced],
];
const rows = zlibSync(Uint8Array.of(0, 0b0110_0000, 0, 0b1000_0000));

test('a palette goes along, in as few bits as it has', () => {
  const context = PDFContext.create();
  const file = fileOf(['IHDR', head(3, 2, 1, 3)], ['PLTE', [255, 0, 10, 0, 128, 255]], ['IDAT', rows]);
  const ref = embedPngRows(context, file);
  const { dict, contents } = streamAt(context, ref as PDFRef);
  const space = dict.lookup(PDFName.of('ColorSpace'), PDFArray);
  expect(space.lookup(0)).toBe(PDFName.of('Indexed'));
  expect(space.lookup(2, PDFNumber).asNumber()).toBe(1);
  expect(space.lookup(3, PDFHexString).asString()).toBe('ff000a0080ff');
  expect(numberIn(dict, 'BitsPerComponent')).toBe(1);
  expect([...contents]).toEqual([...rows]);
});

test('files that have to be decoded are left to the decoder', () => {
  const context = PDFContext.create();
  const palette: [string, number[]] = ['PLTE', [0, 0, 0, 1, 1, 1]];
  for (const file of [
    fileOf(['IHDR', head(3, 2, 16, 0)], ['IDAT', rows]),
    fileOf(['IHDR', head(3, 2, 1, 0, 1)], ['IDAT', rows]),
    fileOf(['IHDR', head(3, 2, 1, 3)], palette, ['tRNS', [0]], ['IDAT', rows]),
    fileOf(['IHDR', head(3, 2, 1, 3)], ['iCCP', [0]], palette, ['IDAT', rows]),
    fileOf(['IDAT', rows]),
  ]) {
    expect(embedPngRows(context, file)).toBeUndefined();
  }
});

test('no more is unpacked than the pixels of the file take', () => {
  const context = PDFContext.create();
  const bomb = zlibSync(new Uint8Array(20 << 20));
  const file = fileOf(['IHDR', head(3, 2, 8, 6)], ['IDAT', bomb]);
  const { contents } = streamAt(context, embedPngRows(context, file) as PDFRef);
  expect(unzlibSync(contents)).toHaveLength(2 * (1 + 3 * 3));
});

test('a file that was cut short is refused by its name', async () => {
  const file = fileOf(['IHDR', head(3, 9, 1, 0)], ['IDAT', rows]);
  await expect(embedImage(PDFContext.create(), 'fox.png', file, undefined)).rejects.toThrow(
    'The image «fox.png» could not be put into the PDF: it ends before its last row.',
  );
  for (const length of [0, 2, 771]) {
    const colours: [string, number[]] = ['PLTE', Array<number>(length).fill(0)];
    const odd = fileOf(['IHDR', head(3, 2, 1, 3)], ...(length > 0 ? [colours] : []), ['IDAT', rows]);
    await expect(embedImage(PDFContext.create(), 'fox.png', odd, undefined)).rejects.toThrow('no palette');
  }
  for (const bytes of [0, 4, 6, 8]) {
    const broken = fileOf(['IHDR', head(3, 2, 1, 0)], ['IDAT', rows.subarray(0, bytes)]);
    await expect(embedImage(PDFContext.create(), 'fox.png', broken, undefined)).rejects.toThrow('«fox.png»');
  }
});
