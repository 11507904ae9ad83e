import * as z from 'zod';
import { MAX_CELLS } from '../limits.ts';
import { fillSchema, mmPositiveSchema, radiiSchema, strokeSchema } from '../style/paint.ts';
import { commonShape, defineParent, noRadii } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('grid'),
  cells: z.enum(['square', 'offset', 'hex-pointy', 'hex-flat']),
  cols: z.number().int().min(1).max(MAX_CELLS),
  rows: z.number().int().min(1).max(MAX_CELLS),
  gap: mmPositiveSchema,
  cellFill: fillSchema,
  cellStroke: strokeSchema,
  radius: radiiSchema,
});

type Grid = z.infer<typeof schema>;

/** Cells side by side, each showing the children; formulas inside know `cell`, `row` and `col`, from 1. */
export const GRID = defineParent<Grid>({
  schema,
  newName: 'Grid',
  create: (common) => ({
    ...common,
    kind: 'grid',
    cells: 'square',
    cols: 3,
    rows: 3,
    gap: 0,
    cellFill: { kind: 'none' },
    cellStroke: { color: '#1f2430', width: 0.25, align: 'center', dash: [] },
    radius: noRadii(),
  }),
  repeats: true,
});
