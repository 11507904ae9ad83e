import type { JsonObject } from '../archive/bundle.ts';
import { sameDocument } from '../scene/changes/same-document.ts';
import { languageName } from '../translation/languages.ts';
import {
  type Presence,
  presenceOf,
  recordAt,
  recordsOf,
  type StoredChange,
  textAt,
} from './stored-change.ts';

/** A translated text that differs. */
export interface TextDifference {
  readonly id: string;
  /** The text that it is a translation of. */
  readonly source: string;
  readonly before: string;
  readonly after: string;
}

/** The cards' texts in one language, as far as they differ. */
export interface LanguageDifference {
  readonly language: string;
  readonly name: string;
  readonly change: Presence;
  readonly paths: readonly string[];
  readonly texts: readonly TextDifference[];
}

/** Differences of one language, of its own document and the parts that hold its texts. */
export function languageDifference(language: string, changes: readonly StoredChange[]): LanguageDifference {
  const own = changes.find(({ path }) => path === `languages/${language}`);
  return {
    language,
    name: languageName(language),
    change: own ? presenceOf(own) : 'changed',
    paths: changes.map(({ path }) => path),
    // A text that moved from one part to another is no difference.
    texts: textDifferences(
      unitsIn(changes.map(({ before }) => before)),
      unitsIn(changes.map(({ after }) => after)),
    ),
  };
}

/** Texts of a translation by their ids. */
export type Units = ReturnType<typeof recordsOf>;

/** The texts in parts of a translation. */
export const unitsIn = (parts: readonly (JsonObject | null)[]): Units =>
  new Map(parts.flatMap((part) => [...recordsOf(recordAt(part, 'units'))]));

function textDifferences(was: Units, is: Units): TextDifference[] {
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((id) => {
    const [one, other] = [was.get(id), is.get(id)];
    if (sameDocument(one ?? null, other ?? null)) return [];
    const source = textAt(other ?? one, 'source');
    return [{ id, source, before: textAt(one, 'text'), after: textAt(other, 'text') }];
  });
}
