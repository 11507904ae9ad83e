import type { PDFRef } from '@cantoo/pdf-lib';
import type {
  DisplayList,
  GlyphRun,
  ImageOp,
  Op,
  Outline,
  PathOp,
  PushOp,
  Rgba,
  ShadowOp,
  StampOp,
  TextOp,
  TextShadow,
} from '../../core/scene/display/display-list.ts';
import { IDENTITY, type Matrix, multiply, type Rect, translation } from '../../core/scene/display/matrix.ts';
import { boundsOf, pathOf, rectOutline } from '../../core/scene/display/outline.ts';
import type { Drawing } from '../../core/svg/drawing.ts';
import { findFace } from '../../core/text/fonts/catalogue.ts';
import type { FontRegistry } from '../../core/text/fonts/font-registry.ts';
import { glyphMatrix } from '../../core/text/fonts/glyph-path.ts';
import { boundsOfRuns, outset } from '../canvas/bounds.ts';
import { wholeBox } from '../canvas/whole-box.ts';
import { outlineContours, runContours } from '../contours/contours.ts';
import { Content, number } from './content.ts';
import { spansOf } from './fonts/clusters.ts';
import { type FontEmbedder, hex, type UsedFace } from './fonts/fonts.ts';
import { beginSpan, END_SPAN, showWords } from './fonts/show-words.ts';
import type { RasterImage } from './images/raster.ts';
import { softShadow } from './images/soft-shadow.ts';
import type { Resources, ShadingPaint } from './resources.ts';

const PT_PER_MM = 72 / 25.4;

/** Dependencies of painting a card into a document. */
export interface CardTools {
  readonly resources: Resources;
  readonly embedder: FontEmbedder;
  readonly fonts: FontRegistry;
  /** Embedded images by the source that zones name; a missing one is left out. */
  readonly images: ReadonlyMap<string, PDFRef>;
  /** The paths of images that are drawings, by the same source. */
  readonly drawings?: ((source: string) => Drawing | undefined) | undefined;
  /** Images of groups that vectors cannot express, by the index of their `push`. */
  readonly rasters?: ReadonlyMap<number, RasterImage>;
}

/**
 * A card as a form: painted once, placed as often as there are copies. The form's user space is in
 * points with y up and the trim's top left corner at the origin; inside it everything is in
 * millimetres with y down, as in the display list.
 * @param bleed millimetres shown around the trim
 */
export function cardForm(list: DisplayList, tools: CardTools, bleed: number): PDFRef {
  const box = { x: -bleed, y: -bleed, w: list.w + 2 * bleed, h: list.h + 2 * bleed };
  const painter = new Painter(tools, box);
  return painter.form(list);
}

/**
 * A list's operators for a page's own content, in the space of `cardForm`'s inside: millimetres, y down. Content that is
 * to be marked as part of the document's structure lies on the page itself.
 */
export function pageContent(list: DisplayList, tools: CardTools): Content {
  return new Painter(tools, { x: 0, y: 0, w: list.w, h: list.h }).content(list);
}

interface Group {
  readonly content: Content;
  readonly op: PushOp;
}

class Painter {
  readonly #tools: CardTools;
  readonly #box: Rect;
  readonly #groups: Group[] = [];
  #content = new Content();

  constructor(tools: CardTools, box: Rect) {
    this.#tools = tools;
    this.#box = box;
  }

