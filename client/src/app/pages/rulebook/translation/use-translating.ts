import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { Entries, TranslatedUnit } from '../../../../core/book/translation/translation.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { saveEntries } from '../../../../data/rulebooks/translations.ts';
import { hasDrafts, keepDrafts, keptDrafts } from './drafts.ts';
import { TranslationWriter } from './writer.ts';

/** Writes the translation of a rulebook into one language. What is typed outlasts the page; a warning comes before it is lost. */
export function useTranslating(
  project: Project,
  rulebook: string,
  language: string,
  units: readonly TranslatedUnit[],
  entries: Entries,
): {
  readonly writer: TranslationWriter;
  readonly undoes: string | undefined;
  readonly problem: string | undefined;
} {
  const [writer] = useState(() => {
    const translation = `${project.id}/${rulebook}/${language}`;
    return new TranslationWriter(
      (changes, expected) => saveEntries(project, rulebook, language, changes, expected),
      keptDrafts(translation),
      (drafts) => keepDrafts(translation, drafts),
    );
  });
  // Not its drafts: a letter draws one row anew, of thousands.
  const undoes = useSyncExternalStore(writer.subscribe, () => writer.snapshot().undoes);
  const problem = useSyncExternalStore(writer.subscribe, () => writer.snapshot().problem);
  useLayoutEffect(() => writer.follow(units, entries), [writer, units, entries]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasDrafts()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return { writer, undoes, problem };
}
