import type { Column, Row } from '../../scene/card/row.ts';
import type { Rect } from '../../scene/display/matrix.ts';
import type { Layout } from '../../scene/layout.ts';
import type { Turn } from '../settings.ts';

/** A painting made of cards: one card, a sheet for a virtual table, a page of the preview. In pixels. */
export interface Painting {
  readonly width: number;
  readonly height: number;
  /** CSS colour; null leaves the painting transparent where no card is. */
  readonly background: string | null;
  readonly items: readonly PaintingItem[];
  /** Painted last. */
  readonly lines: readonly PaintingLine[];
}

export interface PaintingItem {
  readonly layout: Layout;
  readonly row: Row;
  readonly columns: readonly Column[];
  /** Top left corner of the trim as it lies. */
  readonly x: number;
  readonly y: number;
  /** Pixels per millimetre. */
  readonly scale: number;
  readonly turn: Turn;
  /** Millimetres shown around the trim. */
  readonly bleed: number;
  /** Transparent outside the trim's outline, corners included. */
  readonly clipToTrim: boolean;
  readonly lowInk: boolean;
  /** The part of the painting on which the item shows; all of it when left out. */
  readonly clip?: Rect;
}

export interface PaintingLine {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly color: string;
  readonly width: number;
  readonly dash: readonly number[];
}

export type ImageFileType = 'image/png' | 'image/jpeg' | 'image/webp';

/** File format of a painting. */
export interface Encoding {
  readonly type: ImageFileType;
  /** 0 to 1, of JPEG and WebP. */
  readonly quality: number;
  /** Written into PNG and JPEG, so that print programs know the size. */
  readonly dpi: number;
}

export const EXTENSIONS: Readonly<Record<ImageFileType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** Largest side of a painting in pixels; larger canvases fail silently. */
export const MAX_SIDE_PX = 16_384;
/** Most pixels of a painting: a canvas of them takes a gibibyte. */
export const MAX_PIXELS = 268_435_456;
/** Largest side of a PNG, which is painted in bands: as far away as the canvas painter draws shapes out of view. */
export const MAX_BANDED_SIDE_PX = 30_000;
/** Most pixels of a PNG: packed, it is in memory whole. */
export const MAX_BANDED_PIXELS = 536_870_912;
/** Largest side that WebP's header can hold. */
const MAX_WEBP_SIDE_PX = 16_383;

/** The limit that an image of this size passes, in words; undefined when it can be made. */
export function tooLargeFor(type: ImageFileType, width: number, height: number): string | undefined {
  const longest = Math.max(width, height);
  const pixels = width * height;
  if (type === 'image/png') {
    if (longest > MAX_BANDED_SIDE_PX) return `a PNG may be ${MAX_BANDED_SIDE_PX} pixels long at most`;
    if (pixels <= MAX_BANDED_PIXELS) return undefined;
    return `a PNG may have ${Math.floor(MAX_BANDED_PIXELS / 1e6)} megapixels at most`;
  }
  const name = type === 'image/webp' ? 'WebP' : 'JPEG';
  const most = type === 'image/webp' ? MAX_WEBP_SIDE_PX : MAX_SIDE_PX;
  if (longest > most) return `${name} ends at ${most} pixels a side, so choose PNG`;
  if (pixels <= MAX_PIXELS) return undefined;
  return `${name} ends at ${Math.floor(MAX_PIXELS / 1e6)} megapixels, so choose PNG`;
}

/** A planned file of a bundle. */
export type BundleEntry =
  | { readonly name: string; readonly kind: 'text'; readonly text: string }
  | {
      readonly name: string;
      readonly kind: 'painting';
      readonly painting: Painting;
      readonly encoding: Encoding;
    };

/** The same painting at another size. */
export function scaled(painting: Painting, factor: number): Painting {
  return {
    ...painting,
    width: Math.max(1, Math.round(painting.width * factor)),
    height: Math.max(1, Math.round(painting.height * factor)),
    items: painting.items.map((item) => ({
      ...item,
      x: item.x * factor,
      y: item.y * factor,
      scale: item.scale * factor,
      ...(item.clip && { clip: scaledRect(item.clip, factor) }),
    })),
    lines: painting.lines.map((line) => ({
      ...line,
      x1: line.x1 * factor,
      y1: line.y1 * factor,
      x2: line.x2 * factor,
      y2: line.y2 * factor,
    })),
  };
}

const scaledRect = ({ x, y, w, h }: Rect, factor: number): Rect => ({
  x: x * factor,
  y: y * factor,
  w: w * factor,
  h: h * factor,
});

/** A part of a painting, as a painting of its own. */
export function partOf(painting: Painting, { x, y, w, h }: Rect): Painting {
  return {
    ...painting,
    width: w,
    height: h,
    items: painting.items.map((item) => ({
      ...item,
      x: item.x - x,
      y: item.y - y,
      ...(item.clip && { clip: { ...item.clip, x: item.clip.x - x, y: item.clip.y - y } }),
    })),
    lines: painting.lines.map((line) => ({
      ...line,
      x1: line.x1 - x,
      y1: line.y1 - y,
      x2: line.x2 - x,
      y2: line.y2 - y,
    })),
  };
}