  form(list: DisplayList): PDFRef {
    return this.#register(this.content(list), {
      Matrix: [PT_PER_MM, 0, 0, -PT_PER_MM, 0, 0],
      BBox: corners(this.#box),
    });
  }

  content(list: DisplayList): Content {
    for (let index = 0; index < list.ops.length; index++) {
      const op = list.ops[index];
      const raster = this.#tools.rasters?.get(index);
      if (raster) {
        this.#raster(raster, list.ops.slice(index, raster.group.end + 1));
        index = raster.group.end;
      } else if (op) this.#op(op);
    }
    while (this.#groups.length > 0) this.#pop();
    return this.#content;
  }

  /** @param group faded and blended as one */
  drawing(ops: readonly Op[], group: boolean): PDFRef {
    for (const op of ops) this.#op(op);
    return this.#register(this.#content, {
      BBox: corners(this.#box),
      ...(group && { Group: { S: 'Transparency' } }),
    });
  }

  #op(op: Op): void {
    if (op.op === 'push') this.#push(op);
    else if (op.op === 'pop') this.#pop();
    else if (op.op === 'path') this.#path(op);
    else if (op.op === 'stamp') this.#stamp(op);
    else if (op.op === 'shadow') this.#shadow(op);
    else if (op.op === 'image') this.#image(op);
    else this.#text(op);
  }

  /** The group's image, and its text invisibly over it, for searching and copying. */
  #raster({ group, image }: RasterImage, ops: readonly Op[]): void {
    this.#drawImage(this.#tools.resources.unique('XObject', image), group.box);
    for (const op of ops) {
      if (op.op === 'push') this.#content.save().transform(op.matrix);
      else if (op.op === 'pop') this.#content.restore();
      else if (op.op === 'text') this.#unseen(op);
    }
  }

  #unseen(op: TextOp): void {
    for (const run of op.runs) if (!findFace(run.face)?.colour) this.#run(run, '3 Tr');
  }

  #register(content: Content, extra: { Matrix?: number[]; BBox: number[]; Group?: object }): PDFRef {
    const { context, ref } = this.#tools.resources;
    const stream = context.flateStream(content.toString(), {
      Type: 'XObject',
      Subtype: 'Form',
      Resources: ref,
      ...(extra as Record<string, number[]>),
    });
    return context.register(stream);
  }

  #push(op: PushOp): void {
    this.#groups.push({ content: this.#content, op });
    if (isApart(op)) this.#content = new Content();
    else this.#open(op);
  }

  #open(op: PushOp): void {
    this.#content.save();
    if (op.matrix.some((value, index) => value !== IDENTITY[index])) this.#content.transform(op.matrix);
    if (op.clip) this.#clip(op.clip);
  }

  #pop(): void {
    const group = this.#groups.pop();
    if (!group) return;
    if (!isApart(group.op)) {
      this.#content.restore();
      return;
    }
    const form = this.#register(this.#content, {
      BBox: corners(grown(this.#box, group.op.matrix)),
      Group: { S: 'Transparency', I: true },
    });
    this.#content = group.content;
    this.#open(group.op);
    this.#content.use('gs', this.#tools.resources.state(group.op.opacity, group.op.blend));
    this.#content.use('Do', this.#tools.resources.unique('XObject', form)).restore();
  }

  #clip(outline: Outline): void {
    this.#content.path(pathOf(outline)).raw(isEvenOdd(outline) ? 'W* n' : 'W n');
  }

  /** Runs `draw` at an alpha and restores the state. */
  #faded(alpha: number, draw: () => void): void {
    if (alpha <= 0) return;
    this.#content.save();
    if (alpha < 1) this.#content.use('gs', this.#tools.resources.state(alpha));
    draw();
    this.#content.restore();
  }

  #path(op: PathOp): void {
    if (op.fill?.kind === 'solid') {
      const { color } = op.fill;
      this.#faded(color[3], () =>
        this.#content
          .fillColour(color)
          .path(pathOf(op.outline))
          .raw(isEvenOdd(op.outline) ? 'f*' : 'f'),
      );
    } else if (op.fill && op.fill.kind !== 'conic') this.#gradient(op.outline, op.fill);
    if (!op.stroke) return;
    const { color, width, dash, dashOffset = 0, cap = 'butt', join = 'miter', miterLimit = 4 } = op.stroke;
    this.#faded(color[3], () => {
      this.#content.strokeColour(color).op('w', width).op('j', JOINS[join]).op('M', miterLimit);
      if (cap !== 'butt') this.#content.op('J', CAPS[cap]);
      if (dash.length > 0) this.#content.raw(`[${dash.map(number).join(' ')}] ${number(dashOffset)} d`);
      this.#content.path(pathOf(op.outline)).raw('S');
    });
  }

  /** The shape is a form of its own, painted once and placed by steps from one place to the next. */
  #stamp(op: StampOp): void {
    const { outline, fill, stroke, image } = op;
    const { resources, embedder, fonts, images, drawings } = this.#tools;
    const box = outset(boundsOf(outline), stroke ? 2 * stroke.width : 0);
    const ops: Op[] = [
      ...(fill ? [{ op: 'path', outline, fill, stroke: null } as const] : []),
      ...(image ? [{ op: 'image', ...image, clip: outline } as const] : []),
      ...(stroke ? [{ op: 'path', outline, fill: null, stroke } as const] : []),
    ];
    const name = resources.name('XObject', `stamp ${JSON.stringify(ops)}`, () =>
      new Painter({ resources, embedder, fonts, images, drawings }, box).drawing(ops, false),
    );
    this.#content.save();
    // Steps between rounded places, so that roundings do not add up.
    let [x, y] = [0, 0];
    for (let at = 0; at + 1 < op.at.length; at += 2) {
      const [toX, toY] = [toMicrons(op.at[at] ?? 0), toMicrons(op.at[at + 1] ?? 0)];
      this.#content.transform(translation((toX - x) / 1000, (toY - y) / 1000)).use('Do', name);
      [x, y] = [toX, toY];
    }
    this.#content.restore();
  }

  #gradient(outline: Outline, paint: ShadingPaint): void {
    const { resources } = this.#tools;
    this.#content.save();
    if (paint.stops.some(({ color }) => color[3] < 1)) {
      const alpha = new Content().use('sh', resources.shading(paint, 'alpha'));
      const form = this.#register(alpha, {
        BBox: corners(boundsOf(outline)),
        Group: { S: 'Transparency', CS: 'DeviceGray', I: true },
      });
      this.#content.use('gs', resources.softMask(form));
    }
    this.#clip(outline);
    this.#content.use('sh', resources.shading(paint, 'color')).restore();
  }

  #shadow(op: ShadowOp): void {
    const reach = boundsOf(op.outline);
    const margin = 4 * op.sigma + 1;
    const around = {
      x: reach.x - margin,
      y: reach.y - margin,
      w: reach.w + 2 * margin,
      h: reach.h + 2 * margin,
    };
    this.#faded(op.color[3], () => {
      this.#content.op('re', around.x, around.y, around.w, around.h).path(pathOf(op.caster)).raw('W* n');
      if (op.sigma <= 0) this.#content.fillColour(op.color).path(pathOf(op.outline)).raw('f');
      else {
        this.#soft(
          `${JSON.stringify(op.outline)} ${op.sigma} ${op.color}`,
          reach,
          op.sigma,
          op.color,
          (scale, x, y) =>
            outlineContours(op.outline, multiply([scale, 0, 0, scale, 0, 0], translation(-x, -y))),
        );
      }
    });
  }

  #soft(
    key: string,
    bounds: Rect,
    sigma: number,
    color: Rgba,
    contoursAt: Parameters<typeof softShadow>[4],
  ): void {
    const { resources } = this.#tools;
    let box = softBoxes(resources).get(key);
    const name = resources.name('XObject', `soft ${key}`, () => {
      const made = softShadow(resources.context, bounds, sigma, color, contoursAt);
      box = made.box;
      softBoxes(resources).set(key, made.box);
      return made.image;
    });
    if (box) this.#drawImage(name, box);
  }

  /** Images are a unit square with y up. */
  #drawImage(name: string, box: Rect): void {
    this.#content
      .save()
      .transform([box.w, 0, 0, -box.h, box.x, box.y + box.h])
      .use('Do', name)
      .restore();
  }

  /** A drawing is a form of its own, painted once and placed as often as it is shown. */
  #drawing(op: ImageOp, drawing: Drawing): void {
    const { resources } = this.#tools;
    const box = { x: 0, y: 0, w: drawing.w, h: drawing.h };
    // Only what is faded as a whole is a group: printers flatten groups.
    const group = op.opacity < 1;
    const name = resources.name('XObject', `drawing ${group} ${op.image}`, () =>
      new Painter(
        { resources, embedder: this.#tools.embedder, fonts: this.#tools.fonts, images: new Map() },
        box,
      ).drawing(drawing.ops, group),
    );
    const whole = wholeBox(op);
    this.#faded(op.opacity, () => {
      if (op.clip) this.#clip(op.clip);
      if (op.crop) this.#clip(rectOutline(op.box));
      this.#content
        .transform([whole.w / drawing.w, 0, 0, whole.h / drawing.h, whole.x, whole.y])
        .use('Do', name);
    });
  }

  #image(op: ImageOp): void {
    const drawing = this.#tools.drawings?.(op.image);
    if (drawing) {
      this.#drawing(op, drawing);
      return;
    }
    const ref = this.#tools.images.get(op.image);
    if (!ref) return;
    this.#faded(op.opacity, () => {
      if (op.clip) this.#clip(op.clip);
      if (op.crop) this.#clip(rectOutline(op.box));
      this.#drawImage(this.#tools.resources.unique('XObject', ref), wholeBox(op));
    });
  }

  #text(op: TextOp): void {
    // Colour glyphs have no outlines: without their image there is nothing to show.
    if (op.runs.some(({ face }) => findFace(face)?.colour)) return;
    for (const shadow of op.shadows) this.#textShadow(op.runs, shadow);
    if (op.outline) {
      const { color, width } = op.outline;
      this.#faded(color[3], () => {
        this.#content
          .strokeColour(color)
          .op('w', 2 * width)
          .op('j', 1);
        for (const run of op.runs) this.#run(run, '1 Tr');
      });
    }
    for (const run of op.runs) {
      this.#faded(run.color[3], () => {
        this.#content.fillColour(run.color);
        if (run.embolden > 0) this.#content.strokeColour(run.color).op('w', run.embolden * run.size);
        this.#run(run, run.embolden > 0 ? '2 Tr' : '0 Tr');
      });
    }
  }

  #textShadow(runs: readonly GlyphRun[], shadow: TextShadow): void {
    const place = translation(shadow.dx, shadow.dy);
    this.#faded(shadow.color[3], () => {
      if (shadow.sigma <= 0) {
        this.#content.transform(place).fillColour(shadow.color);
        for (const run of runs) this.#run(run, '0 Tr');
        return;
      }
      const box = boundsOfRuns(runs);
      const bounds = { ...box, x: box.x + shadow.dx, y: box.y + shadow.dy };
      const key = `${JSON.stringify(runs)} ${shadow.sigma} ${shadow.color}`;
      this.#soft(key, bounds, shadow.sigma, shadow.color, (scale, x, y) => {
        const toPixels = multiply([scale, 0, 0, scale, 0, 0], translation(shadow.dx - x, shadow.dy - y));
        return runs.flatMap((run) => [
          ...runContours(run, this.#tools.fonts, (glyph) => multiply(toPixels, glyph)),
        ]);
      });
    });
  }

  #run(run: GlyphRun, mode: string): void {
    const used = this.#tools.embedder.face(run.face);
    this.#content.raw('BT').raw(`/${used.name} 1 Tf ${mode}`);
    const bent = run.words.some(({ turn, y }) => turn !== undefined || y !== undefined);
    if (bent) this.#glyphByGlyph(run, used);
    else {
      const matrix = textMatrix(run, run.words[0]?.x ?? 0, run.y);
      this.#content.op('Tm', ...matrix).raw(showWords(used, run.words, run.size, run.slant));
    }
    this.#content.raw('ET');
  }

  /** For bent lines. */
  #glyphByGlyph(run: GlyphRun, used: UsedFace): void {
    for (const word of run.words) {
      const codes = used.codes(word);
      for (const { glyphs, text } of spansOf(word, used.width)) {
        if (text !== undefined) this.#content.raw(beginSpan(text));
        for (const index of glyphs) {
          // Letters stand upright in a space whose y runs down.
          const [a, b, c, d, e, f] = glyphMatrix(run, word, index);
          this.#content.op('Tm', a, b, -c, -d, e, f).raw(`<${hex(codes[index] ?? 0)}> Tj`);
        }
        if (text !== undefined) this.#content.raw(END_SPAN);
      }
    }
  }
}

