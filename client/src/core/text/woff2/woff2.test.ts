import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import * as hb from 'harfbuzzjs';
import { expect, test } from 'vitest';
import reference from 'woff2-encoder/decompress';
import library from '../../../../assets/font-library.json' with { type: 'json' };
import { fontBytes } from './woff2.ts';

const packages = path.join(import.meta.dirname, '../../../../node_modules/@fontsource');
const read = (family: string, face: string): Uint8Array =>
  new Uint8Array(readFileSync(path.join(packages, family, 'files', `${face}.woff2`)));

/** Outlines and advances of a font, glyph by glyph. */
function drawn(bytes: Uint8Array): string[] {
  const face = new hb.Face(new hb.Blob(bytes));
  const font = new hb.Font(face);
  const glyphs = new Set([...face.collectUnicodes()].map((code) => font.nominalGlyph(code) ?? 0));
  return [...glyphs].map(
    (glyph) =>
      `${glyph} ${font.glyphHAdvance(glyph)} ${JSON.stringify(font.glyphExtents(glyph))} ${font.glyphToPath(glyph)}`,
  );
}

// Every tenth file covers all kinds of glyphs and metrics.
const sample = library.families
  .flatMap(({ id, faces }) => faces.map((face) => [id, face.id] as const))
  .filter((_, at) => at % 10 === 0);

test('fonts of the library are unpacked to what the reference unpacks them to', async () => {
  expect(sample.length).toBeGreaterThan(50);
  for (const [family, face] of sample) {
    const packed = read(family, face);
    expect(drawn(fontBytes(packed)), face).toEqual(drawn(Uint8Array.from(await reference(packed))));
  }
});

test('damaged files are refused, never endless', () => {
  const whole = read('rye', 'rye-latin-400-normal');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 400 }), fc.integer({ min: 0, max: 255 })), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      (changes, kept) => {
        const bytes = whole.slice(0, Math.ceil(whole.length * kept));
        for (const [at, value] of changes) bytes[4 + (at % (bytes.length - 4))] = value;
        try {
          fontBytes(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      },
    ),
    { numRuns: 300 },
  );
});
