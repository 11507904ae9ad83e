import type { Binding } from '../../../../core/scene/binding.ts';
import type { CardSize, Layout } from '../../../../core/scene/layout.ts';
import { newLayout } from '../../../../core/scene/new-layout.ts';
import { presetSize } from '../../../../core/scene/sizes.ts';
import type { Fill, Shadow } from '../../../../core/scene/style/paint.ts';
import type { TextStyle } from '../../../../core/scene/style/text-style.ts';
import type { CodeZone } from '../../../../core/scene/zones/code.ts';
import type { ImageZone } from '../../../../core/scene/zones/image.ts';
import type { ShapeZone } from '../../../../core/scene/zones/shape.ts';
import type { TextZone } from '../../../../core/scene/zones/text.ts';
import { newZone, type Zone, type ZoneOf } from '../../../../core/scene/zones.ts';

/** A layout to begin with, and a card to show it by. */
export interface Template {
  readonly id: string;
  readonly name: string;
  /** Purpose, in a few words. */
  readonly use: string;
  readonly layout: Layout;
  /** Cells of the card it is shown by; their keys are the columns it expects. */
  readonly sample: Readonly<Record<string, string>>;
}

/** Left, top, width and height in millimetres. */
export type Box = readonly [number, number, number, number];

/** Names zones of a template `z1`, `z2` …: their ids must be the same whenever it is built. */
let count = 0;
export const nextId = (): string => `z${++count}`;
export const boxed = ([x, y, w, h]: Box) => ({ x, y, w, h });
const allRadii = (radius: number): [number, number, number, number] => [radius, radius, radius, radius];

export type Change<Z extends Zone> = Partial<Omit<Z, 'radius' | 'fill'>> & {
  radius?: number;
  fill?: Fill | string;
};

export function changed<Z extends Zone>(zone: Z, change: Change<Z>): Z {
  const { radius, fill, ...rest } = change as Change<Zone>;
  return {
    ...zone,
    ...rest,
    ...(radius !== undefined && { radius: allRadii(radius) }),
    ...(fill !== undefined && { fill: typeof fill === 'string' ? solid(fill) : fill }),
  } as Z;
}

export const solid = (color: string): Fill => ({ kind: 'solid', color });
export const linear = (angle: number, ...colors: string[]): Fill => ({
  kind: 'linear',
  angle,
  stops: colors.map((color, at) => ({ at: at / (colors.length - 1), color })),
});
export const radial = (...colors: string[]): Fill => ({
  kind: 'radial',
  cx: 0.5,
  cy: 0.4,
  radius: 1,
  stops: colors.map((color, at) => ({ at: at / (colors.length - 1), color })),
});
export const shadow = (dy: number, blur: number, color = '#00000066'): Shadow => ({
  color,
  dx: 0,
  dy,
  blur,
  spread: 0,
});
export const line = (width: number, color: string) => ({ color, width, align: 'inside' as const, dash: [] });
export const formula = (text: string): Binding => ({ mode: 'formula', formula: text });
const column = (name: string): Binding => ({ mode: 'column', column: name });

export function shape(name: string, box: Box, change: Change<ShapeZone> = {}): ShapeZone {
  return changed(newZone('shape', nextId(), name, boxed(box)), change);
}

/** A text filled by the column of its name. */
export function field(
  name: string,
  box: Box,
  style: Partial<TextStyle>,
  change: Change<TextZone> = {},
): TextZone {
  const zone = label(name, box, '', style, change);
  return { ...zone, bindings: { text: column(name), ...zone.bindings } };
}

/** A text that says the same on every card. */
export function label(
  name: string,
  box: Box,
  words: string,
  style: Partial<TextStyle>,
  change: Change<TextZone> = {},
): TextZone {
  const zone = newZone('text', nextId(), name, boxed(box));
  return changed({ ...zone, text: words, style: { ...zone.style, vAlign: 'middle', ...style } }, change);
}

/** A picture from the column of its name. */
export function imageZone(name: string, box: Box, change: Change<ImageZone> = {}): ImageZone {
  const zone = newZone('image', nextId(), name, boxed(box));
  return changed({ ...zone, hideIfEmpty: true, bindings: { source: column(name) } }, change);
}

export function group(
  name: string,
  box: Box,
  children: Zone[],
  change: Change<ZoneOf<'container'>> = {},
): ZoneOf<'container'> {
  return changed({ ...newZone('container', nextId(), name, boxed(box)), children }, change);
}

export function repeat(
  name: string,
  box: Box,
  list: string,
  item: readonly [number, number],
  children: Zone[],
  change: Change<ZoneOf<'iterator'>> = {},
): ZoneOf<'iterator'> {
  const zone = newZone('iterator', nextId(), name, boxed(box));
  return changed({ ...zone, list, itemW: item[0], itemH: item[1], children }, change);
}

export function grid(name: string, box: Box, change: Change<ZoneOf<'grid'>>): ZoneOf<'grid'> {
  return changed(newZone('grid', nextId(), name, boxed(box)), change);
}

export function qr(name: string, box: Box, change: Change<CodeZone> = {}): CodeZone {
  const zone = newZone('code', nextId(), name, boxed(box));
  return changed({ ...zone, hideIfEmpty: true, bindings: { text: column(name) } }, change);
}

/** @param build makes the zones; called once, so that ids begin anew in every template */
export function template(
  id: string,
  name: string,
  use: string,
  card: { size?: string | CardSize; landscape?: boolean; ground: Fill | string },
  sample: Readonly<Record<string, string>>,
  build: (w: number, h: number) => Zone[],
): Template {
  const { size = 'poker', landscape } = card;
  const layout = newLayout(name, typeof size === 'string' ? presetSize(size, landscape) : size);
  layout.base.fill = typeof card.ground === 'string' ? solid(card.ground) : card.ground;
  count = 0;
  layout.zones = build(layout.size.w, layout.size.h);
  return { id, name, use, layout, sample };
}
