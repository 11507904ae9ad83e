import type { JsonObject } from '../archive/bundle.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { numberAt, type Presence, presenceOf, type StoredChange, textAt } from './stored-change.ts';

export interface RulebookDifference {
  /** Paths of its document, its text and its translations, those that changed. */
  readonly paths: readonly string[];
  readonly id: string;
  readonly title: string;
  /** `same` if only its text or its translations changed. */
  readonly change: Presence | 'same';
  readonly fields: readonly FieldChange[];
  /** Steps of its text came or went; see `core/book/compare.ts` for what they make of the text. */
  readonly text: boolean;
  /** Languages whose translation changed. */
  readonly languages: readonly string[];
}

const LABELS = {
  title: 'Title',
  subtitle: 'Subtitle',
  language: 'Language',
  format: 'Page format',
  style: 'Style',
  order: 'Place among the rulebooks',
  link: 'Link for readers',
} as const;
/** The number of its last step follows from the steps; when it was deleted is told as its going. */
const ELSEWHERE: ReadonlySet<string> = new Set(['head', 'deletedAt']);

/** A deleted rulebook stays stored for a day. */
const present = (fields: JsonObject | null): JsonObject | null =>
  fields && numberAt(fields, 'deletedAt') === 0 ? fields : null;

/** Changes of one rulebook. */
export interface RulebookChanges {
  own?: StoredChange;
  readonly text: StoredChange[];
  readonly languages: { readonly language: string; readonly change: StoredChange }[];
}

/** @param known its document, where that did not change */
export function rulebookDifference(
  id: string,
  { own, text, languages }: RulebookChanges,
  known: JsonObject | undefined,
): RulebookDifference {
  const before = own ? present(own.before) : null;
  const after = own ? present(own.after) : null;
  const presence = !own || (!before && !after) ? 'same' : presenceOf({ before, after });
  const fields = presence === 'changed' ? fieldChanges(before, after, LABELS, ELSEWHERE) : [];
  return {
    paths: [own, ...text, ...languages.map(({ change }) => change)].flatMap((one) => (one ? [one.path] : [])),
    id,
    title: textAt(own?.after ?? own?.before ?? known, 'title') || 'A rulebook',
    change: presence === 'changed' && fields.length === 0 ? 'same' : presence,
    fields,
    text: text.length > 0,
    languages: [...new Set(languages.map(({ language }) => language))].sort(),
  };
}
