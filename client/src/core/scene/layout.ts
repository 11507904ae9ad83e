import * as z from 'zod';
import { bindingsSchema, nameSchema } from './binding.ts';
import {
  MAX_GUIDES,
  MAX_LANGUAGE_LENGTH,
  MAX_SAMPLE_CELLS,
  MAX_TEXT_LENGTH,
  MAX_TOKEN_LENGTH,
  MAX_ZONES,
} from './limits.ts';
import { imagePlacementSchema } from './style/image-placement.ts';
import { layoutFontSchema, MAX_LAYOUT_FONTS } from './style/layout-font.ts';
import {
  colourSchema,
  fillSchema,
  MAX_SOURCE_LENGTH,
  mmPositiveSchema,
  mmSchema,
  strokeSchema,
} from './style/paint.ts';
import { weightSchema } from './style/text-style.ts';
import { zoneSchema } from './zones.ts';

/**
 * The document of a card layout, as stored. A layout is a base (the card itself) and a tree of
 * zones in paint order, first at the back. A zone's `x`, `y` place its top left corner in its
 * parent, in millimetres; rotation is about its centre. Every property holds a literal; an entry
 * of `bindings` for its path replaces the literal, card by card, with a column's cell or a
 * formula's value. The document is plain JSON without nested arrays and without `undefined`, so a
 * document store keeps it as it is.
 */

/** Version of the layout document this code writes. */
export const LAYOUT_VERSION = 1;

/** The card itself: a colour or gradient and, over it, an image. Both reach into the bleed. */
export const baseZoneSchema = z.object({
  id: z.literal('base'),
  kind: z.literal('base'),
  fill: fillSchema,
  image: imagePlacementSchema.extend({
    source: z.string().max(MAX_SOURCE_LENGTH),
    opacity: z.number().min(0).max(1),
  }),
  stroke: strokeSchema,
  bindings: bindingsSchema,
});

export const cardSizeSchema = z.object({
  /** Id of `sizes.ts`, or `custom`. */
  preset: z.string().max(64),
  w: mmPositiveSchema,
  h: mmPositiveSchema,
  shape: z.enum(['rect', 'rounded', 'circle', 'hex-pointy', 'hex-flat']),
  /** Corner radius of `rounded`. */
  radius: mmPositiveSchema,
});

/** A macro of the text: `{name}` becomes its value, or `{name:text}` takes its style. */
export const variableSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), name: nameSchema, value: z.string().max(MAX_TEXT_LENGTH) }),
  z.object({
    kind: z.literal('icon'),
    name: nameSchema,
    source: z.string().max(MAX_SOURCE_LENGTH),
    /** Height as a share of the type size. */
    size: z.number().min(0.05).max(20),
    /** Shift from the line, as a share of the type size; positive is down. */
    offset: z.number().min(-10).max(10),
    /** Inserted wherever its name is a word of the text, in the same case, without braces. */
    anywhere: z.boolean().optional(),
    /** Alternative spelling, delimiters included: `[credit]`, `:sword:`. */
    token: z.string().max(MAX_TOKEN_LENGTH).optional(),
  }),
  z.object({
    kind: z.literal('style'),
    name: nameSchema,
    style: z.object({
      family: nameSchema.optional(),
      weight: weightSchema.optional(),
      italic: z.boolean().optional(),
      color: colourSchema.optional(),
      /** Multiplies the size around it. */
      scale: z.number().min(0.05).max(20).optional(),
    }),
  }),
]);

const sampleSchema = z
  .record(nameSchema, z.string().max(MAX_TEXT_LENGTH))
  .refine((cells) => Object.keys(cells).length <= MAX_SAMPLE_CELLS, `at most ${MAX_SAMPLE_CELLS} columns`);

export const layoutSchema = z.object({
  version: z.literal(LAYOUT_VERSION),
  name: nameSchema,
  size: cardSizeSchema,
  bleed: mmPositiveSchema,
  /** Distance from the trim within which nothing important should lie. */
  safe: mmPositiveSchema,
  base: baseZoneSchema,
  zones: z.array(zoneSchema).max(MAX_ZONES),
  variables: z.array(variableSchema).max(1_000),
  /** Lines of the editor that zones snap to, in millimetres from the trim; never painted. */
  guides: z
    .object({ x: z.array(mmSchema).max(MAX_GUIDES), y: z.array(mmSchema).max(MAX_GUIDES) })
    .default({ x: [], y: [] }),
  /** Custom fonts that its texts are set in. */
  fonts: z.array(layoutFontSchema).max(MAX_LAYOUT_FONTS).optional(),
  /** Language of the words, as a BCP 47 tag; absent where they tell it themselves. */
  language: z.string().max(MAX_LANGUAGE_LENGTH).optional(),
  /** Cells by column of the sample card that stands in while there is no table. */
  sample: sampleSchema.optional(),
});

export type BaseZone = z.infer<typeof baseZoneSchema>;
export type CardSize = z.infer<typeof cardSizeSchema>;
export type Variable = z.infer<typeof variableSchema>;
export type InlineStyle = Extract<Variable, { kind: 'style' }>['style'];
export type Layout = z.infer<typeof layoutSchema>;
