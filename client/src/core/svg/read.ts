import type { Op, Outline, PushOp, Rgba, StrokePaint } from '../scene/display/display-list.ts';
import { applyTo, IDENTITY, invert, isIdentity, type Matrix } from '../scene/display/matrix.ts';
import { mapPath, type PathCommand, rectOutline } from '../scene/display/outline.ts';
import { blendSchema } from '../scene/style/paint.ts';
import { placeOfUse, readClip } from './clip.ts';
import { type Drawing, MAX_COMMANDS, MAX_DEPTH, MAX_ELEMENTS, NotVector } from './drawing.ts';
import { type PlacedGradient, readGradient } from './gradients.ts';
import { readLength, readNumbers, readShare } from './lengths.ts';
import { pathBounds, SHAPES, shapePath, type Viewport } from './shapes.ts';
import { readColour, Style, StyleSheet } from './style.ts';
import { readTransform } from './transform.ts';
import { fitViewBox, readViewBox } from './view-box.ts';
import { type Element, readElements } from './xml.ts';

/** Size of a drawing that states none, in units: the browsers' default. */
const DEFAULT_SIZE: Viewport = { w: 300, h: 150 };
const CONTAINERS: ReadonlySet<string> = new Set(['g', 'a', 'svg']);
/** Elements that paint nothing by themselves. */
const UNPAINTED =
  /^(?:defs|title|desc|metadata|style|symbol|clipPath|linearGradient|radialGradient|filter|mask|pattern|marker|script|view|animate\w*|set|color-profile|cursor|font|font-face)$/;

/**
 * Reads an SVG as paths. Scripts, animations and external resources are left out, as in browsers' images.
 * @throws NotVector when it would differ from a browser's rendering (text, filters, patterns, …), or exceeds the limits
 */
export function readDrawing(source: string): Drawing {
  const root = readElements(source);
  const box = readViewBox(root);
  const size = rootSize(root, box);
  const reader = new Reader(root, box ?? { ...size });
  const matrix = fitViewBox(box, size, root.attributes.get('preserveAspectRatio'));
  const inner = reader.read(matrix);
  const whole = rectOutline({ x: 0, y: 0, ...size });
  return { ...size, ops: [push(IDENTITY, { clip: whole }), ...inner, { op: 'pop' }] };
}

function rootSize(root: Element, box: Viewport | undefined): Viewport {
  const side = (name: string): number | undefined => {
    const text = root.attributes.get(name);
    return text === undefined || text.trim().endsWith('%') ? undefined : readLength(text, 0, 0) || undefined;
  };
  const natural = box && box.w > 0 && box.h > 0 ? box : undefined;
  const [w, h] = [side('width'), side('height')];
  const size = {
    w: w ?? (h !== undefined && natural ? (h * natural.w) / natural.h : (natural?.w ?? DEFAULT_SIZE.w)),
    h: h ?? (w !== undefined && natural ? (w * natural.h) / natural.w : (natural?.h ?? DEFAULT_SIZE.h)),
  };
  if (!(size.w > 0 && size.h > 0)) throw new NotVector('has no size');
  return size;
}

function push(matrix: Matrix, more: Partial<Pick<PushOp, 'clip' | 'opacity' | 'blend'>> = {}): PushOp {
  return { op: 'push', matrix, clip: null, opacity: 1, blend: 'normal', ...more };
}

type FillPaint = Rgba | PlacedGradient | null;

class Reader {
  readonly #root: Element;
  readonly #viewport: Viewport;
  readonly #sheet: StyleSheet;
  readonly #byId = new Map<string, Element>();
  readonly #ops: Op[] = [];
  #commands = 0;
  #elements = 0;

  constructor(root: Element, viewport: Viewport) {
    this.#root = root;
    this.#viewport = viewport;
    const css: string[] = [];
    this.#collect(root, css);
    this.#sheet = new StyleSheet(css.join('\n'));
  }

  read(matrix: Matrix): Op[] {
    const style = new Style(this.#sheet.of(this.#root));
    this.#group(this.#root, style, matrix, (s) => this.#children(this.#root, s, 1));
    return this.#ops;
  }

  #collect(element: Element, css: string[]): void {
    const id = element.attributes.get('id');
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
    if (element.name === 'style') css.push(element.text);
    for (const child of element.children) this.#collect(child, css);
  }

  readonly #find = (reference: string): Element | undefined =>
    reference.trim().startsWith('#') ? this.#byId.get(reference.trim().slice(1)) : undefined;

