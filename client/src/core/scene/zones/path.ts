import * as z from 'zod';
import { colourSchema, mmPositiveSchema } from '../paint.ts';
import { commonShape, defineZone } from './definition.ts';

/** Most points of one path. */
export const MAX_PATH_POINTS = 200;

const schema = z.object({
  ...commonShape,
  kind: z.literal('path'),
  /** Points as shares of the zone's sides, so that the path grows with the zone. */
  points: z
    .array(z.object({ x: z.number().min(-1).max(2), y: z.number().min(-1).max(2) }))
    .max(MAX_PATH_POINTS),
  /** Runs smoothly through its points. */
  smooth: z.boolean(),
  closed: z.boolean(),
  color: colourSchema,
  width: mmPositiveSchema,
  dash: z.enum(['solid', 'dashed', 'dotted']),
  arrow: z.enum(['none', 'end', 'both']),
});

export type PathZone = z.infer<typeof schema>;

/** A line through points: a river, a road, a link between places. */
export const PATH = defineZone<PathZone>({
  schema,
  newName: 'Path',
  create: (common) => ({
    ...common,
    kind: 'path',
    points: [
      { x: 0, y: 1 },
      { x: 0.35, y: 0.3 },
      { x: 0.65, y: 0.7 },
      { x: 1, y: 0 },
    ],
    smooth: true,
    closed: false,
    color: '#4a4f5c',
    width: 1,
    dash: 'solid',
    arrow: 'none',
  }),
  isEmpty: ({ points }) => points.length < 2,
});
