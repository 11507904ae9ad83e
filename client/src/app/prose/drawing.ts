import type { Layout } from '../../core/scene/layout.ts';
import { newLayout } from '../../core/scene/new-layout.ts';
import { presetSize } from '../../core/scene/sizes.ts';
import type { Fill } from '../../core/scene/style/paint.ts';
import type { ShapeZone } from '../../core/scene/zones/shape.ts';
import type { TextZone } from '../../core/scene/zones/text.ts';
import { newZone, type Zone } from '../../core/scene/zones.ts';

/** Left, top, width, height in millimetres from the card's cut edge. */
export type Box = readonly [number, number, number, number];

const boxed = ([x, y, w, h]: Box) => ({ x, y, w, h });
export const solid = (color: string): Fill => ({ kind: 'solid', color });
/** A gradient from top to bottom. */
export const fade = (from: string, to: string): Fill => ({
  kind: 'linear',
  angle: 180,
  stops: [
    { at: 0, color: from },
    { at: 1, color: to },
  ],
});

let count = 0;
const nextId = () => `f${count++}`;

/** A shape of one colour or with what `change` says. */
export function shape(box: Box, fill: Fill, change: Partial<ShapeZone> = {}): ShapeZone {
  return { ...newZone('shape', nextId(), 'Shape', boxed(box)), fill, ...change };
}

/** Words in a box. */
export function words(
  box: Box,
  text: string,
  style: Partial<TextZone['style']> = {},
  change: Partial<TextZone> = {},
): TextZone {
  const zone = newZone('text', nextId(), 'Text', boxed(box));
  return { ...zone, text, style: { ...zone.style, ...style }, ...change };
}

/** A card of zones. `size` is a preset's id, or width and height in millimetres of a card with square corners. */
export function card(
  name: string,
  size: string | readonly [number, number],
  fill: Fill,
  zones: readonly Zone[],
): Layout {
  const measured =
    typeof size === 'string'
      ? presetSize(size)
      : ({ preset: 'custom', w: size[0], h: size[1], shape: 'rect', radius: 0 } as const);
  const layout = newLayout(name, measured);
  return { ...layout, base: { ...layout.base, fill }, zones: [...zones] };
}
