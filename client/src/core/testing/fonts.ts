import { readFileSync } from 'node:fs';
import path from 'node:path';
import library from '../../../assets/font-library.json' with { type: 'json' };
import { buildFontPack, readFace, readPackedFace } from '../../../scripts/fonts.mjs';
import { type Assets, NO_IMAGES } from '../layout/assets.ts';
import type { Column, Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { type FaceFile, familyOf } from '../text/fonts/catalogue.ts';
import { FontRegistry } from '../text/fonts/font-registry.ts';
import { type FontLists, FontLoader } from '../text/fonts/required-faces.ts';

/** The lists that the build ships. */
export const TEST_FONT_LISTS: FontLists = {
  library: async () => library.families.map(familyOf),
  eastAsian: async () => buildFontPack().families.map(familyOf),
};

/** Reads the files the build ships, and those under `/testing/` from beside this one. */
export async function readTestFace(face: FaceFile): Promise<Uint8Array> {
  if (face.file.startsWith('/fonts/cjk/')) return readPackedFace(face);
  const own = /^\/testing\/([\w.-]+)$/.exec(face.file)?.[1];
  return own === undefined
    ? readFace(face)
    : new Uint8Array(readFileSync(path.join(import.meta.dirname, 'fonts', own)));
}

/** Fonts for tests: the same files the build ships. */
export async function fontsFor(layout: Layout, rows: readonly Row[]): Promise<FontRegistry> {
  const fonts = new FontRegistry();
  await new FontLoader(fonts, readTestFace, TEST_FONT_LISTS).load(layout, rows);
  return fonts;
}

export async function assetsFor(
  layout: Layout,
  rows: readonly Row[],
  columns: readonly Column[] = [],
): Promise<Assets> {
  return { fonts: await fontsFor(layout, rows), images: NO_IMAGES, columns };
}
