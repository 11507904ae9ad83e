import type { ShownZone } from '../layout/card-data.ts';
import { resolveTree } from '../layout/resolve-tree.ts';
import { resolve } from '../scene/card/resolve.ts';
import type { Column, Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { newPlacement } from '../scene/style/image-placement.ts';
import { newZone, type Zone } from '../scene/zones.ts';

/** A zone as its card shows it: what drove it is worked out, and no row changes it any more. */
function baked(shown: ShownZone): Zone {
  const own = { ...shown, bindings: {}, visibleIf: '', hideIfEmpty: false };
  // The places that a path stuck to get ids of their own.
  if (own.kind === 'path') return { ...own, ends: { from: '', to: '' } };
  if (own.kind !== 'container') return own as Zone;
  const { from: _, children, ...container } = own;
  return { ...container, children: children.map(baked) } as Zone;
}

/** The ground of a card as zones: its colour, its picture. */
function groundOf(layout: Layout, row: Row, columns: readonly Column[]): Zone[] {
  const { fill, image } = resolve(layout.base, row, columns).zone;
  const box = { x: 0, y: 0, w: layout.size.w, h: layout.size.h };
  const ground: Zone = { ...newZone('shape', 'ground', 'Ground', box), fill };
  const { source, opacity, ...placement } = image;
  const picture: Zone = {
    ...newZone('image', 'picture', 'Ground image', box),
    ...newPlacement(),
    ...placement,
    source,
    opacity,
  };
  return [...(fill.kind === 'none' ? [] : [ground]), ...(source.trim() === '' ? [] : [picture])];
}

/** A card as zones of its own, back to front: what its layout and its row make of it, and nothing that is driven. */
export const bakedCard = (layout: Layout, row: Row, columns: readonly Column[]): Zone[] => [
  ...groundOf(layout, row, columns),
  ...resolveTree(layout.zones, row, columns, []).map(baked),
];

/** Number of zones of a tree. */
export const zoneCount = (zones: readonly Zone[]): number =>
  zones.reduce((sum, zone) => sum + 1 + ('children' in zone ? zoneCount(zone.children as Zone[]) : 0), 0);
