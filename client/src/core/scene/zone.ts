import * as z from 'zod';
import type { Pt } from '../units.ts';
import {
  blendSchema,
  colourSchema,
  degSchema,
  fillSchema,
  MAX_SHADOWS,
  mmPositiveSchema,
  mmSchema,
  radiiSchema,
  shadowSchema,
  sidesSchema,
  strokeSchema,
} from './paint.ts';

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
/** Most zones in one layout, counted over the whole tree. */
export const MAX_ZONES = 500;
/** Deepest nesting of zones. */
export const MAX_DEPTH = 16;
/** Longest literal text of a zone, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 20_000;
/** Longest formula, in UTF-16 units. */
export const MAX_FORMULA_LENGTH = 2_000;
/** Longest name of a zone, layout, column, font or image. */
export const MAX_NAME_LENGTH = 500;
/** Longest image source; a data URL of a small icon fits. */
export const MAX_SOURCE_LENGTH = 200_000;

const nameSchema = z.string().max(MAX_NAME_LENGTH);

export const bindingSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('column'), column: nameSchema }),
  z.object({ mode: z.literal('formula'), formula: z.string().max(MAX_FORMULA_LENGTH) }),
]);

/** Property path, such as `text`, `fill` or `style.color`, to what drives it. */
export const bindingsSchema = z.record(z.string().max(100), bindingSchema);

const ptSchema = z.number().min(0.5).max(2_000) as unknown as z.ZodType<Pt, Pt>;

const common = {
  /** Stable for the life of the zone, unique in its layout. */
  id: z.string().min(1).max(64),
  name: nameSchema,
  x: mmSchema,
  y: mmSchema,
  w: mmPositiveSchema,
  h: mmPositiveSchema,
  rotation: degSchema,
  flipX: z.boolean(),
  flipY: z.boolean(),
  /** 0 is invisible, 1 is opaque. */
  opacity: z.number().min(0).max(1),
  blend: blendSchema,
  /** Not painted, takes no room in a flex container. */
  hidden: z.boolean(),
  /** The editor refuses to move it; painting is not affected. */
  locked: z.boolean(),
  /** Hide the zone on cards where its text or image is empty. */
  hideIfEmpty: z.boolean(),
  fill: fillSchema,
  stroke: strokeSchema,
  shadows: z.array(shadowSchema).max(MAX_SHADOWS),
  /** How the zone behaves inside a flex container; ignored elsewhere. */
  flex: z.object({
    grow: z.number().min(0).max(100),
    shrink: z.number().min(0).max(100),
    /** Keep `x` and `y` and take no part in the flow. */
    absolute: z.boolean(),
  }),
  bindings: bindingsSchema,
};

export const textStyleSchema = z.object({
  /** Family id of the font catalogue, such as `eb-garamond`. */
  family: nameSchema,
  size: ptSchema,
  weight: z.union([z.literal(400), z.literal(700)]),
  italic: z.boolean(),
  color: colourSchema,
  /** Baseline to baseline, as a multiple of the size. */
  lineHeight: z.number().min(0.1).max(10),
  /** Extra space after each letter, as a share of the size. */
  letterSpacing: z.number().min(-1).max(5),
  /** Space between paragraphs, as a share of the size. */
  paragraphGap: z.number().min(0).max(10),
  align: z.enum(['left', 'center', 'right', 'justify']),
  vAlign: z.enum(['top', 'middle', 'bottom']),
  transform: z.enum(['none', 'uppercase', 'lowercase']),
  /** Line around the letters, painted under their fill. */
  outline: z.object({ color: colourSchema, width: mmPositiveSchema }),
});

export const textZoneSchema = z.object({
  ...common,
  kind: z.literal('text'),
  /** Markup of `core/text/markup.ts`. */
  text: z.string().max(MAX_TEXT_LENGTH),
  style: textStyleSchema,
  radius: radiiSchema,
  padding: sidesSchema,
  /** What to do with text too long for the zone. */
  fit: z.enum(['none', 'shrink']),
  /** `shrink` goes no smaller. */
  minSize: ptSchema,
  /** Shadows of the letters. */
  textShadows: z.array(shadowSchema).max(MAX_SHADOWS),
  /** In a flex container: as tall as the text, rather than `h`. */
  autoHeight: z.boolean(),
});

