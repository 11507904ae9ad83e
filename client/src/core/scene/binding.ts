import * as z from 'zod';
import { MAX_FORMULA_LENGTH, MAX_NAME_LENGTH } from './limits.ts';

export const nameSchema = z.string().max(MAX_NAME_LENGTH);
export const formulaSchema = z.string().max(MAX_FORMULA_LENGTH);

export const bindingSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('column'), column: nameSchema }),
  z.object({ mode: z.literal('formula'), formula: formulaSchema }),
]);

/** Bindings by property path, such as `text`, `fill` or `style.color`. */
export const bindingsSchema = z.record(z.string().max(100), bindingSchema);

export type Binding = z.infer<typeof bindingSchema>;
export type Bindings = z.infer<typeof bindingsSchema>;
