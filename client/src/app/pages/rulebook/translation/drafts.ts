import type { TranslatedUnit } from '../../../../core/book/translation/translation.ts';

/** A text that was typed. */
export interface Draft {
  readonly text: string;
  /** It is stored, and shown until it comes back: the text that was stored before it, if there was one. */
  readonly stored?: { readonly before: string | undefined } | undefined;
  /** Reason why it could not be stored. */
  readonly problem?: string | undefined;
  /** True if somebody else stored another text meanwhile, and the user was told. */
  readonly replaces?: boolean | undefined;
}

export type Drafts = ReadonlyMap<string, Draft>;

const NONE: Drafts = new Map();

/** Drafts by their translation: whoever goes to another page and comes back finds them. */
const kept = new Map<string, Drafts>();

export const keptDrafts = (translation: string): Drafts => kept.get(translation) ?? NONE;

export function keepDrafts(translation: string, drafts: Drafts): void {
  const unsaved = new Map([...drafts].filter(([, { stored }]) => !stored));
  if (unsaved.size === 0) kept.delete(translation);
  else kept.set(translation, unsaved);
}

/** True if leaving would lose a draft of any translation. */
export const hasDrafts = (): boolean => kept.size > 0;

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
