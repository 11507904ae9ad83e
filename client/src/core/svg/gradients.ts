import type { Paint, PaintStop } from '../scene/display/display-list.ts';
import { type Matrix, multiply, type Rect } from '../scene/display/matrix.ts';
import { NotVector } from './drawing.ts';
import { readLength, readShare } from './lengths.ts';
import type { Viewport } from './shapes.ts';
import { readColour, Style, type StyleSheet } from './style.ts';
import { readTransform } from './transform.ts';
import type { Element } from './xml.ts';

/** Longest chain of gradients that refer to one another for their stops. */
const MAX_CHAIN = 8;

/** A gradient in its own space, which `matrix` maps to that of the shape. */
export interface PlacedGradient {
  readonly paint: Paint;
  readonly matrix: Matrix;
}

/** Lookup of gradients, and the reference of their lengths. */
export interface GradientContext {
  readonly find: (reference: string) => Element | undefined;
  readonly sheet: StyleSheet;
  readonly viewport: Viewport;
}

/**
 * The gradient of an element for a shape.
 * @param bounds the shape's box
 * @param opacity multiplies the alpha of all stops
 * @returns null where nothing is painted
 * @throws NotVector for features that the painters lack
 */
export function readGradient(
  element: Element,
  bounds: Rect,
  opacity: number,
  context: GradientContext,
): PlacedGradient | null {
  const chain = chainOf(element, context);
  const attribute = (name: string): string | undefined =>
    chain.find((link) => link.attributes.has(name))?.attributes.get(name);
  if ((attribute('spreadMethod') ?? 'pad') !== 'pad') throw new NotVector('has a gradient that repeats');
  const stops = stopsOf(chain, opacity, context.sheet);
  const last = stops.at(-1);
  if (!last) return null;
  const inBox = attribute('gradientUnits') !== 'userSpaceOnUse';
  if (inBox && (bounds.w === 0 || bounds.h === 0)) return null;
  const own = readTransform(attribute('gradientTransform') ?? '');
  const matrix = inBox ? multiply([bounds.w, 0, 0, bounds.h, bounds.x, bounds.y], own) : own;
  const [w, h] = inBox ? [1, 1] : [context.viewport.w, context.viewport.h];
  const solid: PlacedGradient = { paint: { kind: 'solid', color: last.color }, matrix };
  if (stops.length === 1) return solid;
  const x = (name: string, initial: string): number => readLength(attribute(name) ?? initial, w, 0);
  const y = (name: string, initial: string): number => readLength(attribute(name) ?? initial, h, 0);
  if (element.name === 'linearGradient') {
    const from = { x: x('x1', '0%'), y: y('y1', '0%') };
    const to = { x: x('x2', '100%'), y: y('y2', '0%') };
    if (from.x === to.x && from.y === to.y) return solid;
    return { paint: { kind: 'linear', from, to, stops }, matrix };
  }
  const center = { x: x('cx', '50%'), y: y('cy', '50%') };
  const focus = { x: readLength(attribute('fx'), w, center.x), y: readLength(attribute('fy'), h, center.y) };
  const diagonal = Math.hypot(w, h) / Math.SQRT2;
  const radius = readLength(attribute('r') ?? '50%', diagonal, 0);
  if (radius <= 0) return solid;
  const offCentre = Math.hypot(focus.x - center.x, focus.y - center.y) > radius / 1_000;
  if (offCentre || readLength(attribute('fr'), diagonal, 0) > 0) {
    throw new NotVector('has a radial gradient that does not begin in its middle');
  }
  return { paint: { kind: 'radial', center, radius, stops }, matrix };
}

/** A gradient and those it refers to, in order of reference. */
function chainOf(element: Element, { find }: GradientContext): Element[] {
  const chain = [element];
  for (let next: Element | undefined = element; chain.length < MAX_CHAIN; chain.push(next)) {
    const href: string | undefined = next.attributes.get('href');
    next = href === undefined ? undefined : find(href);
    if (!next || chain.includes(next)) return chain;
  }
  return chain;
}

function stopsOf(chain: readonly Element[], opacity: number, sheet: StyleSheet): PaintStop[] {
  const holder = chain.find(({ children }) => children.some(({ name }) => name === 'stop'));
  let last = 0;
  return (holder?.children ?? [])
    .filter(({ name }) => name === 'stop')
    .map((stop) => {
      const style = new Style(sheet.of(stop));
      const [r, g, b, alpha] = readColour(style.own('stop-color') ?? 'black', style);
      // A stop never lies before the one that precedes it.
      last = Math.max(last, readShare(stop.attributes.get('offset'), 0));
      return { at: last, color: [r, g, b, alpha * readShare(style.own('stop-opacity'), 1) * opacity] };
    });
}