export const imagePlacementSchema = z.object({
  fit: z.enum(['cover', 'contain', 'stretch']),
  /** Which part of the image stays in view: 0 left or top, 100 right or bottom. */
  posX: z.number().min(-1_000).max(1_000),
  posY: z.number().min(-1_000).max(1_000),
  /** Enlarges the fitted image. */
  scale: z.number().min(0.01).max(100),
});

export const imageZoneSchema = z.object({
  ...common,
  ...imagePlacementSchema.shape,
  kind: z.literal('image'),
  /** Name in the image library (`Folder/name.png`) or a URL. Empty paints no image. */
  source: z.string().max(MAX_SOURCE_LENGTH),
  radius: radiiSchema,
});

export const shapeZoneSchema = z.object({
  ...common,
  kind: z.literal('shape'),
  shape: z.enum(['rect', 'ellipse', 'polygon', 'star']),
  radius: radiiSchema,
  /** Corners of a polygon, points of a star. */
  points: z.number().int().min(3).max(64),
  /** Inner radius of a star as a share of the outer one. */
  inner: z.number().min(0.01).max(1),
});

export const containerOwnSchema = z.object({
  ...common,
  kind: z.literal('container'),
  /** `free` keeps the children where they are: a group. */
  arrange: z.enum(['free', 'flex']),
  direction: z.enum(['row', 'column', 'row-reverse', 'column-reverse']),
  wrap: z.boolean(),
  gap: mmPositiveSchema,
  justify: z.enum(['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly']),
  align: z.enum(['start', 'center', 'end', 'stretch']),
  padding: sidesSchema,
  /** In a flex container: as tall as its own children need, rather than `h`. */
  autoHeight: z.boolean(),
  /** Cut children at the container's edge. */
  clip: z.boolean(),
  radius: radiiSchema,
});

export type Binding = z.infer<typeof bindingSchema>;
export type Bindings = z.infer<typeof bindingsSchema>;
export type TextStyle = z.infer<typeof textStyleSchema>;
export type ImagePlacement = z.infer<typeof imagePlacementSchema>;
export type TextZone = z.infer<typeof textZoneSchema>;
export type ImageZone = z.infer<typeof imageZoneSchema>;
export type ShapeZone = z.infer<typeof shapeZoneSchema>;
export interface ContainerZone extends z.infer<typeof containerOwnSchema> {
  children: Zone[];
}
export type Zone = TextZone | ImageZone | ShapeZone | ContainerZone;
export type ZoneKind = Zone['kind'];
export type ZoneCommon = Pick<Zone, keyof typeof common>;

export const containerZoneSchema: z.ZodType<ContainerZone> = containerOwnSchema.extend({
  children: z.array(z.lazy(() => zoneSchema)),
});

export const zoneSchema: z.ZodType<Zone> = z.lazy(() =>
  z.union([textZoneSchema, imageZoneSchema, shapeZoneSchema, containerZoneSchema]),
);

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
  }),
  z.object({
    kind: z.literal('style'),
    name: nameSchema,
    style: z.object({
      family: nameSchema.optional(),
      weight: z.union([z.literal(400), z.literal(700)]).optional(),
      italic: z.boolean().optional(),
      color: colourSchema.optional(),
      /** Multiplies the size around it. */
      scale: z.number().min(0.05).max(20).optional(),
    }),
  }),
]);

export const layoutSchema = z.object({
  version: z.literal(LAYOUT_VERSION),
  name: nameSchema,
  size: cardSizeSchema,
  bleed: mmPositiveSchema,
  /** Distance from the trim inside which nothing important should come. */
  safe: mmPositiveSchema,
  base: baseZoneSchema,
  zones: z.array(zoneSchema).max(MAX_ZONES),
  variables: z.array(variableSchema).max(1_000),
});

export type BaseZone = z.infer<typeof baseZoneSchema>;
export type CardSize = z.infer<typeof cardSizeSchema>;
export type Variable = z.infer<typeof variableSchema>;
export type InlineStyle = Extract<Variable, { kind: 'style' }>['style'];
export type Layout = z.infer<typeof layoutSchema>;
