import { useMemo, useRef } from 'react';
import type { CardSet } from '../../core/translation/cards/card-units.ts';
import { cardSchema } from '../documents/documents.ts';
import type { Project } from '../project/open-project.ts';
import { useComponents, useLayouts } from '../project/queries.ts';
import { useLiveLists } from '../server/live.ts';
import { type CardContents, cardSets } from './card-language.ts';
import { projectTranslations } from './translation-place.ts';
import { type Translations, useTranslations } from './translations.ts';

/** A project's languages, kept up to date. */
export function useProjectLanguages(project: Project): Translations {
  return useTranslations(useMemo(() => projectTranslations(project), [project]));
}

/** The list of before while its items are the same objects: a list of live values is a new one at each call. */
function useSame<T>(items: readonly T[]): readonly T[] {
  const before = useRef(items);
  const same = before.current.length === items.length && items.every((one, at) => one === before.current[at]);
  if (!same) before.current = items;
  return before.current;
}

/** All cards of a project with all that is translated of them; `undefined` until it is known. */
export function useCardSets(project: Project): {
  readonly contents: readonly CardContents[] | undefined;
  readonly sets: readonly CardSet[] | undefined;
  readonly error: Error | null;
} {
  const components = useComponents(project);
  const layouts = useLayouts(project);
  const list = components.data?.items;
  const cards = useLiveLists(
    (list ?? []).map(({ id }) => project.cards(id)),
    cardSchema,
  );
  const loaded = useSame(cards.map(({ data }) => data));
  const contents = useMemo(
    () =>
      list && loaded.every((one) => one !== undefined)
        ? list.map((component, at): CardContents => {
            const items = [...(loaded[at]?.items ?? [])].sort((a, b) => a.order - b.order);
            return { component, cards: items };
          })
        : undefined,
    [list, loaded],
  );
  const known = layouts.data?.items;
  const sets = useMemo(() => contents && known && cardSets(contents, known), [contents, known]);
  const error = components.error ?? layouts.error ?? cards.find((one) => one.error)?.error ?? null;
  return { contents, sets, error };
}
