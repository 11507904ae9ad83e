import { applyTo, type Matrix, type Rect } from '../../core/scene/display/matrix.ts';
import { freeCanvas } from './free-canvas.ts';

/** Pixels of all cached bitmaps together: 64 MiB. */
export const MAX_KEPT_PIXELS = 16 * 1024 * 1024;
/** Largest cached bitmap on the screen, in pixels: a larger one would evict everything else. */
const MAX_BITMAP_PIXELS = 2 * 1024 * 1024;
/** Subpixel positions distinguished, each way: an eighth of a pixel off is invisible. */
const PHASES = 8;

/** Limits of a cache. */
export interface CacheLimits {
  /** Pixels of all cached bitmaps together. */
  readonly pixels: number;
  /** Pixels of one bitmap. */
  readonly pixelsPerBitmap: number;
  /** Subpixel positions distinguished, each way. */
  readonly phases: number;
}

/** For the screen, where the same is painted in many places. */
export const SCREEN_LIMITS: CacheLimits = {
  pixels: MAX_KEPT_PIXELS,
  pixelsPerBitmap: MAX_BITMAP_PIXELS,
  phases: PHASES,
};

/** For files: cards are painted in the same place one after the other, and no pixel may be off. */
export const FILE_LIMITS: CacheLimits = {
  pixels: MAX_KEPT_PIXELS,
  pixelsPerBitmap: 8 * 1024 * 1024,
  phases: 4_096,
};

interface Kept {
  readonly canvas: OffscreenCanvas;
  readonly pixels: number;
}

/** A bitmap and the canvas pixel of its corner. */
export interface PlacedBitmap {
  readonly canvas: OffscreenCanvas;
  readonly x: number;
  readonly y: number;
}

/**
 * Cache of bitmaps that are slow to paint and painted again and again (shrunk images, soft shadows), in the canvas's
 * own pixels, so that painting one is a copy. The least recently used are evicted first.
 */
export class BitmapCache {
  readonly #kept = new Map<string, Kept>();
  readonly #ids = new WeakMap<object, number>();
  readonly #limits: CacheLimits;
  #nextId = 1;
  #pixels = 0;

  constructor(limits: CacheLimits = SCREEN_LIMITS) {
    this.#limits = limits;
  }

  /** Pixels cached now. */
  get pixels(): number {
    return this.#pixels;
  }

  /** A unique number for an object, for keys. */
  idOf(object: object): number {
    let id = this.#ids.get(object);
    if (id === undefined) {
      id = this.#nextId++;
      this.#ids.set(object, id);
    }
    return id;
  }

  /**
   * The bitmap that `paint` paints within a box, ready to be copied to the canvas.
   * @param key everything that decides its look, except the box's size and the matrix
   * @param box area that is painted, in the coordinates that `matrix` maps to pixels
   * @param paint paints in the coordinates of a matrix that differs from `matrix` only by a translation
   * @returns undefined when the bitmap is too large to keep, or no such canvas can be made
   */
  get(
    key: string,
    box: Rect,
    matrix: Matrix,
    paint: (ctx: OffscreenCanvasRenderingContext2D, matrix: Matrix) => void,
  ): PlacedBitmap | undefined {
    const [a, b, c, d] = matrix;
    const corner = applyTo(matrix, box);
    const { phases } = this.#limits;
    const [x, y] = [splitPixel(corner.x, phases), splitPixel(corner.y, phases)];
    // The box's corners from its first, in pixels.
    const left = Math.floor(Math.min(0, a * box.w, c * box.h, a * box.w + c * box.h) + x.phase) - 1;
    const top = Math.floor(Math.min(0, b * box.w, d * box.h, b * box.w + d * box.h) + y.phase) - 1;
    const right = Math.ceil(Math.max(0, a * box.w, c * box.h, a * box.w + c * box.h) + x.phase) + 1;
    const bottom = Math.ceil(Math.max(0, b * box.w, d * box.h, b * box.w + d * box.h) + y.phase) + 1;
    const look = [box.w, box.h, a, b, c, d].map((value) => value.toFixed(3)).join();
    const canvas = this.#picture(
      `${key} ${look} ${x.phase} ${y.phase}`,
      right - left,
      bottom - top,
      (ctx) => {
        const here: Matrix = [
          a,
          b,
          c,
          d,
          x.phase - left - a * box.x - c * box.y,
          y.phase - top - b * box.x - d * box.y,
        ];
        ctx.setTransform(...here);
        paint(ctx, here);
      },
    );
    return canvas && { canvas, x: x.whole + left, y: y.whole + top };
  }

  clear(): void {
    for (const { canvas } of this.#kept.values()) freeCanvas(canvas);
    this.#kept.clear();
    this.#pixels = 0;
  }

  #picture(
    key: string,
    w: number,
    h: number,
    paint: (ctx: OffscreenCanvasRenderingContext2D) => void,
  ): OffscreenCanvas | undefined {
    const known = this.#kept.get(key);
    if (known) {
      // Moves to the end of the eviction order.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.canvas;
    }
    const pixels = w * h;
    const { pixels: limit, pixelsPerBitmap } = this.#limits;
    if (!(pixels > 0 && pixels <= Math.min(pixelsPerBitmap, limit))) return undefined;
    const canvas = new OffscreenCanvas(w, h);
    const ctx = canvas.getContext('2d');
    if (!ctx) return undefined;
    paint(ctx);
    this.#kept.set(key, { canvas, pixels });
    this.#pixels += pixels;
    for (const [oldest, kept] of this.#kept) {
      if (this.#pixels <= limit) break;
      this.#kept.delete(oldest);
      this.#pixels -= kept.pixels;
      freeCanvas(kept.canvas);
    }
    return canvas;
  }
}

/** A coordinate split into a whole pixel and a subpixel position, rounded to those distinguished. */
function splitPixel(value: number, phases: number): { readonly whole: number; readonly phase: number } {
  const rounded = Math.round(value * phases) / phases;
  const whole = Math.floor(rounded);
  return { whole, phase: rounded - whole };
}