const toMicrons = (mm: number): number => Math.round(mm * 1000);

/** PDF's numbers of line ends and corners. */
const CAPS = { butt: 0, round: 1, square: 2 } as const;
const JOINS = { miter: 0, round: 1, bevel: 2 } as const;

const boxes = new WeakMap<Resources, Map<string, Rect>>();

/** Places of the soft shadows a document already has. */
function softBoxes(resources: Resources): Map<string, Rect> {
  let known = boxes.get(resources);
  if (!known) {
    known = new Map();
    boxes.set(resources, known);
  }
  return known;
}

const isApart = (op: PushOp): boolean => op.opacity < 1 || op.blend !== 'normal';

/** Letters stand upright in a space whose y runs down. */
function textMatrix(run: GlyphRun, x: number, y: number): Matrix {
  const size = run.size as number;
  return [size, 0, run.slant * size, -size, x, y];
}

function corners({ x, y, w, h }: Rect): number[] {
  return [x, y, x + w, y + h];
}

/** The whole card, seen from inside a transformed group. */
function grown(box: Rect, matrix: Matrix): Rect {
  const reach = Math.hypot(box.w, box.h) * 2 + Math.hypot(matrix[4], matrix[5]) * 2;
  return { x: box.x - reach, y: box.y - reach, w: box.w + 2 * reach, h: box.h + 2 * reach };
}

const isEvenOdd = (outline: Outline): boolean => outline.kind === 'path' && outline.evenOdd;
