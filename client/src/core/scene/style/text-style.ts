import * as z from 'zod';
import type { Pt } from '../../units.ts';
import { nameSchema } from '../binding.ts';
import { colourSchema, mmPositiveSchema } from './paint.ts';

export const DEFAULT_FAMILY = 'eb-garamond';

export const ptSchema = z.number().min(0.5).max(2_000) as unknown as z.ZodType<Pt, Pt>;

/** Weight of letters, as in CSS: 400 is regular, 700 bold. The nearest weight of the font is used. */
export const weightSchema = z.number().int().min(1).max(1_000);

export const textStyleSchema = z.object({
  /** Family id of the font catalogue, such as `eb-garamond`. */
  family: nameSchema,
  size: ptSchema,
  weight: weightSchema,
  italic: z.boolean(),
  color: colourSchema,
  /** Baseline to baseline, as a multiple of the size. */
  lineHeight: z.number().min(0.1).max(10),
  /** Extra space after each letter, as a share of the size. */
  letterSpacing: z.number().min(-1).max(5),
  /** Space between paragraphs, as a share of the size. */
  paragraphGap: z.number().min(0).max(10),
  /** `start` and `end` are those of each paragraph's direction. */
  align: z.enum(['left', 'center', 'right', 'justify', 'start', 'end']),
  vAlign: z.enum(['top', 'middle', 'bottom']),
  transform: z.enum(['none', 'uppercase', 'lowercase']),
  /** Extra space between words, as a share of the size. */
  wordSpacing: z.number().min(-1).max(10).default(0),
  /** Small letters as small capitals. */
  smallCaps: z.boolean().default(false),
  /** OpenType features by tag, such as `onum, ss01` or `liga=0`. */
  features: z.string().max(200).default(''),
  /** Axes of a variable font other than its weight, such as `wdth=80, opsz=12`. */
  axes: z.string().max(200).default(''),
  /** Language by whose rules words are hyphenated, such as `en-us`; empty never. */
  hyphenate: z.string().max(20).default(''),
  /** `auto` takes each paragraph's direction from its first letter. */
  direction: z.enum(['auto', 'ltr', 'rtl']).default('auto'),
  /** Line around the letters, painted under their fill. */
  outline: z.object({ color: colourSchema, width: mmPositiveSchema }),
});

export type TextStyle = z.infer<typeof textStyleSchema>;

export function defaultTextStyle(): TextStyle {
  return {
    family: DEFAULT_FAMILY,
    size: 10,
    weight: 400,
    italic: false,
    color: '#1f2430',
    lineHeight: 1.2,
    letterSpacing: 0,
    paragraphGap: 0.5,
    align: 'left',
    vAlign: 'top',
    transform: 'none',
    wordSpacing: 0,
    smallCaps: false,
    features: '',
    axes: '',
    hyphenate: '',
    direction: 'auto',
    outline: { color: '#ffffff', width: 0 },
  };
}
