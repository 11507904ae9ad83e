import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { quoted } from '../../core/book/document/block-words.ts';
import type { Entries, TranslatedUnit } from '../../core/translation/translation.ts';
import type { TranslationPlace } from '../../data/translations/translation-place.ts';
import { saveEntries } from '../../data/translations/translations.ts';
import { toasts } from '../../ui/toasts/engine.ts';
import { awaitStored, type Draft, keepDrafts, keptDrafts, translationKey } from './drafts.ts';
import { TranslationWriter } from './writer.ts';

/** Time for which somebody can read what became of their words, in milliseconds. */
const GONE_MS = 10_000;

function tellGone(drafts: readonly Draft[]): void {
  const [first] = drafts;
  const words =
    drafts.length === 1
      ? `The text for which you typed ${quoted(first?.text ?? '')} was deleted. Your translation is kept in case it comes back.`
      : `${drafts.length} texts that you were translating were deleted. Your translations are kept in case they come back.`;
  toasts.show(words, { type: 'warning', autoCloseTime: GONE_MS });
}

/** Writes a translation into one language. What is typed outlasts the page. */
export function useTranslating(
  project: string,
  place: TranslationPlace,
  language: string,
  units: readonly TranslatedUnit[],
  entries: Entries,
): {
  readonly writer: TranslationWriter;
  readonly undoes: string | undefined;
  readonly problem: string | undefined;
} {
  const [writer] = useState(() => {
    const translation = translationKey(project, place.id, language);
    return new TranslationWriter(
      (changes, expected) => saveEntries(place, language, changes, expected),
      keptDrafts(translation),
      (drafts) => keepDrafts(translation, drafts),
      tellGone,
    );
  });
  // Not its drafts: a letter draws one row anew, of thousands.
  const undoes = useSyncExternalStore(writer.subscribe, () => writer.snapshot().undoes);
  const problem = useSyncExternalStore(writer.subscribe, () => writer.snapshot().problem);
  useEffect(() => awaitStored(() => writer.whenSettled()), [writer]);
  useLayoutEffect(() => writer.follow(units, entries), [writer, units, entries]);
  return { writer, undoes, problem };
}
