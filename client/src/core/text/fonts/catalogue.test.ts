import { expect, test } from 'vitest';
import library from '../../../../assets/font-library.json' with { type: 'json' };
import committed from '../../../../assets/fonts.json' with { type: 'json' };
import { buildCatalogue, buildLibrary } from '../../../../scripts/fonts.mjs';
import { chooseFaces, FALLBACK_FAMILIES, FONT_FAMILIES, familyOf, findFamily } from './catalogue.ts';

test('the committed catalogue is the one the installed packages give', () => {
  expect(committed).toEqual(buildCatalogue());
  expect(library).toEqual(buildLibrary());
});

test('every family is open, credited and has a regular face', () => {
  const offered = FONT_FAMILIES.filter(({ fallbackOnly }) => !fallbackOnly);
  expect(offered.length).toBeGreaterThanOrEqual(4);
  expect(library.families.length).toBeGreaterThan(100);
  for (const family of [...FONT_FAMILIES, ...library.families.map(familyOf)]) {
    expect(family.licence).toMatch(/^(OFL-1\.1|Apache-2\.0)$/);
    expect(family.copyright).toMatch(/copyright/i);
    expect(chooseFaces(family, 400, false).files.length).toBeGreaterThan(0);
  }
});

test('families are found by id and by name; fallbacks exist', () => {
  expect(findFamily('eb-garamond')).toBe(findFamily('EB Garamond'));
  expect(findFamily('nothing')).toBeUndefined();
  for (const id of FALLBACK_FAMILIES) expect(findFamily(id)?.id).toBe(id);
});

test('faces a family lacks are made up', () => {
  const bebas = findFamily('bebas-neue');
  const lora = findFamily('lora');
  if (!bebas || !lora) throw new Error('families missing');
  expect(chooseFaces(bebas, 700, true)).toMatchObject({ madeUpBold: true, madeUpItalic: true });
  expect(chooseFaces(lora, 700, true)).toMatchObject({ madeUpBold: false, madeUpItalic: false });
});
