import type { LeafZone, ParentZone, ZoneKind, ZoneOf } from '../scene/zones.ts';
import type { LeafLayout, ParentLayout } from './zone-layout.ts';
import { CODE } from './zones/code.ts';
import { CONTAINER } from './zones/container.ts';
import { GRID } from './zones/grid.ts';
import { IMAGE } from './zones/image.ts';
import { ITERATOR } from './zones/iterator.ts';
import { MAP } from './zones/map.ts';
import { PATH } from './zones/path.ts';
import { SHAPE } from './zones/shape.ts';
import { SPACE } from './zones/space.ts';
import { TEXT } from './zones/text.ts';

type ZoneLayouts = {
  readonly [K in ZoneKind]: ZoneOf<K> extends ParentZone ? ParentLayout<ZoneOf<K>> : LeafLayout<ZoneOf<K>>;
};

/**
 * Drawing of each kind of zone. It is apart from the kinds' definitions, because pages read layouts but only workers
 * draw them, and text, flex boxes and codes are much code.
 */
const ZONE_LAYOUTS: ZoneLayouts = {
  text: TEXT,
  image: IMAGE,
  shape: SHAPE,
  code: CODE,
  container: CONTAINER,
  grid: GRID,
  iterator: ITERATOR,
  map: MAP,
  path: PATH,
  space: SPACE,
};

// A layout takes zones of its own kind only, which the compiler cannot tell of one looked up by kind.

/** Drawing of a zone that holds no others. */
export const leafLayout = ({ kind }: LeafZone): LeafLayout<LeafZone> =>
  ZONE_LAYOUTS[kind] as unknown as LeafLayout<LeafZone>;

/** Drawing of a zone that holds others. */
export const parentLayout = ({ kind }: ParentZone): ParentLayout<ParentZone> =>
  ZONE_LAYOUTS[kind] as unknown as ParentLayout<ParentZone>;
