import * as z from 'zod';
import type { ImageFileType } from '../core/imposition/images/painting.ts';
import type { Printer } from '../core/printers/products.ts';
import type { TableSetId } from '../core/tabletop/table-sets.ts';
import { type Format, settingsSchema } from './format.ts';
import { imageFiles } from './formats/image-files.ts';
import { PDF } from './formats/pdf.ts';
import { PRINTER_FORMATS } from './formats/printers.ts';
import { RULEBOOK } from './formats/rulebook.ts';
import { SIMULATOR } from './formats/simulator.ts';
import { TABLE_SET_FORMATS } from './formats/table-sets.ts';

type ImageFormatId<T = ImageFileType> = T extends `image/${infer Id}` ? Id : never;
export type FormatId = 'pdf' | 'rulebook' | 'tts' | ImageFormatId | TableSetId | Printer['id'];

/** Export formats, by the names that the command line and the callable function take. See docs/extending.md. */
export const FORMATS: Readonly<Record<FormatId, Format>> = {
  pdf: PDF,
  rulebook: RULEBOOK,
  png: imageFiles('image/png'),
  webp: imageFiles('image/webp'),
  jpeg: imageFiles('image/jpeg'),
  tts: SIMULATOR,
  ...TABLE_SET_FORMATS,
  ...PRINTER_FORMATS,
};

export const optionsSchema = settingsSchema.extend({
  format: z.enum(Object.keys(FORMATS) as [FormatId, ...FormatId[]]).default('pdf'),
});
export type ExportOptions = z.infer<typeof optionsSchema>;
