import * as z from 'zod';
import { RulebookError } from '../core/book/document/error.ts';
import { ImpositionError } from '../core/imposition/error.ts';
import { safeName } from '../core/imposition/images/file-names.ts';
import { FontUnreadable } from '../core/text/fonts/required-faces.ts';
import { UnreadableDocument } from '../data/documents/documents.ts';
import { UnreadableImage } from '../render/pdf/images/images.ts';
import { FileTooLarge } from './files/new-file.ts';
import { FORMATS, optionsSchema } from './formats.ts';
import { StoreError } from './project/store.ts';

/** Argument of the callable function `exportDeck`. */
export const callSchema = optionsSchema.extend({
  /** Name or id. */
  project: z.string().min(1).max(1_500),
  version: z.string().min(1).max(200).optional(),
  component: z.string().max(1_500).optional(),
  preset: z.string().max(1_500).optional(),
});
export type Call = z.infer<typeof callSchema>;

/** @throws StoreError naming the fault */
export function readCall(text: string): Call {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new StoreError('The request is no JSON.');
  }
  const result = callSchema.safeParse(data);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new StoreError(`The request is wrong: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? '?'}.`);
}

/** File name of the export. */
export function fileNameOf(project: string, { format, splitMb }: Pick<Call, 'format' | 'splitMb'>): string {
  const { ending, named } = FORMATS[format];
  return `${safeName(project) || 'cards'}${named && ` ${named}`}.${ending({ splitMb })}`;
}

const THEIRS = [
  StoreError,
  UnreadableDocument,
  ImpositionError,
  RulebookError,
  FontUnreadable,
  UnreadableImage,
  FileTooLarge,
  RangeError,
] as const;

/** True if the caller can mend an error. */
export const isTheirs = (error: unknown): error is Error => THEIRS.some((kind) => error instanceof kind);
