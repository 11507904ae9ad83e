import * as z from 'zod';
import { MAX_TEXT_LENGTH } from '../limits.ts';
import { MAX_SHADOWS, mmPositiveSchema, radiiSchema, shadowSchema, sidesSchema } from '../style/paint.ts';
import { defaultTextStyle, ptSchema, textStyleSchema } from '../style/text-style.ts';
import { commonShape, defineZone, noRadii, noSides } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('text'),
  /** Markup of `core/text/markup/markup.ts`. */
  text: z.string().max(MAX_TEXT_LENGTH),
  style: textStyleSchema,
  radius: radiiSchema,
  padding: sidesSchema,
  /**
   * Treatment of text too long for the zone: let it overflow, set it smaller, set it narrower, end it with an ellipsis,
   * or (`group`) set it on all cards of the project at the size the longest needs.
   */
  fit: z.enum(['none', 'shrink', 'squash', 'ellipsis', 'group']),
  /** `shrink` and `group` go no smaller. */
  minSize: ptSchema,
  /** Columns the text runs through, left to right. */
  columns: z.number().int().min(1).max(8).default(1),
  columnGap: mmPositiveSchema.default(3),
  /** Sweep of the arc the lines are bent along, in degrees; above 0 arches, below 0 sags. */
  curve: z.number().min(-360).max(360).default(0),
  /** Shadows of the letters. */
  textShadows: z.array(shadowSchema).max(MAX_SHADOWS),
  /** In a flex container: as tall as the text, rather than `h`. */
  autoHeight: z.boolean(),
});

export type TextZone = z.infer<typeof schema>;

/** Text, set in a style of the font catalogue. */
export const TEXT = defineZone<TextZone>({
  schema,
  newName: 'Text',
  create: (common) => ({
    ...common,
    kind: 'text',
    text: '',
    style: defaultTextStyle(),
    radius: noRadii(),
    padding: noSides(),
    fit: 'shrink',
    minSize: 5,
    columns: 1,
    columnGap: 3,
    curve: 0,
    textShadows: [],
    autoHeight: false,
  }),
  isEmpty: ({ text }) => text.trim() === '',
  texts: ({ text }) => [text],
  style: ({ style }) => style,
});
