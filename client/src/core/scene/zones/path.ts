import * as z from 'zod';
import { type Course, placesAlong } from '../../board/curve.ts';
import { plainTraits, type SpaceRole } from '../../board/space.ts';
import { spaceTraitsShape } from '../board/space-traits.ts';
import type { Rect } from '../display/matrix.ts';
import { colourSchema, mmPositiveSchema } from '../style/paint.ts';
import { commonShape, defineZone } from './definition.ts';

/** Most points of one path. */
export const MAX_PATH_POINTS = 200;
/** Most spaces along one path. */
export const MAX_PATH_SPACES = 200;

const noSpaces = () => ({ count: 0, size: 10, ...plainTraits('spot' as SpaceRole) });

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
  /** Ids of the zones whose middles it begins and ends at; empty for an end that lies free. */
  ends: z.object({ from: z.string().max(64), to: z.string().max(64) }).default({ from: '', to: '' }),
  /** Spaces at equal distances along the line, both ends included; a track. */
  spaces: z
    .object({
      count: z.number().int().min(0).max(MAX_PATH_SPACES),
      size: mmPositiveSchema,
      ...spaceTraitsShape,
    })
    .default(noSpaces()),
});

export type PathZone = z.infer<typeof schema>;

/** The line of a path in its box. */
export const courseOf = ({ points, smooth, closed }: PathZone, box: Rect): Course => ({
  points: points.map(({ x, y }) => ({ x: box.x + x * box.w, y: box.y + y * box.h })),
  smooth,
  closed,
});

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
    ends: { from: '', to: '' },
    spaces: noSpaces(),
  }),
  isEmpty: ({ points }) => points.length < 2,
  spaceTraits: ({ spaces }) => (spaces.count > 0 ? [spaces] : []),
  spaces(zone, box) {
    const { count, size, ...traits } = zone.spaces;
    return placesAlong(courseOf(zone, box), count).map(({ x, y }, index) => ({
      name: `${zone.name} ${index + 1}`,
      ...traits,
      order: index + 1,
      links: [],
      box: { x: x - size / 2, y: y - size / 2, w: size, h: size },
    }));
  },
});
