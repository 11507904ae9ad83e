import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFace } from '../../../../scripts/fonts.mjs';
import { VARIABLE_FONT } from '../../testing/variable-font.ts';
import { findFace } from './catalogue.ts';
import { FontFileError, readFontFile } from './font-file.ts';
import { MAX_FONT_BYTES } from './font-limits.ts';

const file = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(path.join(import.meta.dirname, '../../testing/fonts', name)));
const otf = file('tuckbox-test.otf');
const woff2 = file('tuckbox-test-bold-italic.woff2');

async function refusal(bytes: Uint8Array): Promise<string> {
  const error = await readFontFile(bytes, 'My.font').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FontFileError);
  return (error as Error).message;
}

test('OTF, WOFF 2 and TTF say what they are', async () => {
  expect(await readFontFile(otf, 'a.otf')).toEqual({
    format: 'otf',
    family: 'Tuckbox Test',
    weight: 400,
    italic: false,
    characters: 53,
    restricted: false,
    axes: [],
  });
  expect(await readFontFile(woff2, 'b.woff2')).toMatchObject({ format: 'woff2', weight: 700, italic: true });
  const lora = findFace('lora-latin-700-italic');
  if (!lora) throw new Error('face missing');
  expect(await readFontFile(new Uint8Array(await readFace(lora)), 'lora.ttf')).toMatchObject({
    format: 'ttf',
    family: 'Lora',
    weight: 700,
    italic: true,
  });
});

test('a variable font says what can be changed of it', async () => {
  const info = await readFontFile(file('tuckbox-test-variable.ttf'), 'v.ttf');
  expect(info).toMatchObject({ family: 'Tuckbox Test Variable', weight: 400, axes: VARIABLE_FONT.axes });
});

test('what is no usable font is refused with its reason', async () => {
  const text = (words: string) => new TextEncoder().encode(words);
  expect(await refusal(text('wOFF0000'))).toMatch(/WOFF 1/);
  expect(await refusal(text('ttcf0000'))).toMatch(/collection/);
  expect(await refusal(text('<svg onload="alert(1)">'))).toMatch(/not a font/);
  expect(await refusal(text(''))).toMatch(/not a font/);
  expect(await refusal(new Uint8Array(MAX_FONT_BYTES + 1))).toMatch(/larger than 20 MB/);
  expect(await refusal(otf.slice(0, 400))).toMatch(/damaged/);
  const bomb = woff2.slice();
  new DataView(bomb.buffer).setUint32(16, 0x7fffffff);
  expect(await refusal(bomb)).toMatch(/too large once unpacked/);
});

test('damaged files never do worse than being refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(otf, woff2),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (whole, changes, kept) => {
        const bytes = whole.slice(0, Math.ceil(whole.length * kept));
        for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
        await readFontFile(bytes, 'x').catch((error: unknown) => {
          if (!(error instanceof FontFileError)) throw error;
        });
      },
    ),
    { numRuns: 200 },
  );
});
