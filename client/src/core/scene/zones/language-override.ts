import * as z from 'zod';
import { MAX_LANGUAGE_LENGTH } from '../limits.ts';
import { degSchema, mmPositiveSchema, mmSchema } from '../style/paint.ts';
import { ptSchema, textStyleSchema } from '../style/text-style.ts';

/** Most languages that a zone differs in; a project has no more. */
const MAX_OVERRIDES = 60;

/** Properties of a style that a language may have of its own. None has a default, so that what is left out stays so. */
const { family, size, weight, italic, lineHeight, letterSpacing, align } = textStyleSchema.shape;
const styleShape = z.object({
  family,
  size,
  weight,
  italic,
  lineHeight,
  letterSpacing,
  align,
  hyphenate: textStyleSchema.shape.hyphenate.unwrap(),
  direction: textStyleSchema.shape.direction.unwrap(),
});

/** The properties that a zone has of its own in one language; those left out are as in all languages. */
export const languageOverrideSchema = z.object({
  x: mmSchema.optional(),
  y: mmSchema.optional(),
  w: mmPositiveSchema.optional(),
  h: mmPositiveSchema.optional(),
  rotation: degSchema.optional(),
  hidden: z.boolean().optional(),
  /** Of a text that shrinks. */
  minSize: ptSchema.optional(),
  style: styleShape.partial().optional(),
});

export type LanguageOverride = z.infer<typeof languageOverrideSchema>;

/** Overrides by the BCP 47 tag of the language. */
export const languageOverridesSchema = z
  .record(z.string().min(1).max(MAX_LANGUAGE_LENGTH), languageOverrideSchema)
  .refine((all) => Object.keys(all).length <= MAX_OVERRIDES, `at most ${MAX_OVERRIDES} languages`);

export const OWN_PROPERTIES = ['x', 'y', 'w', 'h', 'rotation', 'hidden', 'minSize'] as const;
export const OWN_STYLE = Object.keys(styleShape.shape) as readonly (keyof typeof styleShape.shape)[];
