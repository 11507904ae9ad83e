import * as z from 'zod';
import type { Deg, Mm } from '../../units.ts';

/**
 * Paints of areas. A colour is CSS text: `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()`, `hsl()` or a CSS colour
 * name (see `colour.ts`). It is kept as the designer wrote it.
 */

/** Longest colour text accepted; longer is never a colour. */
const MAX_COLOUR_LENGTH = 64;
/** Most stops of one gradient. */
export const MAX_GRADIENT_STOPS = 32;
/** Most shadows of one zone. */
export const MAX_SHADOWS = 8;

/** Longest length: no card or sheet is ten metres wide. */
export const MAX_LENGTH_MM = 10_000;
/** Largest turn, in degrees: a hundred revolutions. */
export const MAX_TURN_DEG = 36_000;
/** Largest amount of a filter, in its own unit. */
export const MAX_FILTER_AMOUNT = 360;

export const mmSchema = z.number().min(-MAX_LENGTH_MM).max(MAX_LENGTH_MM) as unknown as z.ZodType<Mm, Mm>;
export const mmPositiveSchema = z.number().min(0).max(MAX_LENGTH_MM) as unknown as z.ZodType<Mm, Mm>;
export const degSchema = z.number().min(-MAX_TURN_DEG).max(MAX_TURN_DEG) as unknown as z.ZodType<Deg, Deg>;

export const colourSchema = z.string().max(MAX_COLOUR_LENGTH);

export const gradientStopSchema = z.object({
  /** Place along the gradient, 0 to 1. */
  at: z.number().min(0).max(1),
  color: colourSchema,
});

const stopsSchema = z.array(gradientStopSchema).min(2).max(MAX_GRADIENT_STOPS);

/** Longest image source; a data URL of a small icon fits. */
export const MAX_SOURCE_LENGTH = 200_000;
export const sourceSchema = z.string().max(MAX_SOURCE_LENGTH);

/** Sides: top, right, bottom, left. */
export const sidesSchema = z.tuple([mmSchema, mmSchema, mmSchema, mmSchema]);

const sliceShare = z.number().min(0).max(50);
/** Placement of an image in a box. */
export const imagePlacementShape = {
  /** `tile` repeats it, `nine-slice` keeps its corners and stretches the rest. */
  fit: z.enum(['cover', 'contain', 'stretch', 'tile', 'nine-slice']),
  /** The part of the image that stays in view: 0 left or top, 100 right or bottom. */
  posX: z.number().min(-1_000).max(1_000),
  posY: z.number().min(-1_000).max(1_000),
  /** Enlarges the fitted image. */
  scale: z.number().min(0.01).max(100),
  /** Width of one tile; its height follows the image. */
  tile: mmPositiveSchema.default(10),
  /** Corners of a nine-slice as percent of the image: top, right, bottom, left. */
  slice: z.tuple([sliceShare, sliceShare, sliceShare, sliceShare]).default([25, 25, 25, 25]),
  /** Width of the corners of a nine-slice on the card. */
  sliceWidth: mmPositiveSchema.default(5),
};

export const fillSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('solid'), color: colourSchema }),
  z.object({
    kind: z.literal('linear'),
    /** 0 runs bottom to top, 90 left to right, as in CSS. */
    angle: degSchema,
    stops: stopsSchema,
  }),
  z.object({
    kind: z.literal('radial'),
    /** Centre as a share of the box, 0 to 1. */
    cx: z.number().min(-2).max(3),
    cy: z.number().min(-2).max(3),
    /** Radius as a share of half the box's diagonal. */
    radius: z.number().min(0.001).max(10),
    stops: stopsSchema,
  }),
  z.object({
    kind: z.literal('conic'),
    /** Centre as a share of the box, 0 to 1. */
    cx: z.number().min(-2).max(3),
    cy: z.number().min(-2).max(3),
    /** Direction of the first stop: 0 is up, clockwise, as in CSS. */
    angle: degSchema,
    stops: stopsSchema,
  }),
  z.object({ kind: z.literal('image'), source: sourceSchema, ...imagePlacementShape }),
]);

export const strokeSchema = z.object({
  color: colourSchema,
  /** 0 draws nothing. */
  width: mmPositiveSchema,
  /** Position of the line relative to the zone's edge. */
  align: z.enum(['inside', 'center', 'outside']),
  /** Lengths of dashes and gaps; empty draws a solid line. */
  dash: z.array(mmPositiveSchema).max(8),
});

export const shadowSchema = z.object({
  color: colourSchema,
  dx: mmSchema,
  dy: mmSchema,
  /** Blur as in CSS: the transition is this wide; its standard deviation is half of it. */
  blur: mmPositiveSchema,
  /** Grows (or shrinks, below 0) the shape before blurring. */
  spread: mmSchema,
});

/** Corner radii: top left, top right, bottom right, bottom left. */
export const radiiSchema = z.tuple([mmPositiveSchema, mmPositiveSchema, mmPositiveSchema, mmPositiveSchema]);

/** Most filters of one zone. */
export const MAX_FILTERS = 8;

/**
 * Filters of the zone's content, applied first to last, as in CSS. `amount` is millimetres for `blur`, degrees for
 * `hue-rotate`, and a share for the others: 1 leaves `brightness`, `contrast` and `saturate` unchanged and is the full
 * effect of the rest.
 */
export const filterSchema = z.object({
  kind: z.enum(['blur', 'brightness', 'contrast', 'saturate', 'hue-rotate', 'grayscale', 'sepia', 'invert']),
  amount: z.number().min(-MAX_FILTER_AMOUNT).max(MAX_FILTER_AMOUNT),
});

/** An image that masks the zone, stretched over it. Empty masks nothing. */
export const maskSchema = z.object({
  source: sourceSchema,
  /** By the image's transparency, or by its brightness. */
  by: z.enum(['alpha', 'brightness']),
  fit: z.enum(['cover', 'contain', 'stretch']),
});

/** The blend modes canvas and PDF share. */
export const blendSchema = z.enum([
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
]);

export type GradientStop = z.infer<typeof gradientStopSchema>;
export type Fill = z.infer<typeof fillSchema>;
export type Stroke = z.infer<typeof strokeSchema>;
export type Shadow = z.infer<typeof shadowSchema>;
export type Radii = z.infer<typeof radiiSchema>;
export type Sides = z.infer<typeof sidesSchema>;
export type Filter = z.infer<typeof filterSchema>;
export type Mask = z.infer<typeof maskSchema>;
export type Blend = z.infer<typeof blendSchema>;
