import { MAX_BANDED_SIDE_PX } from '../../core/imposition/images/painting.ts';
import { formatColour } from '../../core/scene/colour/colour.ts';
import type {
  DisplayList,
  GlyphRun,
  ImageOp,
  MaskPaint,
  Op,
  Outline,
  Paint,
  PathOp,
  PushOp,
  Rgba,
  ShadowOp,
  StampImage,
  StampOp,
  StrokePaint,
  TextOp,
} from '../../core/scene/display/display-list.ts';
import { type Matrix, multiply, type Rect, scaleOf } from '../../core/scene/display/matrix.ts';
import { boundsOf, rectOutline } from '../../core/scene/display/outline.ts';
import type { Drawing } from '../../core/svg/drawing.ts';
import { findFace } from '../../core/text/fonts/catalogue.ts';
import type { FontRegistry } from '../../core/text/fonts/font-registry.ts';
import { glyphMatrix } from '../../core/text/fonts/glyph-path.ts';
import type { BitmapCache } from './bitmap-cache.ts';
import { boundsOfRuns, boxUnder, outset } from './bounds.ts';
import { brightnessMask, cssFilter, drawPart, naturalSize } from './canvas-images.ts';
import { letterPaths, ruleOf, shapeKey, trace, tracePath } from './canvas-paths.ts';
import { freeCanvas } from './free-canvas.ts';
import { holdsOneMark, isApart } from './layers.ts';
import { wholeBox } from './whole-box.ts';

/**
 * Paints display lists on a canvas, in the page, in a worker, at any resolution. Letters are filled
 * as outlines, glyph by glyph where layout put them, so no font has to be installed in the page and
 * screen, PNG and PDF agree to the glyph.
 */
export type Context2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export interface CanvasOptions {
  /** Pixels per millimetre. */
  readonly scale: number;
  readonly fonts: FontRegistry;
  /** Decoded images by the source that zones name; a missing one is left out. */
  readonly images: ReadonlyMap<string, CanvasImageSource>;
  /** The paths of images that are drawings, by the same source. */
  readonly drawings?: (source: string) => Drawing | undefined;
  /** Canvas pixel of the trim's top left corner; by default the canvas corner, or inside the bleed. */
  readonly origin?: { readonly x: number; readonly y: number };
  /** Show what lies outside the trim. */
  readonly bleed?: boolean;
  /** Cache of bitmaps that are slow to paint. */
  readonly cache?: BitmapCache | undefined;
  /** Clip the card to its trim outline, corners included; by default only to its rectangle. */
  readonly clipToTrim?: boolean;
  /** Only these boxes of the card are cleared and painted; what the canvas shows elsewhere stays. */
  readonly parts?: readonly Rect[] | undefined;
}

/** Canvas size in pixels for a list. */
export function canvasSize(
  list: DisplayList,
  scale: number,
  bleed = false,
): { width: number; height: number } {
  const extra = bleed ? 2 * (list.bleed as number) : 0;
  return {
    width: Math.max(1, Math.round((list.w + extra) * scale)),
    height: Math.max(1, Math.round((list.h + extra) * scale)),
  };
}

export function paintCanvas(ctx: Context2D, list: DisplayList, options: CanvasOptions): void {
  const inset = options.bleed ? (list.bleed as number) * options.scale : 0;
  const origin = options.origin ?? { x: inset, y: inset };
  const base: Matrix = [options.scale, 0, 0, options.scale, origin.x, origin.y];
  const path = new Path2D();
  if (options.clipToTrim) trace(path, list.trim);
  else {
    const out = options.bleed ? (list.bleed as number) : 0;
    path.rect(-out, -out, list.w + 2 * out, list.h + 2 * out);
  }
  for (const view of options.parts?.map((part) => pixelsOf(part, base)) ?? [undefined]) {
    ctx.save();
    if (view) {
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.beginPath();
      ctx.rect(view.x, view.y, view.w, view.h);
      ctx.clip();
      ctx.clearRect(view.x, view.y, view.w, view.h);
    }
    ctx.setTransform(...base);
    ctx.clip(path);
    new Painter(ctx, options, view).run(list.ops, base);
    ctx.restore();
  }
}

/** The whole pixels that a box touches: smoothed edges reach into the next one. */
function pixelsOf(part: Rect, matrix: Matrix): Rect {
  const { x, y, w, h } = outset(boxUnder(matrix, part), 1);
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, w: Math.ceil(x + w) - left, h: Math.ceil(y + h) - top };
}

