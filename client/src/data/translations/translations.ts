import {
  type DocumentSnapshot,
  deleteField,
  doc,
  getDoc,
  getDocs,
  runTransaction,
  writeBatch,
} from '@sdk/firestore';
import { useMemo } from 'react';
import { MAX_LANGUAGES } from '../../core/translation/languages.ts';
import type { Entries, Entry } from '../../core/translation/translation.ts';
import { readDocument } from '../documents/documents.ts';
import { commitInBatches } from '../server/commit.ts';
import { useLiveList, useLiveLists } from '../server/live.ts';
import {
  byPart,
  checkRoom,
  entriesOf,
  formerPartOf,
  languageDocumentSchema,
  type TranslationPart,
  translationPartSchema,
} from './translation-parts.ts';
import type { TranslationPlace } from './translation-place.ts';
import { begun, translationWrites } from './translation-writes.ts';

/** The languages that something is translated into, with their translations as far as they are loaded. */
export interface Translations {
  readonly languages: readonly string[] | undefined;
  readonly entries: ReadonlyMap<string, Entries>;
  readonly error: Error | null;
}

/** The translations of something, kept up to date. Without a place nothing is asked. */
export function useTranslations(place: TranslationPlace | undefined): Translations {
  const { data, error } = useLiveList(
    place && [place.languages.path],
    place?.languages,
    languageDocumentSchema,
  );
  const items = data?.items;
  const languages = useMemo(() => items?.map(({ id }) => id).sort(), [items]);
  const parts = useLiveLists(
    place ? (languages ?? []).map((language) => place.parts(language)) : [],
    translationPartSchema,
  );
  // The lists are new ones at each call; what is in them is not.
  const lists = parts.map((one) => one.data?.items);
  const failed = error ?? parts.find((one) => one.error)?.error ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one dependency for each language
  const entries = useMemo(
    () =>
      new Map(
        (languages ?? []).flatMap((language, at): [string, Entries][] => {
          const list = lists[at];
          return list ? [[language, entriesOf(list)]] : [];
        }),
      ),
    [languages, ...padded(lists)],
  );
  return { languages, entries, error: failed };
}

/** As many dependencies at each call: the number of languages changes. */
const padded = <T>(lists: readonly (T | undefined)[]): (T | undefined)[] =>
  Array.from({ length: MAX_LANGUAGES }, (_, at) => lists[at]);

/** Begins a translation. */
export async function addLanguage(place: TranslationPlace, language: string): Promise<void> {
  const batch = writeBatch(place.db);
  batch.set(place.language(language), begun());
  await batch.commit();
}

/** Deletes a translation, and answers what was in it. */
export async function removeLanguage(place: TranslationPlace, language: string): Promise<Entries> {
  const { docs } = await getDocs(place.parts(language));
  const batch = writeBatch(place.db);
  for (const { ref } of docs) batch.delete(ref);
  batch.delete(place.language(language));
  await batch.commit();
  return entriesOf(docs.map(partIn));
}

const partIn = (found: DocumentSnapshot): TranslationPart & { readonly id: string } => ({
  ...(found.exists() ? readDocument(translationPartSchema, found.ref.path, found.data()) : { units: {} }),
  id: found.id,
});

/** Brings back a translation that was deleted, in as many commits as it needs; asked again, it goes on. */
export async function restoreLanguage(
  place: TranslationPlace,
  language: string,
  entries: Entries,
): Promise<void> {
  const units = Object.fromEntries(entries);
  const [begin, ...parts] = translationWrites(place, [{ language, units }]);
  // One that is there may not be begun once more.
  const isThere = (await getDoc(place.language(language))).exists();
  await commitInBatches(place.db, begin && !isThere ? [begin, ...parts] : parts);
}

/**
 * Stores translations of some units, all or none, and answers what was there before: what others have written of other
 * units meanwhile stays.
 * @param expected what has to be there still of some units; those with something else are left alone
 * @throws Error when they have no room
 */
export function saveEntries(
  place: TranslationPlace,
  language: string,
  changes: ReadonlyMap<string, Entry | null>,
  expected?: ReadonlyMap<string, Entry | null>,
): Promise<ReadonlyMap<string, Entry | null>> {
  return runTransaction(place.db, async (transaction) => {
    const before = new Map<string, Entry | null>();
    const found = new Map<string, ReturnType<typeof partIn>>();
    const read = async (part: string) => {
      const known = found.get(part) ?? partIn(await transaction.get(doc(place.parts(language), part)));
      found.set(part, known);
      return known;
    };
    const writes = new Map<string, Record<string, unknown>>();
    const write = (part: string, id: string, value: unknown) =>
      writes.set(part, { ...writes.get(part), [id]: value });
    for (const [part, wanted] of byPart(changes)) {
      const stored = await read(part);
      const kept = new Map<string, Entry | null>();
      for (const [id, entry] of wanted) {
        const former = await read(formerPartOf(id));
        const was = entriesOf([stored, former]).get(id) ?? null;
        if (expected?.has(id) && !isSame(was, expected.get(id))) continue;
        kept.set(id, entry);
        before.set(id, was);
        // Nothing can be deleted from a part that is not there: it would be made without texts, which the rules refuse.
        if (entry || Object.hasOwn(stored.units, id)) write(part, id, entry ?? deleteField());
        if (former.id !== part && Object.hasOwn(former.units, id)) write(former.id, id, deleteField());
      }
      if (kept.size > 0) checkRoom(stored.units, kept, place.whole);
    }
    for (const [part, units] of writes)
      transaction.set(doc(place.parts(language), part), { units }, { merge: true });
    return before;
  });
}

const isSame = (a: Entry | null | undefined, b: Entry | null | undefined): boolean =>
  (a?.source ?? '') === (b?.source ?? '') && (a?.text ?? '') === (b?.text ?? '');

/** Translations as they are stored. */
export async function readTranslations(
  place: TranslationPlace,
): Promise<readonly { readonly language: string; readonly entries: Entries }[]> {
  const { docs } = await getDocs(place.languages);
  return Promise.all(
    docs
      .map(({ id }) => id)
      .sort()
      .map(async (language) => {
        const parts = await getDocs(place.parts(language));
        return { language, entries: entriesOf(parts.docs.map(partIn)) };
      }),
  );
}
