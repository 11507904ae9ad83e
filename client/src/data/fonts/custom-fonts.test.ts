import { expect, test } from 'vitest';
import { layoutFontSchema } from '../../core/scene/style/layout-font.ts';
import { userFontSchema } from '../user-object/schema.ts';
import { customFamilies, customFonts, entryOf, withFont } from './custom-fonts.ts';

const info = {
  format: 'ttf',
  family: 'Old Map',
  weight: 400,
  italic: false,
  characters: 200,
  restricted: false,
  axes: [],
} as const;

test('files of one name are one family, of one person', () => {
  const stored = withFont([entryOf(info, '/a')], entryOf({ ...info, weight: 700, italic: true }, '/b'));
  const fonts = customFonts(stored, 'ann');
  for (const font of fonts) expect(layoutFontSchema.safeParse(font).success).toBe(true);
  const families = customFamilies(fonts);
  expect(families).toHaveLength(1);
  expect(families[0]?.faces.map(({ weight, italic }) => [weight, italic])).toEqual([
    [400, false],
    [700, true],
  ]);
  expect(customFonts(stored, 'bob')[0]?.family).not.toBe(fonts[0]?.family);
});

test('a variable font keeps its axes, and only such a font has them', () => {
  const axes = [{ tag: 'wght', min: 100, default: 400, max: 900 }];
  const stored = [entryOf({ ...info, axes }, '/a'), entryOf(info, '/b')].map((entry) =>
    userFontSchema.parse(entry),
  );
  expect(customFonts(stored, 'u').map((font) => layoutFontSchema.parse(font).axes)).toEqual([
    axes,
    undefined,
  ]);
  // Fields without a value are absent rather than undefined.
  expect(Object.keys(stored[1] ?? {})).not.toContain('axes');
  expect(userFontSchema.parse({ ...stored[0], axes: 'wide' }).url).toBe('/a');
});

test('a file of the same cut takes the place of the older one', () => {
  const stored = withFont([entryOf(info, '/a')], entryOf({ ...info, family: 'old map' }, '/b'));
  expect(stored.map(({ url }) => url)).toEqual(['/b']);
});

test('words for weights and styles are understood; an entry without a file is left out', () => {
  const entry = { fontFamily: 'X', url: '/x', format: 'woff2', fontWeight: 'bold', fontStyle: 'oblique' };
  expect(customFonts([entry, { ...entry, url: '' }], 'u')).toMatchObject([{ weight: 700, italic: true }]);
});
