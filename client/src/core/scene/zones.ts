import * as z from 'zod';
import { CODE } from './zones/code.ts';
import { CONTAINER } from './zones/container.ts';
import { type Box, newCommon, type ZoneDefinition } from './zones/definition.ts';
import { GRID } from './zones/grid.ts';
import { IMAGE } from './zones/image.ts';
import { ITERATOR } from './zones/iterator.ts';
import { MAP } from './zones/map.ts';
import { PATH } from './zones/path.ts';
import { SHAPE } from './zones/shape.ts';
import { SPACE } from './zones/space.ts';
import { TEXT } from './zones/text.ts';

/**
 * The kinds of zones. A kind has an entry here, one in `core/layout/zones.ts` (drawing it) and one in
 * `app/pages/editor/zone-parts.ts` (editing it); the compiler refuses a kind that lacks one. See docs/extending.md.
 */
export const ZONES = {
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

export type ZoneKind = keyof typeof ZONES;
interface Holding {
  children: Zone[];
}
type FromDefinition<D> =
  D extends ZoneDefinition<infer Own, infer Holds> ? (Holds extends true ? Own & Holding : Own) : never;
/** A zone of one kind, or of some kinds. */
export type ZoneOf<K extends ZoneKind> = { [P in K]: FromDefinition<(typeof ZONES)[P]> }[K];
export type Zone = ZoneOf<ZoneKind>;
/** A zone that holds others. */
export type ParentZone = Extract<Zone, Holding>;
export type LeafZone = Exclude<Zone, Holding>;

/** True if a zone holds others. */
export const isParent = (zone: Zone): zone is ParentZone => 'children' in zone;

/** The definition of a zone's kind. */
export const definitionOf = ({ kind }: Pick<Zone, 'kind'>): ZoneDefinition =>
  // A definition takes zones of its own kind only, which the compiler cannot tell of one looked up by kind.
  ZONES[kind] as unknown as ZoneDefinition;

/** Schema of a stored zone of any kind, with the zones inside. */
export const zoneSchema: z.ZodType<Zone> = z.lazy(() =>
  z.union(storedSchemas, { error: ({ input }) => unknownKind(input) }),
);

/** Names a kind that a newer version has stored. */
function unknownKind(input: unknown): string | undefined {
  const kind = typeof input === 'object' && input !== null && 'kind' in input ? String(input.kind) : '';
  if (kind === '' || Object.hasOwn(ZONES, kind)) return undefined;
  return `A zone is of the kind «${kind.slice(0, 40)}», which this version of Tuckbox does not know: load the page anew, or update the server.`;
}

const storedSchemas = Object.values(ZONES).map(({ schema, holdsZones }) => {
  const stored: unknown = holdsZones
    ? (schema as unknown as z.ZodObject).extend({ children: z.array(z.lazy(() => zoneSchema)) })
    : schema;
  return stored as z.ZodType<Zone>;
});

/** A fresh zone of a kind. `id` must be new in the layout: the caller owns randomness. */
export function newZone<K extends ZoneKind>(kind: K, id: string, name: string, box: Box): ZoneOf<K> {
  const { create, holdsZones } = ZONES[kind] as unknown as ZoneDefinition;
  const own = create(newCommon(id, name, box));
  return (holdsZones ? { ...own, children: [] } : own) as unknown as ZoneOf<K>;
}
