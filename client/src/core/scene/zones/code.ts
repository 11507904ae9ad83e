import * as z from 'zod';
import { MAX_TEXT_LENGTH } from '../limits.ts';
import { colourSchema, radiiSchema } from '../style/paint.ts';
import { commonShape, defineZone, noRadii } from './definition.ts';

const schema = z.object({
  ...commonShape,
  kind: z.literal('code'),
  symbology: z.enum(['qr', 'code128', 'code39', 'ean13', 'ean8', 'upc', 'itf14']),
  text: z.string().max(MAX_TEXT_LENGTH),
  color: colourSchema,
  /** Empty rim in modules; readers want 4 around a QR code, 10 beside bars. */
  quiet: z.number().int().min(0).max(20),
  /** Share of a QR code that may be damaged: 7, 15, 25 or 30 %. */
  correction: z.enum(['L', 'M', 'Q', 'H']),
  radius: radiiSchema,
});

export type CodeZone = z.infer<typeof schema>;

/** A machine-readable code; its text is used literally, without markup. */
export const CODE = defineZone<CodeZone>({
  schema,
  newName: 'Code',
  create: (common) => ({
    ...common,
    fill: { kind: 'solid', color: '#ffffff' },
    kind: 'code',
    symbology: 'qr',
    text: '',
    color: '#000000',
    quiet: 4,
    correction: 'M',
    radius: noRadii(),
  }),
  isEmpty: ({ text }) => text.trim() === '',
});
