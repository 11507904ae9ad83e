import type { Mm } from '../../units.ts';
import type { Blend, Filter, Radii } from '../style/paint.ts';
import type { ZoneKind } from '../zones.ts';
import type { Matrix, Point, Rect } from './matrix.ts';

/**
 * Display list of a card: an ordered list of operations in millimetres, origin at the trim's top left corner, y down.
 * Painters are stack machines over it and decide nothing: the same list looks the same on screen, in a PNG and in a
 * PDF. A list is plain JSON.
 */
export interface DisplayList {
  /** Trim size. */
  readonly w: Mm;
  readonly h: Mm;
  readonly bleed: Mm;
  /** Edge of the finished card. */
  readonly trim: Outline;
  readonly ops: readonly Op[];
  /** Frame of each painted zone, parents before children, back to front. */
  readonly zones: readonly ZoneFrame[];
  /** Problems of this card, for the designer. */
  readonly issues: readonly Issue[];
}

export type Op = PushOp | PopOp | PathOp | StampOp | ShadowOp | ImageOp | TextOp;

/** Opens a group; everything up to its `pop` is transformed, clipped and faded together. */
export interface PushOp {
  readonly op: 'push';
  readonly matrix: Matrix;
  readonly clip: Outline | null;
  /** Below 1, or with a blend mode, the group is composed apart and laid down as one. */
  readonly opacity: number;
  readonly blend: Blend;
  /** Applied to the whole group, first to last. */
  readonly filters?: readonly Filter[];
  /** Limits the visible part of the group. */
  readonly mask?: MaskPaint;
  /** The feature of the group that vectors lack: in a PDF it becomes an image. */
  readonly raster?: RasterReason;
}

export type RasterReason = 'filter' | 'mask' | 'conic-gradient' | 'colour-emoji';

export interface MaskPaint {
  readonly image: string;
  readonly box: Rect;
  readonly by: 'alpha' | 'brightness';
  /** Part of the image that fills `box`, as shares of its sides; the whole when left out. */
  readonly crop?: Rect;
}

export interface PopOp {
  readonly op: 'pop';
}

export interface PathOp {
  readonly op: 'path';
  readonly outline: Outline;
  readonly fill: Paint | null;
  readonly stroke: StrokePaint | null;
}

/** One small shape painted at many places, or one picture that the shape cuts out. */
export interface StampOp {
  readonly op: 'stamp';
  /** About the origin, which comes to lie on each place. */
  readonly outline: Outline;
  readonly fill: Extract<Paint, { kind: 'solid' }> | null;
  readonly stroke: StrokePaint | null;
  /** Lies over the fill, inside the outline; its box is about the same origin. */
  readonly image?: StampImage;
  /** Places, x then y for each. */
  readonly at: readonly Mm[];
}

/** The shadow of an outline, never seen through the outline's own inside. */
export interface ShadowOp {
  readonly op: 'shadow';
  /** The shape that casts it: excluded from the shadow. */
  readonly caster: Outline;
  /** The shadow's own shape: the caster moved and grown. */
  readonly outline: Outline;
  /** Standard deviation of the Gaussian blur; 0 is a hard edge. */
  readonly sigma: Mm;
  readonly color: Rgba;
}

export interface ImageOp {
  readonly op: 'image';
  /** Key in the image registry. */
  readonly image: string;
  /** Box of the whole image. */
  readonly box: Rect;
  /** The part of it that shows; null for all. */
  readonly clip: Outline | null;
  readonly opacity: number;
  /** Part of the image that fills `box`, as shares of its sides; the whole when left out. */
  readonly crop?: Rect;
}

/** The picture of a stamp. */
export type StampImage = Pick<ImageOp, 'image' | 'box' | 'opacity' | 'crop'>;

export interface TextOp {
  readonly op: 'text';
  readonly runs: readonly GlyphRun[];
  /** Painted first, back to front, then the outline, then the fill. */
  readonly shadows: readonly TextShadow[];
  readonly outline: { readonly color: Rgba; readonly width: Mm } | null;
}

export interface TextShadow {
  readonly dx: Mm;
  readonly dy: Mm;
  readonly sigma: Mm;
  readonly color: Rgba;
}

