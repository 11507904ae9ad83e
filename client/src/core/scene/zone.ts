import * as z from 'zod';
import type { Pt } from '../units.ts';
import { layoutFontSchema, MAX_LAYOUT_FONTS } from './layout-font.ts';
import {
  blendSchema,
  colourSchema,
  degSchema,
  fillSchema,
  filterSchema,
  imagePlacementShape,
  MAX_FILTERS,
  MAX_SHADOWS,
  MAX_SOURCE_LENGTH,
  maskSchema,
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
/** Longest mark that stands for an icon in a text. */
export const MAX_TOKEN_LENGTH = 40;
/** Longest clip path, in UTF-16 units. */
export const MAX_CLIP_LENGTH = 20_000;
/** Most items an iterator repeats; further ones are omitted and reported. */
export const MAX_ITEMS = 100;
/** Most guides of one direction. */
export const MAX_GUIDES = 100;
/** Most cells of one grid. */
export const MAX_CELLS = 400;

export { MAX_SOURCE_LENGTH } from './paint.ts';

const nameSchema = z.string().max(MAX_NAME_LENGTH);

export const bindingSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('column'), column: nameSchema }),
  z.object({ mode: z.literal('formula'), formula: z.string().max(MAX_FORMULA_LENGTH) }),
]);

/** Bindings by property path, such as `text`, `fill` or `style.color`. */
export const bindingsSchema = z.record(z.string().max(100), bindingSchema);

const formulaSchema = z.string().max(MAX_FORMULA_LENGTH);

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
  /** A formula; the zone is left out of cards where it gives no. Empty shows it always. */
  visibleIf: formulaSchema.default(''),
  /**
   * Shape of the zone in place of its natural one: SVG path data in a square of 100 by 100, or a CSS `polygon()` in
   * percent. The zone's content is clipped to it. Empty keeps the natural shape.
   */
  clipPath: z.string().max(MAX_CLIP_LENGTH).default(''),
  mask: maskSchema.default({ source: '', by: 'alpha', fit: 'stretch' }),
  filters: z.array(filterSchema).max(MAX_FILTERS).default([]),
  /** Behaviour inside a flex container; ignored elsewhere. */
  flex: z.object({
    grow: z.number().min(0).max(100),
    shrink: z.number().min(0).max(100),
    /** Keep `x` and `y` and take no part in the flow. */
    absolute: z.boolean(),
  }),
  bindings: bindingsSchema,
};

/** Weight of letters, as in CSS: 400 is regular, 700 bold. The nearest weight of the font is used. */
const weightSchema = z.number().int().min(1).max(1_000);

export const textStyleSchema = z.object({
  /** Family id of the font catalogue, such as `eb-garamond`. */
  family: nameSchema,
  size: ptSchema,
  weight: weightSchema,
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
  /** Extra space between words, as a share of the size. */
  wordSpacing: z.number().min(-1).max(10).default(0),
  /** Small letters as small capitals. */
  smallCaps: z.boolean().default(false),
  /** OpenType features by tag, such as `onum, ss01` or `liga=0`. */
  features: z.string().max(200).default(''),
  /** Axes of a variable font other than its weight, such as `wdth=80, opsz=12`. */
  axes: z.string().max(200).default(''),
  /** Language by whose rules words are hyphenated, such as `en-us`; empty never. */
  hyphenate: z.string().max(20).default(''),
  /** `auto` takes each paragraph's direction from its first letter. */
  direction: z.enum(['auto', 'ltr', 'rtl']).default('auto'),
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
  /**
   * Treatment of text too long for the zone: let it overflow, set it smaller, set it narrower, end it with an ellipsis,
   * or (`group`) set it on all cards of the project at the size the longest needs.
   */
  fit: z.enum(['none', 'shrink', 'squash', 'ellipsis', 'group']),
  /** `shrink` and `group` go no smaller. */
  minSize: ptSchema,
  /** Columns the text runs through, left to right. */
  columns: z.number().int().min(1).max(8).default(1),
  columnGap: mmPositiveSchema.default(3),
  /** Sweep of the arc the lines are bent along, in degrees; above 0 arches, below 0 sags. */
  curve: z.number().min(-360).max(360).default(0),
  /** Shadows of the letters. */
  textShadows: z.array(shadowSchema).max(MAX_SHADOWS),
  /** In a flex container: as tall as the text, rather than `h`. */
  autoHeight: z.boolean(),
});

export const imagePlacementSchema = z.object(imagePlacementShape);

