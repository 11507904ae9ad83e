import type { TranslatedUnit } from '../../core/translation/translation.ts';
import { guardUnsaved } from '../../data/account/unsaved-work.ts';

/** A text that was typed. */
export interface Draft {
  readonly text: string;
  /** Source that was shown when its typing began: it may have changed since, and the text was not made from the new one. */
  readonly source?: string | undefined;
  /** It is stored, and shown until it comes back: the text that was stored before it, if there was one. */
  readonly stored?: { readonly before: string | undefined } | undefined;
  /** Reason why it could not be stored. */
  readonly problem?: string | undefined;
  /** True if somebody else stored another text meanwhile, and the user was told. */
  readonly replaces?: boolean | undefined;
  /** True if the rulebook no longer has its text or its language. It is kept in case that comes back. */
  readonly gone?: boolean | undefined;
}

export type Drafts = ReadonlyMap<string, Draft>;

const NONE: Drafts = new Map();

/** Drafts by their translation: whoever goes to another page and comes back finds them. */
const kept = new Map<string, Drafts>();

/** The name by which the drafts of a translation are kept; that of a rulebook begins those of its translations. */
export const translationKey = (project: string, rulebook: string, language: string): string =>
  `${project}/${rulebook}/${language}`;

export const keptDrafts = (translation: string): Drafts => kept.get(translation) ?? NONE;

/** Keeps drafts as long as the browser's tab is open, on whatever page; a warning comes before that closes. */
export function keepDrafts(translation: string, drafts: Drafts): void {
  const unsaved = new Map([...drafts].filter(([, { stored }]) => !stored));
  if (unsaved.size === 0) kept.delete(translation);
  else kept.set(translation, unsaved);
  unguard ??= guardUnsaved({ isUnsaved: isAnyKept, save: whenSettled });
  if (kept.size > 0) return;
  unguard();
  unguard = undefined;
}

let unguard: (() => void) | undefined;

const isAnyKept = (): boolean =>
  [...kept.values()].some((all) => [...all.values()].some(({ gone }) => !gone));

/** Each settles when a translation that is shown has no text on its way any more. */
const onTheWay = new Set<() => Promise<unknown>>();

/** Leaving a field stores its text, for which the end of a session waits. */
const whenSettled = () => Promise.all([...onTheWay].map((settled) => settled()));

/** Has the end of a session wait for `settled`. @returns ends it */
export function awaitStored(settled: () => Promise<unknown>): () => void {
  onTheWay.add(settled);
  return () => void onTheWay.delete(settled);
}

/** Sets aside the drafts of languages that a rulebook no longer has, and answers how many each had. */
export function setAside(
  project: string,
  rulebook: string,
  languages: readonly string[],
): ReadonlyMap<string, number> {
  const there = new Set(languages);
  const start = translationKey(project, rulebook, '');
  const aside = new Map<string, number>();
  for (const [translation, drafts] of kept) {
    const language = translation.slice(start.length);
    if (!translation.startsWith(start) || there.has(language)) continue;
    const left = [...drafts].filter(([, { gone }]) => !gone);
    if (left.length === 0) continue;
    aside.set(language, left.length);
    keepDrafts(translation, new Map([...drafts].map(([unit, draft]) => [unit, { ...draft, gone: true }])));
  }
  return aside;
}

/** Drafts with those set aside whose text is gone, and those taken back whose text is there again. */
export function withGone(
  drafts: Drafts,
  units: ReadonlyMap<string, TranslatedUnit>,
): { readonly drafts: Drafts; readonly gone: readonly Draft[] } {
  const gone: Draft[] = [];
  const next = new Map<string, Draft>();
  let changed = false;
  for (const [unit, draft] of drafts) {
    const { gone: was = false, ...rest } = draft;
    const is = !units.has(unit);
    if (is !== was) changed = true;
    if (is && !was) gone.push(draft);
    next.set(unit, is === was ? draft : is ? { ...rest, gone: true } : rest);
  }
  return changed ? { drafts: next, gone } : { drafts, gone };
}

/** Drafts with one more, or without that of a unit. */
export function withDraft(drafts: Drafts, unit: string, draft: Draft | undefined): Drafts {
  const next = new Map(drafts);
  if (draft) next.set(unit, draft);
  else next.delete(unit);
  return next;
}

/** The text that a field shows. */
export const shownText = ({ text }: TranslatedUnit, draft: Draft | undefined): string =>
  draft?.text ?? text ?? '';

/** Drafts without those that came back from where they are stored. */
export function withoutStored(drafts: Drafts, units: readonly TranslatedUnit[]): Drafts {
  const texts = new Map(units.map(({ unit, text }) => [unit.id, text]));
  const left = [...drafts].filter(([id, { stored }]) => !stored || texts.get(id) === stored.before);
  return left.length === drafts.size ? drafts : new Map(left);
}
