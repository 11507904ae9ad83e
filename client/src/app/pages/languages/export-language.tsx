import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { languageName } from '../../../core/translation/languages.ts';
import type { Card, Component, LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import type { Project } from '../../../data/project/open-project.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import {
  type CardLanguage,
  cardLanguage,
  cardSets,
  sourceLanguage,
  sourcesOfParts,
} from '../../../data/translations/card-language.ts';
import { useProjectLanguages } from '../../../data/translations/use-card-languages.ts';
import { useOpenProject } from '../project/project-gate.tsx';
import css from './languages.module.css';

/** The language that an export is made in. */
export interface ExportLanguage {
  /** Nothing for the cards' own words. */
  readonly chosen: CardLanguage | undefined;
  /** Languages that there are translations into. */
  readonly all: readonly string[];
  readonly choose: (language: string) => void;
  readonly error: Error | null;
}

const NONE: readonly string[] = [];

/** Follows the translations of the cards that are exported; the language is part of the address. */
export function useExportLanguage(
  project: Project,
  components: readonly WithId<Component>[],
  loaded: ReadonlyMap<string, { readonly cards?: readonly WithId<Card>[] | undefined }>,
  layouts: readonly WithId<LayoutDocument>[] | undefined,
): ExportLanguage {
  const { languages = NONE, entries, error } = useProjectLanguages(project);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('language');
  const found = wanted !== null && languages.includes(wanted) ? wanted : undefined;
  const texts = found === undefined ? undefined : entries.get(found);
  const sets = useMemo(
    () =>
      layouts &&
      cardSets(
        components.map((component) => ({ component, cards: loaded.get(component.id)?.cards ?? [] })),
        layouts,
      ),
    [components, loaded, layouts],
  );
  const chosen = useMemo(
    () => (found !== undefined && texts && sets ? cardLanguage(found, sets, texts) : undefined),
    [found, texts, sets],
  );
  return {
    chosen,
    all: languages,
    error,
    choose: (language) =>
      setSearch(
        (before) => {
          if (language === '') before.delete('language');
          else before.set('language', language);
          return before;
        },
        { replace: true },
      ),
  };
}

/** Chooses the language; nothing where the cards have one alone. */
export function LanguageField({ language: { chosen, all, choose } }: { language: ExportLanguage }) {
  const { details } = useOpenProject();
  if (all.length === 0) return null;
  return (
    <NativeSelect
      label="Language"
      value={chosen?.language ?? ''}
      data={[
        { value: '', label: languageName(sourceLanguage(details)) },
        ...all.map((tag) => ({ value: tag, label: languageName(tag) })),
      ]}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** Says of how many cards the source is printed. */
export function SourcesNote({
  project,
  chosen,
  parts,
}: {
  project: Project;
  chosen: CardLanguage;
  parts: readonly ProjectPart[];
}) {
  const { cards, layoutTexts } = useMemo(() => sourcesOfParts(chosen, parts), [chosen, parts]);
  if (cards.length === 0 && layoutTexts === 0) return null;
  const total = parts.reduce((sum, one) => sum + one.cards.length, 0);
  const words = [
    ...(cards.length > 0 ? [`${cards.length} of ${total} cards show the source`] : []),
    ...(layoutTexts > 0
      ? [`${layoutTexts} ${layoutTexts === 1 ? 'text' : 'texts'} of layouts are not translated`]
      : []),
  ];
  return (
    <p className={css.sources} role="status">
      {words.join(', ')}.{' '}
      <Link to={`/decks/${project.id}/languages?language=${chosen.language}`}>Translate what is missing</Link>
    </p>
  );
}