/** Words of one line in one face, size and colour, in reading order. */
export interface GlyphRun {
  /** Id of a face of the font catalogue. */
  readonly face: string;
  /** Type size, em to millimetres. */
  readonly size: Mm;
  readonly color: Rgba;
  /** Baseline. */
  readonly y: Mm;
  /** Slope of a synthesised italic; 0 where the family has an italic face. */
  readonly slant: number;
  /** Outline width of a synthesised bold, as a share of the size; 0 where the family has a bold face. */
  readonly embolden: number;
  readonly letterSpacing: Mm;
  /** The stretch of text it belongs to, such as a link. Painters ignore it. */
  readonly mark?: string;
  readonly words: readonly GlyphWord[];
}

export interface GlyphWord {
  readonly text: string;
  readonly x: Mm;
  readonly width: Mm;
  /** Glyph ids of the face. */
  readonly glyphs: readonly number[];
  /** Origins of the glyphs relative to the word, x then y for each, in em, y up. */
  readonly offsets: readonly number[];
  /** Start in `text` of the characters each glyph stands for. */
  readonly clusters: readonly number[];
  /** Baseline, where it is not the run's. */
  readonly y?: Mm;
  /** Turn about its origin in radians, clockwise; 0 when left out. */
  readonly turn?: number;
}

/** The image that an operation paints; undefined for those that paint none. */
export function shownImage(op: Op): string | undefined {
  if (op.op === 'image') return op.image;
  return op.op === 'stamp' ? op.image?.image : undefined;
}

/** Red, green, blue 0 to 255; alpha 0 to 1. */
export type Rgba = readonly [number, number, number, number];

export interface PaintStop {
  readonly at: number;
  readonly color: Rgba;
}

export type Paint =
  | { readonly kind: 'solid'; readonly color: Rgba }
  | {
      readonly kind: 'linear';
      readonly from: Point;
      readonly to: Point;
      readonly stops: readonly PaintStop[];
    }
  | {
      readonly kind: 'radial';
      readonly center: Point;
      readonly radius: Mm;
      readonly stops: readonly PaintStop[];
    }
  | {
      readonly kind: 'conic';
      readonly center: Point;
      /** Direction of the first stop, radians clockwise from the right, as canvas has it. */
      readonly start: number;
      readonly stops: readonly PaintStop[];
    };

export interface StrokePaint {
  readonly color: Rgba;
  readonly width: Mm;
  readonly dash: readonly Mm[];
  /** Offset along the dashes at which the line begins; 0 when left out. */
  readonly dashOffset?: Mm;
  /** Ends of the line; `butt` when left out. */
  readonly cap?: 'butt' | 'round' | 'square';
  /** Corners of the line; `miter` when left out. */
  readonly join?: 'miter' | 'round' | 'bevel';
  /** Corners longer than this many line widths are cut off; 4 when left out. */
  readonly miterLimit?: number;
}

export type Outline =
  | { readonly kind: 'rect'; readonly box: Rect; readonly radii: Radii }
  | { readonly kind: 'ellipse'; readonly box: Rect }
  | { readonly kind: 'polygon'; readonly points: readonly Point[] }
  | {
      readonly kind: 'path';
      readonly commands: readonly PathCommand[];
      /** Holes where contours overlap an even number of times. */
      readonly evenOdd: boolean;
    };

export type PathCommand =
  | readonly ['M', number, number]
  | readonly ['L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

/** A painted zone's box: `matrix` takes `box` (the zone's own, unrotated) to the card. */
export interface ZoneFrame {
  readonly id: string;
  readonly name: string;
  readonly kind: ZoneKind | 'base';
  /** Id of the document's zone: one zone of an iterator or a grid is painted many times. */
  readonly zone: string;
  readonly parent: string | null;
  readonly box: Rect;
  readonly matrix: Matrix;
  /** The shape that answers to the pointer, in the coordinates of `box`. */
  readonly outline: Outline;
  /** The text after markup, for screen readers; empty for other kinds. */
  readonly text: string;
  /** The size type was set at, in points, after fitting; 0 for other kinds. */
  readonly fittedSize: number;
  /** Set if nothing of the zone is painted, as of a text without words. */
  readonly blank?: true;
}

export type IssueCode =
  | 'text-overflow'
  | 'missing-glyph'
  | 'missing-image'
  | 'missing-font'
  | 'unknown-column'
  | 'bad-value'
  | 'formula'
  | 'too-many-items'
  | 'bad-code'
  | 'bad-clip'
  | 'bad-markup';

/** A problem of one zone on one card. The card is painted all the same. */
export interface Issue {
  readonly zone: string;
  readonly code: IssueCode;
  /** Names the problem and the remedy, for the designer. */
  readonly message: string;
  /** The property concerned, where there is one. */
  readonly path?: string;
  /** Place in the property's formula or text, in UTF-16 units. */
  readonly at?: number;
}
