/**
 * Units of the scene. Everything laid out is in millimetres, type sizes are in points, angles in degrees clockwise, and
 * pixels exist only inside a painter. The types are branded, so that a length in one unit cannot be passed where
 * another is wanted; bare numbers (literals, results of arithmetic) are accepted everywhere.
 */
declare const unit: unique symbol;

type Unit<Name extends string> = number & { readonly [unit]?: Name };

/** A length in millimetres. */
export type Mm = Unit<'mm'>;
/** A type size in points, 1/72 inch. */
export type Pt = Unit<'pt'>;
/** An angle in degrees, clockwise as seen on the card. */
export type Deg = Unit<'deg'>;
/** A length in device pixels of one painter. */
export type Px = Unit<'px'>;

const MM_PER_INCH = 25.4;
const PT_PER_INCH = 72;
/** CSS reference pixels per inch; the unit of imported Dextrous layouts. */
const CSS_PX_PER_INCH = 96;

export const mm = (value: number): Mm => value;
export const pt = (value: number): Pt => value;
export const deg = (value: number): Deg => value;
export const px = (value: number): Px => value;

export const ptToMm = (value: Pt): Mm => ((value as number) * MM_PER_INCH) / PT_PER_INCH;
export const mmToPt = (value: Mm): Pt => ((value as number) * PT_PER_INCH) / MM_PER_INCH;
export const inchToMm = (value: number): Mm => value * MM_PER_INCH;
export const mmToInch = (value: Mm): number => (value as number) / MM_PER_INCH;
export const cssPxToMm = (value: number): Mm => (value * MM_PER_INCH) / CSS_PX_PER_INCH;
/** Pixels per millimetre at a resolution in dots per inch. */
export const pxPerMm = (dpi: number): number => dpi / MM_PER_INCH;
