import * as z from 'zod';
import { timeSchema } from '../documents/time-schema.ts';

/** Collection of everything that is published. */
export const SHARES = 'shares';
/** Letters of a link: 24 of 62 are more than 140 bits. */
const LINK_LETTERS = 24;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const editionFields = {
  /** From 1; each publication has the next. */
  number: z.number().int().catch(1),
  /** Such as `1.2`; empty for none. */
  name: z.string().catch(''),
  at: timeSchema,
  /** Address of its snapshot, and the folder of that and its pictures. */
  file: z.string(),
  folder: z.string().catch(''),
};

/** A document of `shares/{link}`. */
export const publishedSchema = z.object({
  kind: z.enum(['rulebook', 'version']),
  projectId: z.string(),
  /** Id of the rulebook or the version. */
  of: z.string(),
  title: z.string().catch(''),
  ...editionFields,
  by: z.string().catch(''),
  /** The edition before it. */
  before: z.object(editionFields).nullable().catch(null).default(null),
});
export type Published = z.infer<typeof publishedSchema>;

/** Path of the page that shows what is published at a link. */
export const readAddress = (link: string): string => `/read/${link}`;

const random = (bytes: Uint8Array<ArrayBuffer>): void => void crypto.getRandomValues(bytes);

/** A link that nobody can guess. */
export function newLink(fill: (bytes: Uint8Array<ArrayBuffer>) => void = random): string {
  let link = '';
  const bytes = new Uint8Array(1);
  while (link.length < LINK_LETTERS) {
    fill(bytes);
    // Two of 64 values are no letter: drawing again keeps all letters equally likely.
    link += ALPHABET[(bytes[0] ?? 0) & 63] ?? '';
  }
  return link;
}
