import * as z from 'zod';
import { radiiSchema } from '../style/paint.ts';
import { commonShape, defineParent, flowShape, noRadii, noSides } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('container'),
  /** `free` keeps the children where they are: a group. */
  arrange: z.enum(['free', 'flex']),
  ...flowShape,
  /** In a flex container: as tall as its own children need, rather than `h`. */
  autoHeight: z.boolean(),
  /** Clip children to the container's edge. */
  clip: z.boolean(),
  radius: radiiSchema,
});

type Container = z.infer<typeof schema>;

/** Zones that move together, or that flow one after the other. */
export const CONTAINER = defineParent<Container>({
  schema,
  newName: 'Group',
  create: (common) => ({
    ...common,
    kind: 'container',
    arrange: 'flex',
    direction: 'row',
    wrap: false,
    gap: 1,
    justify: 'start',
    align: 'start',
    padding: noSides(),
    autoHeight: false,
    clip: false,
    radius: noRadii(),
  }),
});