/** Paints some operations of a list, in their own coordinates moved by a matrix. */
export function paintOps(
  ctx: Context2D,
  ops: readonly Op[],
  matrix: Matrix,
  options: Pick<CanvasOptions, 'fonts' | 'images' | 'drawings'>,
): void {
  ctx.save();
  ctx.setTransform(...matrix);
  new Painter(ctx, { ...options, scale: 1 }).run(ops, matrix);
  ctx.restore();
}

/** Paints a drawing as large as fits a square, on a new canvas; null where there can be none. */
export function paintDrawing(
  drawing: Drawing,
  edge: number,
  options: Pick<CanvasOptions, 'fonts' | 'images'>,
): OffscreenCanvas | null {
  const scale = edge / Math.max(drawing.w, drawing.h);
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(drawing.w * scale)),
    Math.max(1, Math.round(drawing.h * scale)),
  );
  const ctx = canvas.getContext('2d');
  if (!ctx) return null;
  const matrix: Matrix = [canvas.width / drawing.w, 0, 0, canvas.height / drawing.h, 0, 0];
  paintOps(ctx, drawing.ops, matrix, options);
  return canvas;
}

/** Type size that colour glyphs are set at before they are scaled: small sizes lose detail. */
const COLOUR_FONT_PX = 100;

/** Farther than any painting is wide: of shapes drawn there only the shadow is in view. */
const FAR_PX = MAX_BANDED_SIDE_PX;

interface Layer {
  readonly ctx: Context2D;
  readonly matrix: Matrix;
  readonly op: PushOp | null;
}

class Painter {
  readonly #options: CanvasOptions;
  readonly #view: Rect | undefined;
  readonly #layers: Layer[] = [];
  #ctx: Context2D;
  #matrix: Matrix = [1, 0, 0, 1, 0, 0];

  /** @param view pixels of the canvas that are painted; many small things outside of them are left out */
  constructor(ctx: Context2D, options: CanvasOptions, view?: Rect) {
    this.#ctx = ctx;
    this.#options = options;
    this.#view = view;
  }

  run(ops: readonly Op[], base: Matrix): void {
    this.#matrix = base;
    for (const [index, op] of ops.entries()) {
      switch (op.op) {
        case 'push':
          this.#push(op, isApart(ops, index, op), holdsOneMark(ops, index));
          break;
        case 'pop':
          this.#pop();
          break;
        case 'path':
          this.#path(op);
          break;
        case 'stamp':
          this.#stamps(op);
          break;
        case 'shadow':
          this.#shadow(op);
          break;
        case 'image':
          this.#image(op);
          break;
        case 'text':
          this.#text(op);
          break;
      }
    }
    while (this.#layers.length > 0) this.#pop();
  }

  /**
   * @param apart see `isApart`
   * @param single see `holdsOneMark`
   */
  #push(op: PushOp, apart: boolean, single: boolean): void {
    this.#layers.push({ ctx: this.#ctx, matrix: this.#matrix, op: apart ? op : null });
    if (apart) {
      const { width, height } = this.#ctx.canvas;
      const layer = new OffscreenCanvas(width, height).getContext('2d');
      if (!layer)
        throw new Error(`No canvas of ${width} by ${height} pixels for a group: choose a lower resolution.`);
      this.#ctx = layer;
    } else {
      this.#ctx.save();
      if (single) {
        this.#ctx.globalAlpha *= op.opacity;
        if (op.blend !== 'normal') this.#ctx.globalCompositeOperation = op.blend;
      }
    }
    this.#matrix = multiply(this.#matrix, op.matrix);
    this.#ctx.setTransform(...this.#matrix);
    if (op.clip) this.#clip(op.clip);
  }

  #pop(): void {
    const layer = this.#layers.pop();
    if (!layer) return;
    const painted = this.#ctx;
    if (layer.op?.mask) this.#mask(layer.op.mask);
    const filter = layer.op?.filters ? cssFilter(layer.op.filters, scaleOf(this.#matrix)) : undefined;
    this.#ctx = layer.ctx;
    this.#matrix = layer.matrix;
    if (layer.op) {
      this.#ctx.save();
      this.#ctx.setTransform(1, 0, 0, 1, 0, 0);
      if (filter) this.#ctx.filter = filter;
      this.#ctx.globalAlpha = layer.op.opacity;
      this.#ctx.globalCompositeOperation = layer.op.blend === 'normal' ? 'source-over' : layer.op.blend;
      this.#ctx.drawImage(painted.canvas, 0, 0);
      freeCanvas(painted.canvas);
      this.#ctx.restore();
    } else this.#ctx.restore();
    this.#ctx.setTransform(...this.#matrix);
  }

  /** Keeps the masked part of the layer. */
  #mask({ image, box, by, crop }: MaskPaint): void {
    const found = this.#options.images.get(image);
    if (!found) return;
    this.#ctx.globalCompositeOperation = 'destination-in';
    drawPart(this.#ctx, by === 'alpha' ? found : brightnessMask(found), crop, box);
  }

  #clip(outline: Outline): void {
    this.#ctx.clip(tracePath(outline), ruleOf(outline));
  }

