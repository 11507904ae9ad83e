import * as z from 'zod';
import { layoutFontSchema } from '../../core/scene/style/layout-font.ts';
import { timeSchema } from '../documents/time-schema.ts';

/** A font file of a project: `projects/{p}/fonts/{f}`. */
export const projectFontSchema = layoutFontSchema.extend({
  /** Its file, by its name in the file store. */
  file: z.string().min(1),
  /** SHA-256 of the file, in hexadecimal. */
  hash: z.string().catch(''),
  bytes: z.number().catch(0),
  createdAt: timeSchema,
});

export type ProjectFont = z.infer<typeof projectFontSchema>;
