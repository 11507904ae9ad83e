import { useMemo } from 'react';
import { cardUnits, nameUnits } from '../../core/translation/cards/card-units.ts';
import { isSameLanguage } from '../../core/translation/languages.ts';
import { type Term, termsIn } from '../../core/translation/terms.ts';
import { type TranslatedUnit, unitStates } from '../../core/translation/translation.ts';
import type { Project } from '../project/open-project.ts';
import { useCardSets, useProjectLanguages } from './use-card-languages.ts';

/** Terms of a project and names of its cards, in one language. */
export interface ProjectTerms {
  readonly terms: readonly Term[];
  readonly names: readonly TranslatedUnit[];
}

const NONE: ProjectTerms = { terms: [], names: [] };

/** The terms that a text in a language should keep to; none until they are known. */
export function useProjectTerms(project: Project, language: string): ProjectTerms {
  const { languages, entries } = useProjectLanguages(project);
  const { sets } = useCardSets(project);
  // A rulebook may name its language in another way than the cards do.
  const tag = languages?.find((one) => isSameLanguage(one, language));
  return useMemo(() => {
    const own = tag === undefined ? undefined : entries.get(tag);
    if (tag === undefined || !own || !sets) return NONE;
    const names = nameUnits(sets);
    const units = cardUnits(sets).filter(({ id }) => names.has(id));
    return { terms: termsIn(tag, entries), names: unitStates(units, own) };
  }, [tag, entries, sets]);
}
