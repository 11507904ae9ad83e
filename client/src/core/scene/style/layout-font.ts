import * as z from 'zod';
import type { FontFamily } from '../../text/fonts/catalogue.ts';

/** Most custom font files in one layout. */
export const MAX_LAYOUT_FONTS = 60;
/** All characters: the coverage of a custom font is unknown until it is read. */
const ALL_CHARACTERS = [[0, 0x10ffff]] as const;

/** Most axes of one variable font. */
export const MAX_FONT_AXES = 16;

/** The axes of a variable font; see the OpenType specification's table `fvar`. */
export const fontAxesSchema = z
  .array(
    z.object({
      /** Four letters, such as `wght` or `wdth`. */
      tag: z.string().regex(/^[\x20-\x7e]{4}$/),
      min: z.number(),
      /** Default position on the axis. */
      default: z.number(),
      max: z.number(),
    }),
  )
  .max(MAX_FONT_AXES);

/** A custom font file, as a layout names it. The files lie where the layout lies: in its project or its library. */
export const layoutFontSchema = z.object({
  /** Family name that styles use; the same for all files of a family. */
  family: z.string().regex(/^own-[a-z0-9]{1,40}$/),
  name: z.string().min(1).max(200),
  /** Address of the file: a path on this site, or a URL. */
  url: z.string().min(1).max(2_000),
  /** 1 to 1,000, as in CSS; for a variable font, its default weight. */
  weight: z.number().int().min(1).max(1_000),
  italic: z.boolean(),
  /** Axes of a variable font; absent for other fonts. */
  axes: fontAxesSchema.optional(),
});

export type LayoutFont = z.infer<typeof layoutFontSchema>;

/** The families of custom font files. */
export function familiesOfFonts(fonts: readonly LayoutFont[]): FontFamily[] {
  const families = new Map<string, LayoutFont[]>();
  for (const font of fonts) families.set(font.family, [...(families.get(font.family) ?? []), font]);
  return [...families].map(([id, files]) => ({
    id,
    name: files[0]?.name ?? id,
    category: 'own',
    fallbackOnly: false,
    licence: '',
    licenceUrl: '',
    copyright: '',
    faces: files.map(({ url, weight, italic, axes }) => ({
      id: `${id}-${fingerprint(url)}-${weight}-${italic ? 'italic' : 'normal'}`,
      family: id,
      weight,
      italic,
      file: url,
      ranges: ALL_CHARACTERS,
      colour: false,
      ...(axes && axes.length > 0 && { axes }),
    })),
  }));
}

/** A short hash of an address, so that a replaced file is not mistaken for the old one. */
export function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return hash.toString(36);
}
