import * as z from 'zod';
import { SPACE_ROLES } from '../../board/space.ts';
import { commonShape, defineZone } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('space'),
  role: z.enum(SPACE_ROLES),
});

export type SpaceZone = z.infer<typeof schema>;

/** A place on a board where pieces go. Nothing of it is printed but its fill and stroke, which a new one has none of. */
export const SPACE = defineZone<SpaceZone>({
  schema,
  newName: 'Space',
  create: (common) => ({ ...common, kind: 'space', role: 'slot' }),
  spaces: ({ name, role }, box) => [{ name, role, box }],
});