export const imageZoneSchema = z.object({
  ...common,
  ...imagePlacementShape,
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

/** A machine-readable code; its text is used literally, without markup. */
export const codeZoneSchema = z.object({
  ...common,
  kind: z.literal('code'),
  symbology: z.enum(['qr', 'code128', 'code39', 'ean13', 'ean8', 'upc', 'itf14']),
  text: z.string().max(MAX_TEXT_LENGTH),
  color: colourSchema,
  /** Empty rim in modules; readers want 4 around a QR code, 10 beside bars. */
  quiet: z.number().int().min(0).max(20),
  /** Share of a QR code that may be damaged: 7, 15, 25 or 30 %. */
  correction: z.enum(['L', 'M', 'Q', 'H']),
  radius: radiiSchema,
});

const flowShape = {
  direction: z.enum(['row', 'column', 'row-reverse', 'column-reverse']),
  wrap: z.boolean(),
  gap: mmPositiveSchema,
  justify: z.enum(['start', 'center', 'end', 'space-between', 'space-around', 'space-evenly']),
  align: z.enum(['start', 'center', 'end', 'stretch']),
  padding: sidesSchema,
};

export const containerOwnSchema = z.object({
  ...common,
  kind: z.literal('container'),
  /** `free` keeps the children where they are: a group. */
  arrange: z.enum(['free', 'flex']),
  ...flowShape,
  /** In a flex container: as tall as its own children need, rather than `h`. */
  autoHeight: z.boolean(),
  /** Clip children to the container's edge. */
  clip: z.boolean(),
  radius: radiiSchema,
});

/** Cells side by side, each showing the children; formulas inside know `cell`, `row` and `col`, from 1. */
export const gridOwnSchema = z.object({
  ...common,
  kind: z.literal('grid'),
  cells: z.enum(['square', 'offset', 'hex-pointy', 'hex-flat']),
  cols: z.number().int().min(1).max(MAX_CELLS),
  rows: z.number().int().min(1).max(MAX_CELLS),
  gap: mmPositiveSchema,
  cellFill: fillSchema,
  cellStroke: strokeSchema,
  radius: radiiSchema,
});

/**
 * Its children once for each item. The item goes by `variable` in formulas inside, its place by
 * `variable` followed by `Index`, such as `itemIndex`.
 */
export const iteratorOwnSchema = z.object({
  ...common,
  kind: z.literal('iterator'),
  /** A formula for a list, or for a number of items. */
  list: formulaSchema,
  variable: z.string().min(1).max(40),
  /** Size of one item. */
  itemW: mmPositiveSchema,
  itemH: mmPositiveSchema,
  ...flowShape,
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
export interface GridZone extends z.infer<typeof gridOwnSchema> {
  children: Zone[];
}
export interface IteratorZone extends z.infer<typeof iteratorOwnSchema> {
  children: Zone[];
}
export type CodeZone = z.infer<typeof codeZoneSchema>;
export type ParentZone = ContainerZone | GridZone | IteratorZone;
export type Zone = TextZone | ImageZone | ShapeZone | CodeZone | ParentZone;
export type ZoneKind = Zone['kind'];
export type ZoneCommon = Pick<Zone, keyof typeof common>;

export const containerZoneSchema: z.ZodType<ContainerZone> = containerOwnSchema.extend({
  children: z.array(z.lazy(() => zoneSchema)),
});

const childrenShape = { children: z.array(z.lazy(() => zoneSchema)) };
export const gridZoneSchema: z.ZodType<GridZone> = gridOwnSchema.extend(childrenShape);
export const iteratorZoneSchema: z.ZodType<IteratorZone> = iteratorOwnSchema.extend(childrenShape);

export const zoneSchema: z.ZodType<Zone> = z.lazy(() =>
  z.union([
    textZoneSchema,
    imageZoneSchema,
    shapeZoneSchema,
    codeZoneSchema,
    containerZoneSchema,
    gridZoneSchema,
    iteratorZoneSchema,
  ]),
);

/** True if a zone holds others. */
export const isParent = (zone: Zone): zone is ParentZone => 'children' in zone;

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

/** Most columns of a layout's own sample card. */
export const MAX_SAMPLE_CELLS = 100;
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
  /** Custom fonts that the layout carries. */
  fonts: z.array(layoutFontSchema).max(MAX_LAYOUT_FONTS).optional(),
  /** Cells by column of the sample card that stands in while there is no table. */
  sample: sampleSchema.optional(),
});

export type BaseZone = z.infer<typeof baseZoneSchema>;
export type CardSize = z.infer<typeof cardSizeSchema>;
export type Variable = z.infer<typeof variableSchema>;
export type InlineStyle = Extract<Variable, { kind: 'style' }>['style'];
export type Layout = z.infer<typeof layoutSchema>;
