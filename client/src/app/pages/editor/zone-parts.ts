import type { Zone, ZoneKind } from '../../../core/scene/zones.ts';
import { CODE } from './zone-parts/code.tsx';
import { CONTAINER } from './zone-parts/container.tsx';
import { GRID } from './zone-parts/grid.tsx';
import { IMAGE } from './zone-parts/image.ts';
import { ITERATOR } from './zone-parts/iterator.tsx';
import { MAP } from './zone-parts/map.tsx';
import { PATH } from './zone-parts/path.tsx';
import { SHAPE } from './zone-parts/shape.tsx';
import { SPACE } from './zone-parts/space.tsx';
import { TEXT } from './zone-parts/text.ts';
import type { ZonePart } from './zone-parts/zone-part.ts';

/** The editor's side of each kind of zone, in the order of menus. */
const ZONE_PARTS: { readonly [K in ZoneKind]: ZonePart<K> } = {
  text: TEXT,
  image: IMAGE,
  shape: SHAPE,
  container: CONTAINER,
  iterator: ITERATOR,
  grid: GRID,
  map: MAP,
  path: PATH,
  space: SPACE,
  code: CODE,
};

/** A part as one takes it whose kind is known only when it runs. */
export type AnyZonePart = ZonePart<ZoneKind>;

/** The part of a zone's kind. */
export const partOf = ({ kind }: Pick<Zone, 'kind'>): AnyZonePart =>
  // A part takes zones of its own kind only, which the compiler cannot tell of one looked up by kind.
  ZONE_PARTS[kind] as unknown as AnyZonePart;

/** Every kind, in the order of menus. */
export const ZONE_KINDS = Object.keys(ZONE_PARTS) as readonly ZoneKind[];
