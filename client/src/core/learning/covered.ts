import { rowRead } from '../play/box/cells-read.ts';
import type { Column, Row } from '../scene/card/row.ts';
import type { Layout } from '../scene/layout.ts';
import { isParent, newZone, type Zone } from '../scene/zones.ts';

/** Cards whose zones are covered until the card is turned, so that what stands there can be guessed. */

/** A zone that can be covered. */
export interface Coverable {
  readonly id: string;
  readonly name: string;
  /** Depth in the tree of zones, from 0. */
  readonly depth: number;
}

/** Bindings of a zone's place: a cover lies where its zone does. */
const OF_PLACE = ['x', 'y', 'w', 'h', 'rotation'];
/** Shows as a cover on paper of any colour. */
const COVER = '#8f8578';

/** Zones of a layout that show something, in the order of painting. Those with others inside come before them. */
export function coverable(zones: readonly Zone[], depth = 0): readonly Coverable[] {
  return zones
    .filter(({ hidden, kind }) => !hidden && kind !== 'space')
    .flatMap((zone) => [
      { id: zone.id, name: zone.name, depth },
      ...(isParent(zone) ? coverable(zone.children, depth + 1) : []),
    ]);
}

/** The layout with covers over some of its zones; the same object where it has none of them. */
export function covered(layout: Layout, ids: ReadonlySet<string>): Layout {
  if (countCovered(layout, ids) === 0) return layout;
  return { ...layout, zones: layout.zones.map((zone) => coveredZone(zone, ids)) };
}

/** Number of a layout's covers. A zone in a covered one has none of its own. */
export const countCovered = (layout: Layout, ids: ReadonlySet<string>): number =>
  underCovers(layout.zones, ids).length;

function coveredZone(zone: Zone, ids: ReadonlySet<string>): Zone {
  if (zone.hidden || zone.kind === 'space') return zone;
  if (ids.has(zone.id)) return coverOf(zone);
  return isParent(zone) ? { ...zone, children: zone.children.map((inner) => coveredZone(inner, ids)) } : zone;
}

function coverOf(zone: Zone): Zone {
  const { id, name, x, y, w, h, rotation, flex, visibleIf, bindings } = zone;
  const place = Object.entries(bindings).filter(([path]) => OF_PLACE.includes(path));
  return {
    ...newZone('shape', id, name, { x, y, w, h }),
    rotation,
    flex,
    visibleIf,
    bindings: Object.fromEntries(place),
    fill: { kind: 'solid', color: COVER },
  };
}

function underCovers(zones: readonly Zone[], ids: ReadonlySet<string>): readonly Zone[] {
  return zones.flatMap((zone) => {
    if (zone.hidden || zone.kind === 'space') return [];
    if (ids.has(zone.id)) return [zone];
    return isParent(zone) ? underCovers(zone.children, ids) : [];
  });
}

/**
 * Columns that a card's words may name while it is covered: none that a covered zone reads, even if another zone shows
 * it as well.
 */
export function openColumns<C extends Column>(
  layout: Layout,
  ids: ReadonlySet<string>,
  row: Row,
  columns: readonly C[],
): readonly C[] {
  const zones = underCovers(layout.zones, ids);
  if (zones.length === 0) return columns;
  const { cells } = rowRead({ ...layout, zones: [...zones] }, row, columns);
  return columns.filter(({ key }) => !Object.hasOwn(cells, key));
}
