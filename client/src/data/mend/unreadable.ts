import { type DocumentReference, deleteField, FieldPath, runTransaction } from '@sdk/firestore';
import type * as z from 'zod';
import { stableJson } from '../../core/archive/stable-json.ts';
import { toJson } from '../project/transfer/json.ts';
import type { Mended } from './mend.ts';

/** A document that this version cannot read; it is left out of lists, never overwritten unasked. */
export interface Unreadable {
  /** Path of the document, and what is wrong with it. */
  readonly sentence: string;
  /** `undefined` where the document could not be fetched. */
  readonly stored?:
    | {
        readonly ref: DocumentReference;
        readonly data: Readonly<Record<string, unknown>>;
        readonly schema: z.ZodType;
      }
    | undefined;
}

/** A list's unreadable document. */
export function unreadable(
  error: unknown,
  ref: DocumentReference,
  data: unknown,
  schema: z.ZodType,
): Unreadable {
  const sentence = error instanceof Error ? error.message : String(error);
  const stored =
    typeof data === 'object' && data !== null
      ? { ref, data: data as Readonly<Record<string, unknown>>, schema }
      : undefined;
  return { sentence, stored };
}

/**
 * Writes the fields that mending changed; others stay as they are stored.
 * @throws Error when the document is gone, or is no longer the one that was shown
 */
export function writeMended({ ref, data }: NonNullable<Unreadable['stored']>, mended: Mended): Promise<void> {
  const fields = [...new Set(mended.changes.map(({ path }) => String(path[0])))];
  const shown = stableJson(toJson(data));
  return runTransaction(ref.firestore, async (transaction) => {
    const now = await transaction.get(ref);
    if (!now.exists()) throw new Error('The document has been deleted meanwhile.');
    if (stableJson(toJson(now.data() as Record<string, unknown>)) !== shown) {
      throw new Error('The document has changed meanwhile. Look at it again before you mend it.');
    }
    for (const field of fields) {
      const value = Object.hasOwn(mended.data, field) ? mended.data[field] : undefined;
      transaction.update(ref, new FieldPath(field), value === undefined ? deleteField() : value);
    }
  });
}
