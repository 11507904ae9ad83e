import { doc, serverTimestamp } from '@sdk/firestore';
import type { TranslationEntry } from '../../core/archive/bundle.ts';
import { sessionUser } from '../account/session.ts';
import type { BatchWrite } from '../server/commit.ts';
import { byPart } from './translation-parts.ts';
import type { TranslationPlace } from './translation-place.ts';

/** Fields of a translation that begins. */
export const begun = () => ({ by: sessionUser()?.uid ?? '', at: serverTimestamp() });

/**
 * The writes that make translations; the document of what is translated comes before them. Other texts of a translation that
 * is there stay.
 */
export function translationWrites(
  place: TranslationPlace,
  translations: readonly TranslationEntry[],
): BatchWrite[] {
  return translations.flatMap(({ language, units }): BatchWrite[] => [
    {
      characters: language.length,
      into: (batch) => batch.set(place.language(language), begun()),
    },
    ...[...byPart(new Map(Object.entries(units)))].map(([part, entries]): BatchWrite => {
      const data = { units: Object.fromEntries(entries) };
      return {
        characters: JSON.stringify(data).length,
        into: (batch) => batch.set(doc(place.parts(language), part), data, { merge: true }),
      };
    }),
  ]);
}
