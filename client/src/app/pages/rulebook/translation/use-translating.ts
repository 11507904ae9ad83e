import { useEffect, useRef, useState } from 'react';
import type { ImportPlan } from '../../../../core/book/translation/import.ts';
import {
  type Entries,
  type Entry,
  type TranslatedUnit,
  withSettled,
} from '../../../../core/book/translation/translation.ts';
import { checkedText } from '../../../../core/book/translation/units.ts';
import { describeError } from '../../../../data/messages.ts';
import type { Project } from '../../../../data/project/open-project.ts';
import { saveEntries } from '../../../../data/rulebooks/translations.ts';
import {
  type Draft,
  type Drafts,
  hasDrafts,
  keepDrafts,
  keptDrafts,
  withDraft,
  withoutStored,
} from './drafts.ts';

type Changes = ReadonlyMap<string, Entry | null>;

/** A change that can be taken back. */
interface Done {
  readonly words: string;
  readonly before: Changes;
  readonly after: Changes;
}

/** Most changes that can be taken back. */
const MAX_UNDO = 100;

/** Writing one translation of a rulebook. */
export interface Translating {
  readonly drafts: Drafts;
  readonly type: (unit: string, text: string) => void;
  /** Stores what was typed, or accepts a stale translation as it is; false if it cannot be stored. */
  readonly save: (one: TranslatedUnit, accept?: boolean) => Promise<boolean>;
  /** Takes a file over that was planned. @throws when it cannot be stored */
  readonly take: (plan: ImportPlan, from: string) => Promise<void>;
  /** What undo would take back, in words. */
  readonly undoes: string | undefined;
  readonly undo: () => Promise<void>;
  /** Reason why undo failed. */
  readonly problem: string | undefined;
}

/** The drafts of a translation, which outlast the page, and a warning before they are lost. */
function useDrafts(translation: string, units: readonly TranslatedUnit[]) {
  const [drafts, setDrafts] = useState(() => keptDrafts(translation));
  /** @param of the text that this is about: nothing happens where another was typed since */
  const set = (unit: string, draft: Draft | undefined, of?: string): void =>
    setDrafts((known) => {
      const typed = known.get(unit)?.text;
      if (of !== undefined && typed !== undefined && typed !== of) return known;
      const next = withDraft(known, unit, draft);
      keepDrafts(translation, next);
      return next;
    });
  /** Forgets a text that is stored. */
  const forget = (unit: string): void =>
    setDrafts((known) => (known.get(unit)?.stored ? withDraft(known, unit, undefined) : known));
  useEffect(() => setDrafts((known) => withoutStored(known, units)), [units]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasDrafts()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return { drafts, set, forget };
}

/** Writes the translation of a rulebook into one language. */
export function useTranslating(
  project: Project,
  rulebook: string,
  language: string,
  units: readonly TranslatedUnit[],
  entries: Entries,
): Translating {
  const { drafts, set, forget } = useDrafts(`${project.id}/${rulebook}/${language}`, units);
  const [done, setDone] = useState<readonly Done[]>([]);
  const [problem, setProblem] = useState<string>();
  const now = useRef({ units, entries });
  now.current = { units, entries };

  const store = async (words: string, wanted: Changes, expected?: Changes): Promise<Changes> => {
    const { units: all, entries: known } = now.current;
    const after = withSettled(wanted, all, known);
    const before = await saveEntries(project, rulebook, language, after, expected);
    if (before.size > 0) setDone((list) => [...list, { words, before, after }].slice(-MAX_UNDO));
    return before;
  };

  /** Texts on their way: leaving a field right after its keys stored it stores nothing twice. */
  const flying = useRef(
    new Map<string, { readonly text: string | undefined; readonly saved: Promise<boolean> }>(),
  );
  const save = (one: TranslatedUnit, accept = false): Promise<boolean> => {
    const { id } = one.unit;
    const text = drafts.get(id)?.text;
    const known = flying.current.get(id);
    if (known && (text === undefined || known.text === text)) return known.saved;
    const saved = saveNow(one, accept).finally(() => {
      if (flying.current.get(id)?.saved === saved) flying.current.delete(id);
    });
    flying.current.set(id, { text, saved });
    return saved;
  };

  const saveNow = async (one: TranslatedUnit, accept: boolean): Promise<boolean> => {
    const { unit, state, text: stored } = one;
    const draft = drafts.get(unit.id);
    const text = draft?.text ?? (accept && state === 'stale' ? stored : undefined);
    if (draft?.stored) return true;
    if (text === undefined || (text === stored && !(accept && state === 'stale'))) {
      set(unit.id, undefined);
      return true;
    }
    try {
      const entry = text.trim() === '' ? null : { source: unit.source, text: checkedText(unit, text) };
      const own = now.current.entries.get(unit.id) ?? null;
      const before = await store(
        wordsFor(entry, stored),
        new Map([[unit.id, entry]]),
        expectedOf(draft, unit.id, own),
      );
      if (!before.has(unit.id)) {
        const told = 'Somebody else has translated this in the same moment. Save once more to replace it.';
        set(unit.id, { text, problem: told, replaces: true }, text);
        return false;
      }
      set(unit.id, text === stored ? undefined : { text, stored: { before: stored } }, text);
      return true;
    } catch (error) {
      set(unit.id, { text, problem: describeError(error) }, text);
      return false;
    }
  };

  const take = async ({ items }: ImportPlan, from: string): Promise<void> => {
    const changes = new Map(
      items.flatMap(({ id, entry }): [string, Entry][] => (entry ? [[id, entry]] : [])),
    );
    await store(`what came from ${from}`, changes);
  };

  const undo = async (): Promise<void> => {
    const last = done.at(-1);
    if (!last) return;
    try {
      await saveEntries(project, rulebook, language, last.before, last.after);
      setDone((list) => list.filter((one) => one !== last));
      // What is shown until it comes back never does.
      for (const id of last.after.keys()) forget(id);
      setProblem(undefined);
    } catch (error) {
      setProblem(describeError(error));
    }
  };

  return {
    drafts,
    type: (unit, text) => set(unit, { text, ...(drafts.get(unit)?.replaces && { replaces: true }) }),
    save,
    take,
    undoes: done.at(-1)?.words,
    undo,
    problem,
  };
}

const wordsFor = (entry: Entry | null, stored: string | undefined): string =>
  entry === null
    ? 'a removal'
    : stored === entry.text
      ? 'an acceptance'
      : stored === undefined
        ? 'a translation'
        : 'a change';

/** What has to be stored still, unless the user was told that it is something else. */
const expectedOf = (draft: Draft | undefined, unit: string, own: Entry | null): Changes | undefined =>
  draft?.replaces ? undefined : new Map([[unit, own]]);