  #children(element: Element, style: Style, depth: number): void {
    for (const child of element.children) this.#element(child, style, depth);
  }

  #element(element: Element, parent: Style, depth: number): void {
    if (UNPAINTED.test(element.name)) return;
    if (depth > MAX_DEPTH) throw new NotVector(`nests its elements more than ${MAX_DEPTH} deep`);
    if (++this.#elements > MAX_ELEMENTS) throw new NotVector(`paints more than ${MAX_ELEMENTS} elements`);
    const style = new Style(this.#sheet.of(element), parent);
    if (style.own('display') === 'none') return;
    if (CONTAINERS.has(element.name)) this.#container(element, style, depth);
    else if (element.name === 'use') this.#use(element, style, depth);
    else if (element.name === 'switch') this.#switch(element, style, depth);
    else if (SHAPES.has(element.name)) this.#shape(element, style);
    else if (element.name === 'text') {
      if (/\S/.test(allText(element))) throw new NotVector('has text: convert it to paths');
    } else if (element.name === 'image') throw new NotVector('holds a picture');
    else throw new NotVector(`has an element “${element.name}”, which only browsers paint`);
  }

  #container(element: Element, style: Style, depth: number): void {
    const paint = (s: Style): void => this.#children(element, s, depth + 1);
    if (element.name !== 'svg') {
      this.#group(element, style, this.#transform(element, style), paint);
      return;
    }
    const { w, h } = this.#viewport;
    const at = (name: string, whole: number, initial = 0): number =>
      readLength(element.attributes.get(name), whole, initial);
    const view = { x: at('x', w), y: at('y', h), w: at('width', w, w), h: at('height', h, h) };
    this.#nested(element, style, [1, 0, 0, 1, view.x, view.y], view, depth);
  }

  /** A nested viewport: clipped, with its own view box. */
  #nested(element: Element, style: Style, place: Matrix, view: Viewport, depth: number): void {
    if (view.w <= 0 || view.h <= 0) return;
    const fit = fitViewBox(readViewBox(element), view, element.attributes.get('preserveAspectRatio'));
    this.#group(element, style, place, (s) => {
      this.#ops.push(push(IDENTITY, { clip: rectOutline({ x: 0, y: 0, w: view.w, h: view.h }) }), push(fit));
      this.#children(element, s, depth + 1);
      this.#ops.push({ op: 'pop' }, { op: 'pop' });
    });
  }

  #use(element: Element, style: Style, depth: number): void {
    const found = this.#find(element.attributes.get('href') ?? '');
    if (!found) {
      if (element.attributes.has('href')) throw new NotVector('repeats something that is not in it');
      return;
    }
    this.#group(element, style, placeOfUse(element, this.#viewport), (s) => {
      if (found.name !== 'symbol' && found.name !== 'svg') {
        this.#element(found, s, depth + 1);
        return;
      }
      const { w, h } = this.#viewport;
      const side = (name: string, whole: number): number =>
        readLength(element.attributes.get(name) ?? found.attributes.get(name), whole, whole);
      const view = { w: side('width', w), h: side('height', h) };
      if (++this.#elements > MAX_ELEMENTS || depth > MAX_DEPTH)
        throw new NotVector('repeats itself too often');
      this.#nested(found, new Style(this.#sheet.of(found), s), IDENTITY, view, depth + 1);
    });
  }

  /** Drawing programs keep private data in the first branch, which browsers skip. */
  #switch(element: Element, style: Style, depth: number): void {
    const branch = element.children.find(
      ({ name, attributes }) => name !== 'foreignObject' && !attributes.get('requiredExtensions'),
    );
    if (!branch) return;
    this.#group(element, style, this.#transform(element, style), (s) => this.#element(branch, s, depth + 1));
  }

  #transform(element: Element, style: Style): Matrix {
    const css = style.own('transform');
    if (css !== undefined && style.own('transform-origin') !== undefined) {
      throw new NotVector('turns about a point that only browsers work out');
    }
    return readTransform(css ?? element.attributes.get('transform') ?? '');
  }

  /** Paints inside a group, where the element needs one. */
  #group(element: Element, style: Style, matrix: Matrix, paint: (style: Style) => void): void {
    const effects = this.#effects(element, style);
    const plain = isIdentity(matrix) && Object.keys(effects).length === 0;
    const start = this.#ops.length;
    if (!plain) this.#ops.push(push(matrix, effects));
    paint(style);
    if (plain) return;
    if (this.#ops.length === start + 1) this.#ops.pop();
    else this.#ops.push({ op: 'pop' });
  }

  #effects(element: Element, style: Style): Partial<Pick<PushOp, 'clip' | 'opacity' | 'blend'>> {
    for (const name of ['filter', 'mask'] as const) {
      if ((style.own(name) ?? 'none') !== 'none') throw new NotVector(`has a ${name} on “${element.name}”`);
    }
    const opacity = readShare(style.own('opacity'), 1);
    const { data: blend } = blendSchema.safeParse(style.own('mix-blend-mode') ?? 'normal');
    if (blend === undefined) throw new NotVector('has a blend mode that painters do not know');
    const clip = this.#clip(style.own('clip-path'));
    return {
      ...(opacity < 1 && { opacity }),
      ...(blend !== 'normal' && { blend }),
      ...(clip && { clip }),
    };
  }

  #clip(text: string | undefined): Outline | null {
    if (text === undefined || text === 'none') return null;
    const element = this.#find(urlOf(text) ?? '');
    if (!element) {
      if (urlOf(text) === undefined) throw new NotVector('has a clip path that only browsers know');
      return null;
    }
    const clip = readClip(element, this.#sheet, this.#viewport, this.#find);
    if (clip.kind === 'path') this.#count(clip.commands);
    return clip;
  }

  #count(commands: readonly PathCommand[]): void {
    this.#commands += commands.length;
    if (this.#commands > MAX_COMMANDS)
      throw new NotVector(`has more than ${MAX_COMMANDS} path commands: simplify its paths`);
    if (commands.some(([, ...numbers]) => numbers.some((value) => !Number.isFinite(value)))) {
      throw new NotVector('has a path that cannot be read');
    }
  }

  #shape(element: Element, style: Style): void {
    if ((style.inherited('visibility') ?? 'visible') !== 'visible') return;
    const commands = shapePath(element, this.#viewport);
    if (commands.length === 0) return;
    this.#count(commands);
    for (const name of ['marker-start', 'marker-mid', 'marker-end'] as const) {
      if ((style.inherited(name) ?? 'none') !== 'none')
        throw new NotVector('has arrow heads (markers): convert them to paths');
    }
    this.#group(element, style, this.#transform(element, style), () => this.#marks(commands, style));
  }

  #marks(commands: readonly PathCommand[], style: Style): void {
    const outline: Outline = { kind: 'path', commands, evenOdd: style.inherited('fill-rule') === 'evenodd' };
    const fill = this.#paint(style.inherited('fill') ?? 'black', style, 'fill-opacity', commands);
    const stroke = this.#stroke(style, commands);
    const lineFirst = /^\s*(?:markers\s+)?stroke/.test(style.inherited('paint-order') ?? '');
    const line: Op[] = stroke ? [{ op: 'path', outline, fill: null, stroke }] : [];
    const area = fill ? areaOps(outline, commands, fill) : [];
    this.#ops.push(...(lineFirst ? [...line, ...area] : [...area, ...line]));
  }

  #paint(
    text: string,
    style: Style,
    share: 'fill-opacity' | 'stroke-opacity',
    commands: readonly PathCommand[],
  ): FillPaint {
    const opacity = readShare(style.inherited(share), 1);
    const reference = urlOf(text);
    if (reference !== undefined) {
      const element = this.#find(reference);
      if (element && /^(?:linear|radial)Gradient$/.test(element.name)) {
        const context = { find: this.#find, sheet: this.#sheet, viewport: this.#viewport };
        return readGradient(element, pathBounds(commands), opacity, context);
      }
      if (element) throw new NotVector(`is painted with a ${element.name}`);
    }
    const plain = reference === undefined ? text : text.slice(text.indexOf(')') + 1).trim() || 'none';
    if (plain === 'none') return null;
    const [r, g, b, alpha] = readColour(plain, style);
    return alpha * opacity > 0 ? [r, g, b, alpha * opacity] : null;
  }

  #stroke(style: Style, commands: readonly PathCommand[]): StrokePaint | null {
    const color = this.#paint(style.inherited('stroke') ?? 'none', style, 'stroke-opacity', commands);
    const { w, h } = this.#viewport;
    const diagonal = Math.hypot(w, h) / Math.SQRT2;
    const width = readLength(style.inherited('stroke-width'), diagonal, 1);
    if (!color || width <= 0) return null;
    if ('paint' in color) throw new NotVector('has a line painted with a gradient: convert it to a shape');
    if (style.own('vector-effect') === 'non-scaling-stroke')
      throw new NotVector('has lines that do not scale');
    const cap = style.inherited('stroke-linecap') ?? 'butt';
    const join = style.inherited('stroke-linejoin') ?? 'miter';
    const dashes = style.inherited('stroke-dasharray') ?? 'none';
    const list = dashes === 'none' ? [] : readNumbers(dashes);
    const dash = list.length % 2 === 1 ? [...list, ...list] : list;
    return {
      color,
      width,
      dash: dash.some((value) => value > 0) && dash.every((value) => value >= 0) ? dash : [],
      cap: cap === 'round' || cap === 'square' ? cap : 'butt',
      join: join === 'round' || join === 'bevel' ? join : 'miter',
      miterLimit: Math.max(1, readLength(style.inherited('stroke-miterlimit'), 1, 4)),
      dashOffset: readLength(style.inherited('stroke-dashoffset'), diagonal, 0),
    };
  }
}

/** An area in a colour, or in a gradient with its own space. */
function areaOps(
  outline: Outline & { kind: 'path' },
  commands: readonly PathCommand[],
  fill: Rgba | PlacedGradient,
): Op[] {
  if (!('paint' in fill))
    return [{ op: 'path', outline, fill: { kind: 'solid', color: fill }, stroke: null }];
  const inverse = invert(fill.matrix);
  if (!inverse) return [];
  const there = mapPath(commands, (x, y) => applyTo(inverse, { x, y }));
  const path: Op = { op: 'path', outline: { ...outline, commands: there }, fill: fill.paint, stroke: null };
  return isIdentity(fill.matrix) ? [path] : [push(fill.matrix), path, { op: 'pop' }];
}

/** The reference of `url(#id)`, with or without quotes. */
const urlOf = (text: string): string | undefined => /^\s*url\(\s*["']?([^"')]*)["']?\s*\)/.exec(text)?.[1];

const allText = (element: Element): string => element.text + element.children.map(allText).join('');
