import { own } from '../../core/records.ts';
import { familiesOfFonts, fingerprint, type LayoutFont } from '../../core/scene/style/layout-font.ts';
import type { FontFamily } from '../../core/text/fonts/catalogue.ts';
import type { FontFileInfo } from '../../core/text/fonts/font-file.ts';
import type { UserFont } from '../user-object/schema.ts';

/** Most font files one person keeps. */
export const MAX_CUSTOM_FONTS = 200;

const WEIGHTS: Readonly<Record<string, number>> = { normal: 400, bold: 700 };

/** The fonts of somebody's settings, as layouts name them; those without a file are left out. */
export function customFonts(stored: readonly UserFont[], uid: string): LayoutFont[] {
  return stored
    .filter(({ url }) => url !== '')
    .map(({ fontFamily, url, fontWeight, fontStyle, axes }) => ({
      family: familyIdOf(fontFamily, uid),
      name: fontFamily,
      url,
      weight: own(WEIGHTS, fontWeight) ?? (Math.trunc(Number(fontWeight)) || 400),
      italic: /italic|oblique/i.test(fontStyle),
      ...(axes && axes.length > 0 && { axes }),
    }));
}

/** The families of somebody's own fonts, by name. */
export function customFamilies(fonts: readonly LayoutFont[]): FontFamily[] {
  return familiesOfFonts(fonts).sort((a, b) => a.name.localeCompare(b.name));
}

/** Two people's fonts of one name are two families: their files may differ. */
function familyIdOf(name: string, uid: string): string {
  return `own-${fingerprint(`${uid}\n${name.toLowerCase()}`)}`;
}

/** The settings' entry of a font file. */
export function entryOf(info: FontFileInfo, url: string): UserFont {
  return {
    fontFamily: info.family,
    url,
    format: info.format,
    fontWeight: String(info.weight),
    fontStyle: info.italic ? 'italic' : 'normal',
    ...(info.axes.length > 0 && { axes: [...info.axes] }),
  };
}

/** The list with an entry more; one of the same family, weight and style gives way. */
export function withFont(fonts: readonly UserFont[], entry: UserFont): UserFont[] {
  const same = (font: UserFont): boolean =>
    font.fontFamily.toLowerCase() === entry.fontFamily.toLowerCase() &&
    font.fontWeight === entry.fontWeight &&
    font.fontStyle === entry.fontStyle;
  return [...fonts.filter((font) => !same(font)), entry];
}
