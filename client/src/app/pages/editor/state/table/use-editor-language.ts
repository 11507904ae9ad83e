import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Row } from '../../../../../core/scene/card/row.ts';
import type { Layout } from '../../../../../core/scene/layout.ts';
import { rowInLanguage, textsInLanguage } from '../../../../../core/translation/cards/in-language.ts';
import type { Project } from '../../../../../data/project/open-project.ts';
import { useCards, useComponents, useLayouts } from '../../../../../data/project/queries.ts';
import { useLiveList } from '../../../../../data/server/live.ts';
import { type CardLanguage, cardLanguage, cardSets } from '../../../../../data/translations/card-language.ts';
import {
  entriesOf,
  languageDocumentSchema,
  translationPartSchema,
} from '../../../../../data/translations/translation-parts.ts';
import type { EditorModel } from '../editor-store.ts';

/** The languages of the project's cards, and the words of the one that the editor shows. */
export interface EditorLanguages {
  /** Tags of the languages that the cards are translated into. */
  readonly tags: readonly string[];
  /** A row of the table with the words of the language. */
  readonly rowOf: (row: Row, at: number) => Row;
  /** A layout with its own words in the language. */
  readonly wordsOf: (layout: Layout) => Layout;
}

const NONE: readonly string[] = [];

/** Follows the translations that the editor shows; nothing but the list of languages is read while it shows none. */
export function useEditorLanguages(
  model: EditorModel,
  project: Project | undefined,
  component: string | undefined,
  layout: string,
): EditorLanguages {
  const language = useStore(model.store, (state) => state.language) ?? undefined;
  const list = useLiveList(project && [project.languages.path], project?.languages, languageDocumentSchema);
  const items = list.data?.items;
  const tags = useMemo(() => items?.map(({ id }) => id).sort() ?? NONE, [items]);
  const shown = language !== undefined && project ? project : undefined;
  const parts = language === undefined ? undefined : shown?.languageParts(language);
  const stored = useLiveList(parts && [parts.path], parts, translationPartSchema).data?.items;
  const components = useComponents(shown).data?.items;
  const cards = useCards(component === undefined ? undefined : shown, component ?? '').data?.items;
  const layouts = useLayouts(shown).data?.items;

  useEffect(() => {
    // Somebody has deleted the translation meanwhile.
    if (items && language !== undefined && !tags.includes(language)) model.showLanguage(null);
  }, [items, tags, language, model]);

  const chosen = useMemo((): CardLanguage | undefined => {
    const found = components?.find(({ id }) => id === component);
    if (language === undefined || !stored || !found || !cards || !layouts) return undefined;
    return cardLanguage(language, cardSets([{ component: found, cards }], layouts), entriesOf(stored));
  }, [language, stored, components, component, cards, layouts]);
  const rowOf = useCallback(
    (row: Row, at: number): Row => {
      const card = cards?.[at];
      if (!chosen || !card || component === undefined) return row;
      const columns = chosen.columns.get(component) ?? NONE;
      return rowInLanguage(row, { component, card: card.id, columns }, chosen.texts);
    },
    [chosen, cards, component],
  );
  const wordsOf = useCallback(
    (scene: Layout): Layout => (chosen ? textsInLanguage(layout, scene, chosen.texts) : scene),
    [chosen, layout],
  );
  return useMemo(() => ({ tags, rowOf, wordsOf }), [tags, rowOf, wordsOf]);
}
