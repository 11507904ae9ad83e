import type { Rect } from '../../core/scene/display/matrix.ts';
import type { Filter } from '../../core/scene/style/paint.ts';
import type { Context2D } from './canvas.ts';

/** Images on a canvas: parts of them, their brightness as a mask, and filters. */

/** Size of an image in its pixels; 0 by 0 while it has none. */
export function naturalSize(image: CanvasImageSource): readonly [number, number] {
  const { width, height } = image as { width: unknown; height: unknown };
  return [typeof width === 'number' ? width : 0, typeof height === 'number' ? height : 0];
}

/** Filters as CSS text; lengths become pixels. */
export function cssFilter(filters: readonly Filter[], scale: number): string {
  return filters
    .map(({ kind, amount }) => {
      if (kind === 'blur') return `blur(${Math.max(0, amount) * scale}px)`;
      if (kind === 'hue-rotate') return `hue-rotate(${amount}deg)`;
      return `${kind}(${Math.max(0, amount)})`;
    })
    .join(' ');
}

const brightnessMasks = new WeakMap<object, OffscreenCanvas>();

/** The image with its brightness as its alpha. */
export function brightnessMask(image: CanvasImageSource): CanvasImageSource {
  const known = brightnessMasks.get(image);
  if (known) return known;
  const [width, height] = naturalSize(image);
  const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
  const ctx = canvas.getContext('2d');
  if (!ctx) return image;
  ctx.drawImage(image, 0, 0);
  const pixels = ctx.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const light = 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0);
    data[at + 3] = (light * (data[at + 3] ?? 0)) / 255;
  }
  ctx.putImageData(pixels, 0, 0);
  brightnessMasks.set(image, canvas);
  return canvas;
}

const WHOLE: Rect = { x: 0, y: 0, w: 1, h: 1 };

/** Draws a part of an image, in shares of its sides, to fill a box. */
export function drawPart(ctx: Context2D, image: CanvasImageSource, part: Rect | undefined, box: Rect): void {
  const [width, height] = naturalSize(image);
  const { x, y, w, h } = part ?? WHOLE;
  ctx.drawImage(image, x * width, y * height, w * width, h * height, box.x, box.y, box.w, box.h);
}
