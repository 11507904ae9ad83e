import * as z from 'zod';

/** A time of a document, as milliseconds since 1970: a server timestamp, or a number; 0 for anything else. */
export const timeSchema = z.preprocess((value) => {
  const stamp = value as { toMillis?: () => number } | null | undefined;
  return typeof stamp?.toMillis === 'function' ? stamp.toMillis() : typeof value === 'number' ? value : 0;
}, z.number());
