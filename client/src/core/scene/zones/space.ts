import * as z from 'zod';
import { MAX_ORDER, MAX_SPACE_LINKS, plainTraits } from '../../board/space.ts';
import { spaceTraitsShape } from '../board/space-traits.ts';
import { commonShape, defineZone, type ZoneVersions } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('space'),
  ...spaceTraitsShape,
  /** Place in the order of play, from 1; 0 for none. */
  order: z.number().int().min(0).max(MAX_ORDER).default(0),
  /** Ids of the spaces that it leads to, and that lead to it. */
  links: z.array(z.string().min(1).max(64)).max(MAX_SPACE_LINKS).default([]),
});

export type SpaceZone = z.infer<typeof schema>;

/** Links that both sides made or kept: two people may join one space to others. */
function mergedLinks({ base, mine, theirs }: ZoneVersions<SpaceZone>): string[] {
  const before = new Set(base?.links);
  const all = new Set([...theirs.links, ...mine.links]);
  const kept = [...all].filter(
    (id) => !before.has(id) || (mine.links.includes(id) && theirs.links.includes(id)),
  );
  return kept.slice(0, MAX_SPACE_LINKS);
}

const WORDS: Readonly<Record<string, string>> = {
  role: 'pieces it holds',
  turning: 'angle of pieces',
  turn: 'angle of pieces',
  accepts: 'kinds of pieces',
  holds: 'most pieces',
  order: 'place in the order of play',
};

/** A place on a board where pieces go. Nothing of it is printed but its fill and stroke, which a new one has none of. */
export const SPACE = defineZone<SpaceZone>({
  schema,
  newName: 'Space',
  create: (common) => ({ ...common, kind: 'space', ...plainTraits('slot'), order: 0, links: [] }),
  merge: (versions) => ({ ...versions.merged, links: mergedLinks(versions) }),
  spaces: ({ name, role, turning, turn, accepts, holds, order, links }, box) => [
    { name, role, turning, turn, accepts, holds, order, links, box },
  ],
  spaceTraits: (zone) => [zone],
  describe: (key) => WORDS[key],
});
