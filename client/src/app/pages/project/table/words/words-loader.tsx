import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { cellId } from '../../../../../core/translation/cards/unit-ids.ts';
import type { Component, WithId } from '../../../../../data/documents/documents.ts';
import { edits } from '../../../../../data/project/members.ts';
import type { Project } from '../../../../../data/project/open-project.ts';
import { useLayouts } from '../../../../../data/project/queries.ts';
import { type CardLanguage, cardLanguage } from '../../../../../data/translations/card-language.ts';
import { projectTranslations } from '../../../../../data/translations/translation-place.ts';
import { useCardSets, useProjectLanguages } from '../../../../../data/translations/use-card-languages.ts';
import { toasts } from '../../../../../ui/toasts/engine.ts';
import { tellFailure } from '../../../../shell/tell-failure.ts';
import { useTranslating } from '../../../../translation/use-translating.ts';
import type { TranslationWriter } from '../../../../translation/writer.ts';
import { useOpenProject } from '../../project-gate.tsx';
import { readWords, type TableWords, type WordsEdit } from './table-words.ts';

/** Time for which somebody can read why a translation was not stored, in milliseconds. */
const TOLD_MS = 10_000;

interface LoaderProps {
  readonly project: Project;
  readonly component: WithId<Component>;
  readonly language: string;
  readonly instead: boolean;
  readonly onWords: (words: TableWords | undefined) => void;
}

/** Follows a component's words in a language while its table shows them. */
export function WordsLoader(props: LoaderProps) {
  const { project, language, onWords } = props;
  const { entries, error } = useProjectLanguages(project);
  const { sets, error: failed } = useCardSets(project);
  const own = entries.get(language);
  const chosen = useMemo(
    () => (sets && own ? cardLanguage(language, sets, own) : undefined),
    [language, sets, own],
  );
  const failure = error ?? failed;
  useEffect(() => {
    if (failure) tellFailure(failure);
  }, [failure]);
  useEffect(() => () => onWords(undefined), [onWords]);
  return chosen && own ? <Loaded {...props} chosen={chosen} entries={own} /> : null;
}

function Loaded({
  project,
  component,
  language,
  instead,
  onWords,
  chosen,
  entries,
}: LoaderProps & { chosen: CardLanguage; entries: Parameters<typeof useTranslating>[4] }) {
  const place = useMemo(() => projectTranslations(project), [project]);
  const { writer, undoes } = useTranslating(project.id, place, language, chosen.units, entries);
  const drafts = useSyncExternalStore(writer.subscribe, () => writer.snapshot().drafts);
  const layouts = useLayouts(project).data?.items;
  const { role, translates } = useOpenProject();
  const mayWrite = edits(role) || translates.includes(language);
  const words = useMemo((): TableWords | undefined => {
    if (!layouts) return undefined;
    return {
      ...readWords(chosen, component.id, drafts, layouts, component.layoutId),
      language,
      instead,
      mayWrite,
      history: writer,
      write: (label, edits) =>
        store(writer, component.id, chosen, label, edits).catch((failed) => {
          tellFailure(failed);
          return false;
        }),
      undoes,
      undo: () => undo(writer),
    };
  }, [chosen, component, drafts, layouts, language, instead, mayWrite, undoes, writer]);
  useEffect(() => onWords(words), [onWords, words]);
  return null;
}

/** Takes the last translation back, and says what hindered it; false if it can be tried again. */
async function undo(writer: TranslationWriter): Promise<boolean> {
  const undone = await writer.undo();
  const { problem } = writer.snapshot();
  if (problem !== undefined) tell(undone ? problem : `Not undone: ${problem}`);
  return undone;
}

/** Stores translations, and says which could not be stored and which cells have none; true if some were stored. */
async function store(
  writer: TranslationWriter,
  component: string,
  { units }: CardLanguage,
  label: string,
  made: readonly WordsEdit[],
): Promise<boolean> {
  const known = new Set(units.map(({ unit }) => unit.id));
  const texts = new Map(made.map(({ id, key, text }) => [cellId(component, id, key), text]));
  const without = [...texts].filter(([id, text]) => !known.has(id) && text.trim() !== '').length;
  if (without > 0) {
    tell(
      without === 1
        ? 'This cell has nothing to translate: its source has no words.'
        : `${without} cells have nothing to translate: their sources have no words.`,
    );
  }
  const wanted = new Map([...texts].filter(([id]) => known.has(id)));
  const stored = await writer.saveAll(
    label === 'edit' ? 'a translation' : `the ${label} of translations`,
    wanted,
  );
  const problems = [...wanted.keys()].flatMap((id) => writer.snapshot().drafts.get(id)?.problem ?? []);
  const [first] = problems;
  if (first === undefined) return stored;
  const count = problems.length === 1 ? 'A translation was' : `${problems.length} translations were`;
  tell(`${count} not stored. ${first}`);
  return stored;
}

const tell = (words: string) => toasts.show(words, { type: 'warning', autoCloseTime: TOLD_MS });
