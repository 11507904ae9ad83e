import { doc, serverTimestamp } from '@sdk/firestore';
import type { RulebookEntry } from '../../core/archive/bundle.ts';
import { sessionUser } from '../account/session.ts';
import type { Project } from '../project/open-project.ts';
import type { BatchWrite } from '../server/commit.ts';
import { byPart } from './translation-parts.ts';

/** Fields of a translation that begins. */
export const begun = () => ({ by: sessionUser()?.uid ?? '', at: serverTimestamp() });

/**
 * The writes that make a rulebook's translations; its own document comes before them. Other texts of a translation that
 * is there stay.
 */
export function translationWrites(
  project: Project,
  id: string,
  translations: NonNullable<RulebookEntry['translations']>,
): BatchWrite[] {
  return translations.flatMap(({ language, units }): BatchWrite[] => [
    {
      characters: language.length,
      into: (batch) => batch.set(project.rulebookLanguage(id, language), begun()),
    },
    ...[...byPart(new Map(Object.entries(units)))].map(([part, entries]): BatchWrite => {
      const data = { units: Object.fromEntries(entries) };
      return {
        characters: JSON.stringify(data).length,
        into: (batch) => batch.set(doc(project.translationParts(id, language), part), data, { merge: true }),
      };
    }),
  ]);
}