  #path(op: PathOp): void {
    const path = tracePath(op.outline);
    if (op.fill) {
      this.#ctx.fillStyle = this.#style(op.fill);
      this.#ctx.fill(path, ruleOf(op.outline));
    }
    if (op.stroke) {
      this.#beginLines(op.stroke);
      this.#ctx.stroke(path);
      this.#endLines();
    }
  }

  #stamps(op: StampOp): void {
    const path = tracePath(op.outline);
    const rule = ruleOf(op.outline);
    const paintImage = op.image && this.#imageStamp(op.image, op.outline);
    if (op.fill) this.#ctx.fillStyle = formatColour(op.fill.color);
    if (op.stroke) this.#beginLines(op.stroke);
    const [a, b, c, d, e, f] = this.#matrix;
    const seen = this.#seen(outset(boundsOf(op.outline), op.stroke ? 2 * op.stroke.width : 0));
    for (let at = 0; at + 1 < op.at.length; at += 2) {
      const x = op.at[at] ?? 0;
      const y = op.at[at + 1] ?? 0;
      if (!seen(x, y)) continue;
      this.#ctx.setTransform(a, b, c, d, a * x + c * y + e, b * x + d * y + f);
      if (op.fill) this.#ctx.fill(path, rule);
      paintImage?.(x, y);
      if (op.stroke) this.#ctx.stroke(path);
    }
    this.#ctx.setTransform(...this.#matrix);
    if (op.stroke) this.#endLines();
  }

  /** Paints the picture of a stamp at a place; undefined while it is not there. */
  #imageStamp(image: StampImage, outline: Outline): ((x: number, y: number) => void) | undefined {
    const { cache, ...options } = this.#options;
    const shown = options.drawings?.(image.image) ?? options.images.get(image.image);
    if (!shown) return undefined;
    const op: ImageOp = { op: 'image', ...image, clip: outline };
    const box = boundsOf(outline);
    const key = `stamp ${cache?.idOf(shown)} ${JSON.stringify([image, outline])}`;
    const draw = (on: Context2D, matrix: Matrix): void => new Painter(on, options).run([op], matrix);
    const outer = this.#matrix;
    return (x, y) => {
      const [a, b, c, d, e, f] = outer;
      this.#matrix = [a, b, c, d, stepped(a * x + c * y + e), stepped(b * x + d * y + f)];
      this.#ctx.setTransform(...this.#matrix);
      if (!this.#stamp(key, box, draw)) draw(this.#ctx, this.#matrix);
      this.#matrix = outer;
    };
  }

  /** Tells of a box about the origin if it may be in view once it is moved to a place. */
  #seen(box: Rect): (x: number, y: number) => boolean {
    const view = this.#view;
    if (!view) return () => true;
    const [a, b, c, d, e, f] = this.#matrix;
    const own = outset(boxUnder([a, b, c, d, 0, 0], box), 1);
    const [left, top] = [view.x - own.x - own.w, view.y - own.y - own.h];
    const [right, bottom] = [view.x + view.w - own.x, view.y + view.h - own.y];
    return (x, y) => {
      const px = a * x + c * y + e;
      const py = b * x + d * y + f;
      return px > left && px < right && py > top && py < bottom;
    };
  }

  #beginLines(stroke: StrokePaint): void {
    const { dash, dashOffset = 0, cap = 'butt', join = 'miter', miterLimit = 4 } = stroke;
    this.#ctx.strokeStyle = formatColour(stroke.color);
    this.#ctx.lineWidth = stroke.width;
    this.#ctx.lineCap = cap;
    this.#ctx.lineJoin = join;
    this.#ctx.miterLimit = miterLimit;
    this.#ctx.setLineDash([...dash]);
    this.#ctx.lineDashOffset = dashOffset;
  }

  #endLines(): void {
    this.#ctx.setLineDash([]);
    this.#ctx.lineCap = 'butt';
    this.#ctx.lineDashOffset = 0;
  }

  #style(paint: Paint): string | CanvasGradient {
    if (paint.kind === 'solid') return formatColour(paint.color);
    const gradient =
      paint.kind === 'linear'
        ? this.#ctx.createLinearGradient(paint.from.x, paint.from.y, paint.to.x, paint.to.y)
        : paint.kind === 'conic'
          ? this.#ctx.createConicGradient(paint.start, paint.center.x, paint.center.y)
          : this.#ctx.createRadialGradient(
              paint.center.x,
              paint.center.y,
              0,
              paint.center.x,
              paint.center.y,
              paint.radius,
            );
    for (const stop of paint.stops) gradient.addColorStop(stop.at, formatColour(stop.color));
    return gradient;
  }

  #shadow(op: ShadowOp): void {
    const ctx = this.#ctx;
    ctx.save();
    // A shadow must not show through its own caster: everything outside the caster stays.
    const outside = new Path2D();
    const reach = boundsOf(op.outline);
    const margin = 4 * op.sigma + 1;
    const whole = {
      x: reach.x - margin,
      y: reach.y - margin,
      w: reach.w + 2 * margin,
      h: reach.h + 2 * margin,
    };
    outside.rect(whole.x, whole.y, whole.w, whole.h);
    trace(outside, op.caster);
    ctx.clip(outside, 'evenodd');
    const fall = (on: Context2D, matrix: Matrix): void =>
      this.#cast(on, matrix, op.color, op.sigma, () => on.fill(tracePath(op.outline), ruleOf(op.outline)));
    const key = (): string => `shadow ${op.color} ${op.sigma} ${shapeKey(op.outline, reach)}`;
    if (op.sigma <= 0 || !this.#stamp(key(), whole, fall)) fall(ctx, this.#matrix);
    ctx.restore();
  }

  /** Paints a cached bitmap of what `paint` paints within a box; false where none can be cached. */
  #stamp(
    key: string,
    box: Rect,
    paint: (ctx: OffscreenCanvasRenderingContext2D, matrix: Matrix) => void,
  ): boolean {
    const kept = this.#options.cache?.get(key, box, this.#matrix, paint);
    if (!kept) return false;
    this.#ctx.setTransform(1, 0, 0, 1, 0, 0);
    this.#ctx.drawImage(kept.canvas, kept.x, kept.y);
    this.#ctx.setTransform(...this.#matrix);
    return true;
  }

  /** Draws out of view so that only the shadow falls on the canvas. */
  #cast(ctx: Context2D, matrix: Matrix, color: Rgba, sigma: number, draw: () => void): void {
    ctx.save();
    if (sigma <= 0) {
      ctx.fillStyle = formatColour(color);
      draw();
    } else {
      const far = multiply([1, 0, 0, 1, -FAR_PX, 0], matrix);
      ctx.setTransform(...far);
      ctx.shadowOffsetX = FAR_PX;
      ctx.shadowOffsetY = 0;
      ctx.shadowBlur = 2 * sigma * scaleOf(matrix);
      ctx.shadowColor = formatColour(color);
      ctx.fillStyle = '#000';
      draw();
    }
    ctx.restore();
  }

  #image(op: ImageOp): void {
    const drawing = this.#options.drawings?.(op.image);
    if (drawing) {
      this.#drawing(op, drawing);
      return;
    }
    const image = this.#options.images.get(op.image);
    if (!image) return;
    const ctx = this.#ctx;
    ctx.save();
    if (op.clip) this.#clip(op.clip);
    ctx.globalAlpha *= op.opacity;
    const { box, crop } = op;
    const shrinks = this.#shrinks(image, op);
    const draw = (on: Context2D): void => {
      on.imageSmoothingQuality = shrinks ? 'high' : 'medium';
      drawPart(on, image, crop, box);
    };
    const key = (): string => `image ${this.#options.cache?.idOf(image)} ${crop ? Object.values(crop) : ''}`;
    if (!this.#stamp(key(), box, draw)) draw(ctx);
    ctx.restore();
  }

  #drawing(op: ImageOp, drawing: Drawing): void {
    const ctx = this.#ctx;
    ctx.save();
    if (op.clip) this.#clip(op.clip);
    ctx.globalAlpha *= op.opacity;
    const whole = wholeBox(op);
    const place: Matrix = [whole.w / drawing.w, 0, 0, whole.h / drawing.h, whole.x, whole.y];
    const draw = (on: Context2D, matrix: Matrix): void => {
      on.save();
      on.setTransform(...matrix);
      on.clip(tracePath(rectOutline(op.box)));
      const inner = multiply(matrix, place);
      on.setTransform(...inner);
      new Painter(on, this.#options).run(drawing.ops, inner);
      on.restore();
    };
    const key = (): string =>
      `drawing ${this.#options.cache?.idOf(drawing)} ${op.crop ? Object.values(op.crop) : ''}`;
    if (!this.#stamp(key(), op.box, draw)) this.#asOne(draw);
    ctx.restore();
  }

  /** Paints several operations as one group for fading and blending. */
  #asOne(draw: (on: Context2D, matrix: Matrix) => void): void {
    const ctx = this.#ctx;
    if (ctx.globalAlpha === 1 && ctx.globalCompositeOperation === 'source-over') {
      draw(ctx, this.#matrix);
      return;
    }
    const { width, height } = ctx.canvas;
    const layer = new OffscreenCanvas(width, height).getContext('2d');
    if (!layer)
      throw new Error(`No canvas of ${width} by ${height} pixels for a drawing: choose a lower resolution.`);
    draw(layer, this.#matrix);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(layer.canvas, 0, 0);
    freeCanvas(layer.canvas);
  }

  /** Only a downscaled image needs the slow filter: upscaled, all filters look alike. */
  #shrinks(image: CanvasImageSource, op: ImageOp): boolean {
    const [natural] = naturalSize(image);
    return natural * (op.crop?.w ?? 1) > op.box.w * scaleOf(this.#matrix);
  }

  #text(op: TextOp): void {
    for (const shadow of op.shadows) {
      const letters = new Path2D();
      for (const run of op.runs) this.#gather(letters, run, shadow.dx, shadow.dy);
      this.#cast(this.#ctx, this.#matrix, shadow.color, shadow.sigma, () => this.#ctx.fill(letters));
    }
    if (op.outline) {
      const { color, width } = op.outline;
      this.#ctx.strokeStyle = formatColour(color);
      this.#ctx.lineJoin = 'round';
      for (const run of op.runs) {
        this.#letters(run, (path, size) => {
          this.#ctx.lineWidth = (2 * width) / size;
          this.#ctx.stroke(path);
        });
      }
    }
    for (const run of op.runs) if (this.#isSeen(run)) this.#fillRun(run);
    this.#ctx.setTransform(...this.#matrix);
  }

  #isSeen(run: GlyphRun): boolean {
    return this.#view === undefined || this.#seen(boundsOfRuns([run]))(0, 0);
  }

  #fillRun(run: GlyphRun): void {
    if (findFace(run.face)?.colour) {
      this.#colourRun(run);
      return;
    }
    const color = formatColour(run.color);
    this.#ctx.fillStyle = color;
    this.#ctx.strokeStyle = color;
    this.#ctx.lineWidth = run.embolden;
    this.#ctx.lineJoin = 'miter';
    this.#letters(run, (path) => {
      this.#ctx.fill(path);
      if (run.embolden > 0) this.#ctx.stroke(path);
    });
  }

  /** The browser paints colour glyphs; the render context has registered their font. */
  #colourRun(run: GlyphRun): void {
    const ctx = this.#ctx;
    ctx.font = `${COLOUR_FONT_PX}px "${run.face}"`;
    ctx.textBaseline = 'alphabetic';
    ctx.fillStyle = '#000';
    for (const word of run.words) {
      const scale = 1 / COLOUR_FONT_PX;
      // Glyph 0 without offset: the word's own origin.
      const place = glyphMatrix(run, { ...word, offsets: [0, 0] }, 0);
      ctx.setTransform(...multiply(this.#matrix, multiply(place, [scale, 0, 0, scale, 0, 0])));
      ctx.fillText(word.text, 0, 0);
    }
  }

  #letters(run: GlyphRun, draw: (path: Path2D, size: number) => void): void {
    for (const { path, matrix } of letterPaths(run, this.#options.fonts)) {
      this.#ctx.setTransform(...multiply(this.#matrix, matrix));
      draw(path, run.size);
    }
  }

  #gather(into: Path2D, run: GlyphRun, dx: number, dy: number): void {
    for (const { path, matrix } of letterPaths(run, this.#options.fonts)) {
      const [a, b, c, d, e, f] = matrix;
      into.addPath(path, { a, b, c, d, e: e + dx, f: f + dy });
    }
  }
}

/** Pictures of a stamp lie at eighths of a pixel, so that few bitmaps serve thousands of places. */
const stepped = (pixels: number): number => Math.round(pixels * 8) / 8;
