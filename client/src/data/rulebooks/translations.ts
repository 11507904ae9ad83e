import { deleteField, doc, getDoc, getDocs, runTransaction, writeBatch } from '@sdk/firestore';
import { useMemo } from 'react';
import { MAX_LANGUAGES } from '../../core/book/translation/languages.ts';
import type { Entries, Entry } from '../../core/book/translation/translation.ts';
import { readDocument } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { commitInBatches } from '../server/commit.ts';
import { useLiveList, useLiveLists } from '../server/live.ts';
import {
  byPart,
  checkRoom,
  entriesOf,
  languageDocumentSchema,
  translationPartSchema,
} from './translation-parts.ts';
import { begun, translationWrites } from './translation-writes.ts';

/** The languages that a rulebook is translated into, with their translations as far as they are loaded. */
export interface Translations {
  readonly languages: readonly string[] | undefined;
  readonly entries: ReadonlyMap<string, Entries>;
  readonly error: Error | null;
}

/** A rulebook's translations, kept up to date. */
export function useTranslations(project: Project, rulebook: string): Translations {
  const collection = project.rulebookLanguages(rulebook);
  const { data, error } = useLiveList([collection.path], collection, languageDocumentSchema);
  const items = data?.items;
  const languages = useMemo(() => items?.map(({ id }) => id).sort(), [items]);
  const parts = useLiveLists(
    (languages ?? []).map((language) => project.translationParts(rulebook, language)),
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
export async function addLanguage(project: Project, rulebook: string, language: string): Promise<void> {
  const batch = writeBatch(project.db);
  batch.set(project.rulebookLanguage(rulebook, language), begun());
  await batch.commit();
}

/** Deletes a translation, and answers what was in it. */
export async function removeLanguage(project: Project, rulebook: string, language: string): Promise<Entries> {
  const { docs } = await getDocs(project.translationParts(rulebook, language));
  const batch = writeBatch(project.db);
  for (const { ref } of docs) batch.delete(ref);
  batch.delete(project.rulebookLanguage(rulebook, language));
  await batch.commit();
  return entriesOf(docs.map((found) => readDocument(translationPartSchema, found.ref.path, found.data())));
}

/** Brings back a translation that was deleted, in as many commits as it needs; asked again, it goes on. */
export async function restoreLanguage(
  project: Project,
  rulebook: string,
  language: string,
  entries: Entries,
): Promise<void> {
  const units = Object.fromEntries(entries);
  const [begin, ...parts] = translationWrites(project, rulebook, [{ language, units }]);
  // One that is there may not be begun once more.
  const isThere = (await getDoc(project.rulebookLanguage(rulebook, language))).exists();
  await commitInBatches(project.db, begin && !isThere ? [begin, ...parts] : parts);
}

/**
 * Stores translations of some units, all or none, and answers what was there before: what others have written of other
 * units meanwhile stays.
 * @param expected what has to be there still of some units; those with something else are left alone
 * @throws Error when they have no room
 */
export function saveEntries(
  project: Project,
  rulebook: string,
  language: string,
  changes: ReadonlyMap<string, Entry | null>,
  expected?: ReadonlyMap<string, Entry | null>,
): Promise<ReadonlyMap<string, Entry | null>> {
  return runTransaction(project.db, async (transaction) => {
    const before = new Map<string, Entry | null>();
    const writes: (() => void)[] = [];
    for (const [part, wanted] of byPart(changes)) {
      const ref = doc(project.translationParts(rulebook, language), part);
      const found = await transaction.get(ref);
      const stored = found.exists()
        ? readDocument(translationPartSchema, ref.path, found.data())
        : { units: {} };
      const known = entriesOf([stored]);
      const kept = [...wanted].filter(
        ([id]) => !expected?.has(id) || isSame(known.get(id), expected.get(id)),
      );
      if (kept.length === 0) continue;
      checkRoom(stored.units, new Map(kept));
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

/** A rulebook's translations as they are stored. */
export async function readTranslations(
  project: Project,
  rulebook: string,
): Promise<readonly { readonly language: string; readonly entries: Entries }[]> {
  const { docs } = await getDocs(project.rulebookLanguages(rulebook));
  return Promise.all(
    docs
      .map(({ id }) => id)
      .sort()
      .map(async (language) => {
        const parts = await getDocs(project.translationParts(rulebook, language));
        const read = parts.docs.map((one) => readDocument(translationPartSchema, one.ref.path, one.data()));
        return { language, entries: entriesOf(read) };
      }),
  );
}
