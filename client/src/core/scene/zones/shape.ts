import * as z from 'zod';
import { radiiSchema } from '../style/paint.ts';
import { commonShape, defineZone, noRadii } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('shape'),
  shape: z.enum(['rect', 'ellipse', 'polygon', 'star']),
  radius: radiiSchema,
  /** Corners of a polygon, points of a star. */
  points: z.number().int().min(3).max(64),
  /** Inner radius of a star as a share of the outer one. */
  inner: z.number().min(0.01).max(1),
});

export type ShapeZone = z.infer<typeof schema>;

/** A rectangle, ellipse, polygon or star. */
export const SHAPE = defineZone<ShapeZone>({
  schema,
  newName: 'Shape',
  create: (common) => ({
    ...common,
    fill: { kind: 'solid', color: '#c9d1dc' },
    kind: 'shape',
    shape: 'rect',
    radius: noRadii(),
    points: 5,
    inner: 0.5,
  }),
});
