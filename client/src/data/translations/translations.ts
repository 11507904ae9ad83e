import { deleteField, doc, getDoc, getDocs, runTransaction, writeBatch } from '@sdk/firestore';
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
  languageDocumentSchema,
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
  return entriesOf(docs.map((found) => readDocument(translationPartSchema, found.ref.path, found.data())));
}

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
    const writes: (() => void)[] = [];
    for (const [part, wanted] of byPart(changes)) {
      const ref = doc(place.parts(language), part);
      const found = await transaction.get(ref);
      const stored = found.exists()
        ? readDocument(translationPartSchema, ref.path, found.data())
        : { units: {} };
      const known = entriesOf([stored]);
      const kept = [...wanted].filter(
        ([id]) => !expected?.has(id) || isSame(known.get(id), expected.get(id)),
      );
      if (kept.length === 0) continue;
      checkRoom(stored.units, new Map(kept), place.whole);
      for (const [id] of kept) before.set(id, known.get(id) ?? null);
      const units = Object.fromEntries(kept.map(([id, entry]) => [id, entry ?? deleteField()]));
      writes.push(() => transaction.set(ref, { units }, { merge: true }));
    }
    for (const write of writes) write();
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
        const read = parts.docs.map((one) => readDocument(translationPartSchema, one.ref.path, one.data()));
        return { language, entries: entriesOf(read) };
      }),
  );
}
