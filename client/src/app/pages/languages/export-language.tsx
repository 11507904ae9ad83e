import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { isSameLanguage, languageName } from '../../../core/translation/languages.ts';
import type { Card, Component, LayoutDocument, WithId } from '../../../data/documents/documents.ts';
import type { Project } from '../../../data/project/open-project.ts';
import type { ProjectPart } from '../../../data/project/project-parts.ts';
import {
  type AllLanguages,
  allLanguages,
  type CardLanguage,
  cardLanguage,
  cardSets,
  sourceLanguage,
  sourcesOfParts,
} from '../../../data/translations/card-language.ts';
import { useProjectLanguages } from '../../../data/translations/use-card-languages.ts';
import { Problem } from '../../../ui/page/page.tsx';
import { usePageSearch } from '../../use-page-search.ts';
import { useOpenProject } from '../project/project-gate.tsx';
import css from './languages.module.css';

/** The language that an export is made in. */
export interface ExportLanguage {
  /** Nothing for the cards' own words, and until those of the language that was asked for are there. */
  readonly chosen: CardLanguage | undefined;
  /** All languages, for layouts that name one; nothing until they are there. */
  readonly languages: AllLanguages | undefined;
  /** True while the words of the language that was asked for are on their way: nothing may be exported before. */
  readonly waits: boolean;
  /** The language that was asked for, where the cards are not translated into it. */
  readonly unknown: string | undefined;
  /** Languages that there are translations into. */
  readonly all: readonly string[];
  readonly choose: (language: string) => void;
  /** Further languages of the same export; their words are missing until they are there, and for the cards' own. */
  readonly also: readonly { readonly tag: string; readonly words: CardLanguage | undefined }[];
  /** Tags of the address that the cards are not translated into. */
  readonly unknownAlso: readonly string[];
  readonly chooseAlso: (tags: readonly string[]) => void;
  readonly error: Error | null;
}

const NONE: readonly string[] = [];

const alsoTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Follows the translations of the cards that are exported; the language is part of the address. */
export function useExportLanguage(
  project: Project,
  components: readonly WithId<Component>[],
  loaded: ReadonlyMap<string, { readonly cards?: readonly WithId<Card>[] | undefined }>,
  layouts: readonly WithId<LayoutDocument>[] | undefined,
): ExportLanguage {
  const { languages, entries, error } = useProjectLanguages(project);
  const [search, setSearch] = usePageSearch();
  const { details } = useOpenProject();
  const asked = search.get('language') || undefined;
  const wanted = asked !== undefined && isSameLanguage(asked, sourceLanguage(details)) ? undefined : asked;
  const found = wanted && languages?.find((one) => isSameLanguage(one, wanted));
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
  const alsoAsked = search.get('also') ?? '';
  const source = sourceLanguage(details);
  const { also, unknownAlso } = useMemo(() => {
    const shown = found ?? source;
    const named = alsoTags(alsoAsked).map(
      (tag) => [tag, [source, ...(languages ?? NONE)].find((one) => isSameLanguage(one, tag))] as const,
    );
    const tags = named.flatMap(([, tag]) => (tag === undefined || tag === shown ? [] : [tag]));
    return {
      also: [...new Set(tags)].map((tag) => {
        const words = entries.get(tag);
        return { tag, words: tag !== source && words && sets ? cardLanguage(tag, sets, words) : undefined };
      }),
      unknownAlso: languages ? named.flatMap(([tag, one]) => (one === undefined ? [tag] : [])) : NONE,
    };
  }, [alsoAsked, source, found, languages, entries, sets]);
  const alsoWaits = also.some(({ tag, words }) => tag !== source && !words);
  const loadedAll = languages?.every((tag) => entries.has(tag));
  const spoken = useMemo(
    () => (loadedAll && sets ? allLanguages(source, sets, entries) : undefined),
    [loadedAll, source, sets, entries],
  );
  return {
    chosen,
    languages: spoken,
    waits:
      (wanted !== undefined && !chosen && (languages === undefined || found !== undefined)) ||
      (alsoAsked !== '' && languages === undefined) ||
      alsoWaits,
    unknown: languages && found === undefined ? wanted : undefined,
    all: languages ?? NONE,
    error,
    choose: (language) => setSearch('language', language),
    also,
    unknownAlso,
    chooseAlso: (tags) => setSearch('also', tags.join(',')),
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

/** Chooses further languages of the same export. */
export function AlsoInField({ language }: { language: ExportLanguage }) {
  const { chosen, all, also, unknownAlso, chooseAlso } = language;
  const { details } = useOpenProject();
  if (all.length === 0) return null;
  const source = sourceLanguage(details);
  const others = [source, ...all].filter((tag) => tag !== (chosen?.language ?? source));
  const tags = also.map(({ tag }) => tag);
  return (
    <fieldset className={css.alsoIn}>
      <legend>Also in</legend>
      {others.map((tag) => (
        <Checkbox
          key={tag}
          size="xs"
          label={languageName(tag)}
          checked={tags.includes(tag)}
          onChange={({ currentTarget: { checked } }) =>
            chooseAlso(checked ? [...tags, tag] : tags.filter((one) => one !== tag))
          }
        />
      ))}
      {tags.length > 0 && <p role="status">One ZIP with a file of each of {tags.length + 1} languages.</p>}
      {unknownAlso.length > 0 && (
        <p role="status">
          Left out, because the cards are not translated into it:{' '}
          {unknownAlso.map((tag) => languageName(tag).slice(0, 60)).join(', ')}.
        </p>
      )}
    </fieldset>
  );
}

/** Says that the cards are not translated into the language of the address. */
export function UnknownLanguage({ language: { unknown, choose } }: { language: ExportLanguage }) {
  const { details } = useOpenProject();
  if (unknown === undefined) return null;
  const own = languageName(sourceLanguage(details));
  return (
    <Problem
      title={`The cards are not translated into “${languageName(unknown).slice(0, 60)}”.`}
      action={
        <Button size="xs" variant="default" onClick={() => choose('')}>
          Export in {own}
        </Button>
      }
    >
      The translation may have been removed. Choose another language.
    </Problem>
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
