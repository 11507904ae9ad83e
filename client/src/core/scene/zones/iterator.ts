import * as z from 'zod';
import { formulaSchema } from '../binding.ts';
import { mmPositiveSchema, radiiSchema } from '../style/paint.ts';
import { commonShape, defineParent, flowShape, noRadii, noSides } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('iterator'),
  /** A formula for a list, or for a number of items. */
  list: formulaSchema,
  variable: z.string().min(1).max(40),
  /** Size of one item. */
  itemW: mmPositiveSchema,
  itemH: mmPositiveSchema,
  ...flowShape,
  radius: radiiSchema,
});

type Iterator = z.infer<typeof schema>;

/**
 * Its children once for each item. The item goes by `variable` in formulas inside, its place by `variable` followed by
 * `Index`, such as `itemIndex`.
 */
export const ITERATOR = defineParent<Iterator>({
  schema,
  newName: 'Iterator',
  create: (common) => ({
    ...common,
    kind: 'iterator',
    list: '3',
    variable: 'item',
    itemW: Math.min(6, common.w),
    itemH: Math.min(6, common.h),
    direction: 'row',
    wrap: true,
    gap: 1,
    justify: 'start',
    align: 'start',
    padding: noSides(),
    radius: noRadii(),
  }),
  repeats: true,
  texts: ({ list }) => [list],
  variesByCard: true,
});
