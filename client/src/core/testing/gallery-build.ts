import type { Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { newLayout } from '../scene/new-layout.ts';
import type { ImageZone } from '../scene/zones/image.ts';
import type { ShapeZone } from '../scene/zones/shape.ts';
import type { TextZone } from '../scene/zones/text.ts';
import { newZone, type Zone, type ZoneOf } from '../scene/zones.ts';

/** Short ways to write the zones of gallery cards. */

export interface GalleryCard {
  readonly name: string;
  readonly layout: Layout;
  readonly row: Row;
}

let count = 0;
export const nextId = (): string => `z${++count}`;

export type Box = readonly [number, number, number, number];
export const boxed = ([x, y, w, h]: Box) => ({ x, y, w, h });

export function shape(box: Box, change: Partial<ShapeZone>): ShapeZone {
  return { ...newZone('shape', nextId(), 'Shape', boxed(box)), ...change };
}
export function image(box: Box, change: Partial<ImageZone>): ImageZone {
  return { ...newZone('image', nextId(), 'Image', boxed(box)), source: 'Art/dusk.jpg', ...change };
}
export function text(
  box: Box,
  words: string,
  style: Partial<TextZone['style']> = {},
  change: Partial<TextZone> = {},
): TextZone {
  const zone = newZone('text', nextId(), 'Text', boxed(box));
  return { ...zone, text: words, style: { ...zone.style, ...style }, ...change };
}
export function container(
  box: Box,
  children: Zone[],
  change: Partial<ZoneOf<'container'>> = {},
): ZoneOf<'container'> {
  return { ...newZone('container', nextId(), 'Container', boxed(box)), children, ...change };
}

export function card(name: string, zones: Zone[], change: Partial<Layout> = {}): GalleryCard {
  return { name, layout: { ...newLayout(name), zones, ...change }, row: { cells: {} } };
}

export const solid = (color: string) => ({ kind: 'solid', color }) as const;
export const shadow = (dx: number, dy: number, blur: number, color: string, spread = 0) => ({
  dx,
  dy,
  blur,
  color,
  spread,
});
