import * as z from 'zod';
import type { Whole } from '../../core/translation/languages.ts';
import { MAX_UNIT } from '../../core/translation/pieces.ts';
import type { Entries, Entry } from '../../core/translation/translation.ts';
import { timeSchema } from '../documents/time-schema.ts';

/**
 * A translation lies in parts, so that it may be longer than a document: each has the units of some blocks or cards, by their ids.
 * It is free of the SDK, because commands without a browser read it too.
 */

/** A document of `languages/{tag}`. */
export const languageDocumentSchema = z.object({ by: z.string().catch(''), at: timeSchema });

export const entrySchema = z.object({
  source: z.string().min(1).max(MAX_UNIT),
  text: z.string().min(1).max(MAX_UNIT),
});

/** A document of `languages/{tag}/parts/{part}`. Fields of it that are not translations are left out. */
export const translationPartSchema = z.object({
  units: z.record(z.string(), z.unknown()).catch({}),
});
export type TranslationPart = z.infer<typeof translationPartSchema>;

/** Ids of parts; the rules know no others. */
export const PART_IDS = [...'0123456789abcdef'];
/** Most bytes of a part: a document holds a million. */
export const MAX_PART_BYTES = 900_000;

/** The part that holds a unit: that of its block, card or layout, which is its id without its last step. */
export const partOf = (unit: string): string => hashed(unit.slice(0, Math.max(0, unit.lastIndexOf('.'))));

/** The part that held a unit when the first step of its id chose it, which put all cards into one. */
export const formerPartOf = (unit: string): string => hashed(unit.split('.')[0] ?? '');

/** A part by a hash of words (FNV-1a). */
function hashed(words: string): string {
  let hash = 0x811c9dc5;
  for (const letter of words) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  return PART_IDS[(hash >>> 12) & 15] ?? '0';
}

/** A part with its id, where it is known. */
type StoredPart = TranslationPart & { readonly id?: string | undefined };

/**
 * The translations in parts. Those of a part that did not change are the same objects at each call. A text that an
 * older version left in another part gives way to the one in its own.
 */
export function entriesOf(parts: readonly StoredPart[]): Entries {
  const entries = new Map<string, Entry>();
  for (const part of parts) {
    for (const [id, entry] of entriesIn(part)) {
      if (!entries.has(id) || part.id === partOf(id)) entries.set(id, entry);
    }
  }
  return entries;
}

/** Translations of parts that were read: a change of one part leaves the others. */
const knownEntries = new WeakMap<TranslationPart, readonly (readonly [string, Entry])[]>();

function entriesIn(part: TranslationPart): readonly (readonly [string, Entry])[] {
  const known = knownEntries.get(part);
  if (known) return known;
  const entries = Object.entries(part.units).flatMap(([id, value]) => {
    const { data } = entrySchema.safeParse(value);
    return data ? [[id, data] as const] : [];
  });
  knownEntries.set(part, entries);
  return entries;
}

/** Translations by the part that they belong into. */
export function byPart<T>(changes: ReadonlyMap<string, T>): ReadonlyMap<string, ReadonlyMap<string, T>> {
  const parts = new Map<string, Map<string, T>>();
  for (const [id, change] of changes) {
    const part = partOf(id);
    const units = parts.get(part) ?? new Map<string, T>();
    parts.set(part, units.set(id, change));
  }
  return parts;
}

/** @throws Error naming the limit when a part has no room for a change */
export function checkRoom(
  units: Readonly<Record<string, unknown>>,
  change: ReadonlyMap<string, Entry | null>,
  whole: Whole = 'rulebook',
): void {
  const after = { ...units, ...Object.fromEntries(change) };
  const bytes = new TextEncoder().encode(JSON.stringify(after)).length;
  if (bytes <= MAX_PART_BYTES) return;
  throw new Error(
    `The translation has no room left for this: one sixteenth of it would have ${bytes} bytes, and ${MAX_PART_BYTES} can be stored. Divide the ${whole}.`,
  );
}
