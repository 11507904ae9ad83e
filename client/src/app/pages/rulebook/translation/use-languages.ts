import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Rulebook } from '../../../../core/book/document/schema.ts';
import type { EditionTranslation } from '../../../../core/book/edition/edition.ts';
import { type TranslationFinding, translationFindings } from '../../../../core/book/translation/findings.ts';
import { translated, translatedUnits } from '../../../../core/book/translation/translation.ts';
import { languageName } from '../../../../core/translation/languages.ts';
import {
  type Entries,
  keepUnchanged,
  printedTexts,
  type StateCounts,
  stateCounts,
  type TranslatedUnit,
} from '../../../../core/translation/translation.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { rulebookTranslations } from '../../../../data/translations/translation-place.ts';
import { useTranslations } from '../../../../data/translations/translations.ts';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { setAside } from '../../../translation/drafts.ts';

const NO_ENTRIES: Entries = new Map();
const NO_UNITS: readonly TranslatedUnit[] = [];
/** Time for which somebody can read what became of their words, in milliseconds. */
const REMOVED_MS = 10_000;

/** The languages of a rulebook, and the one in which it is shown. */
export interface Languages {
  /** Tags of the languages that it is translated into; nothing until they are known. */
  readonly all: readonly string[] | undefined;
  /** Tag of the chosen one; nothing for the source. */
  readonly chosen: string | undefined;
  readonly choose: (language: string | undefined) => void;
  /** The rulebook in the chosen language, and in any. */
  readonly shown: Rulebook;
  readonly inLanguage: (language: string) => Rulebook;
  /** All that readers of a language get, and how much of it there is; the same until a text changes. */
  readonly published: (language: string) => PublishedLanguage;
  readonly entries: Entries;
  /** Texts of the chosen language. */
  readonly units: readonly TranslatedUnit[];
  readonly findings: readonly TranslationFinding[];
  readonly error: Error | null;
}

/** A translation as readers get it. */
export interface PublishedLanguage extends EditionTranslation {
  readonly counts: StateCounts;
  /** Number of translations that cannot be printed, so that the source stands for them. */
  readonly unprinted: number;
}

function publishedIn(language: string, units: readonly TranslatedUnit[]): PublishedLanguage {
  return {
    language,
    texts: Object.fromEntries(printedTexts(units)),
    counts: stateCounts(units),
    unprinted: units.filter(({ fault }) => fault !== undefined).length,
  };
}

/** Something of each language, worked out once, when it is asked for. */
function byLanguageOnce<T>(workOut: (language: string) => T): (language: string) => T {
  const known = new Map<string, T>();
  return (language) => {
    const found = known.get(language) ?? workOut(language);
    known.set(language, found);
    return found;
  };
}

/** Texts of the languages of a rulebook; those that did not change are the same objects as before. */
function useUnits(doc: Rulebook, byLanguage: ReadonlyMap<string, Entries>) {
  const before = useRef(new Map<string, readonly TranslatedUnit[]>());
  return useMemo(
    () => ({
      languages: [...byLanguage.keys()],
      of: byLanguageOnce((language): readonly TranslatedUnit[] => {
        const units = translatedUnits(doc, byLanguage.get(language) ?? NO_ENTRIES);
        const kept = keepUnchanged(before.current.get(language) ?? [], units);
        before.current.set(language, kept);
        return kept;
      }),
    }),
    [doc, byLanguage],
  );
}

/** Says once which drafts went with a language that somebody removed. */
function useRemovedLanguages(project: Project, rulebook: string, languages: readonly string[] | undefined) {
  useEffect(() => {
    if (!languages) return;
    for (const [language, drafts] of setAside(project.id, rulebook, languages)) {
      const lost = drafts === 1 ? 'A translation' : `${drafts} translations`;
      const are = drafts === 1 ? 'is' : 'are';
      toasts.show(
        `${languageName(language)} was removed. ${lost} that you had not saved ${are} kept in case it comes back.`,
        { type: 'warning', autoCloseTime: REMOVED_MS },
      );
    }
  }, [project, rulebook, languages]);
}

/** Follows the translations of a rulebook. */
export function useLanguages(project: Project, rulebook: string, doc: Rulebook): Languages {
  const {
    languages,
    entries: byLanguage,
    error,
  } = useTranslations(useMemo(() => rulebookTranslations(project, rulebook), [project, rulebook]));
  useRemovedLanguages(project, rulebook, languages);
  const [wanted, setWanted] = useState<string>();
  const chosen = wanted !== undefined && languages?.includes(wanted) ? wanted : undefined;
  const entries = (chosen !== undefined && byLanguage.get(chosen)) || NO_ENTRIES;
  const shown = useMemo(
    () => (chosen === undefined ? doc : translated(doc, chosen, entries)),
    [doc, chosen, entries],
  );
  const units = useUnits(doc, byLanguage);
  // The checks may come after the letters that are typed.
  const later = useDeferredValue(units);
  const findings = useMemo(
    () => later.languages.flatMap((language) => translationFindings(language, later.of(language))),
    [later],
  );
  const published = useMemo(
    () => byLanguageOnce((language) => publishedIn(language, units.of(language))),
    [units],
  );
  return {
    all: languages,
    chosen,
    choose: setWanted,
    shown,
    inLanguage: (language) => translated(doc, language, byLanguage.get(language) ?? NO_ENTRIES),
    published,
    entries,
    units: chosen === undefined ? NO_UNITS : units.of(chosen),
    findings,
    error,
  };
}
