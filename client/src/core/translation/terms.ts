import { TranslationError } from './error.ts';
import type { Entries, TranslatedUnit } from './translation.ts';

/**
 * Terms of a project: words that have one translation in each language, wherever they stand. They are kept among the
 * translations of a language, by ids that no text has, so that versions, copies and archives hold them.
 */

/** Longest term and longest translation of one, in characters. */
export const MAX_TERM = 200;
/** Shortest name of a card that is looked for in other texts, in characters: shorter ones are words of all kinds. */
const MIN_NAME = 3;
/** Most terms of a project. */
export const MAX_TERMS = 1_000;

const PREFIX = 't.';
const ID = /^t\.[A-Za-z0-9_-]{1,2000}$/;

const foldedTerm = (words: string): string => words.trim().replace(/\s+/g, ' ').toLowerCase();

/** Id of a term: its words in any case, with all but letters, digits and hyphens of ASCII as codes. */
export const termId = (term: string): string =>
  PREFIX +
  foldedTerm(term).replace(/[^A-Za-z0-9-]/gu, (sign) => `_${(sign.codePointAt(0) ?? 0).toString(16)}_`);

export const isTerm = (id: string): boolean => ID.test(id);

/** A term with its translation into one language, as far as there is one. */
export interface Term {
  readonly id: string;
  readonly source: string;
  readonly text: string | undefined;
}

/** The terms of a project in one language: all that have a translation into any of them, in alphabetical order. */
export function termsIn(language: string, entries: ReadonlyMap<string, Entries>): Term[] {
  const sources = new Map<string, string>();
  for (const one of entries.values()) {
    for (const [id, { source }] of one) if (isTerm(id) && !sources.has(id)) sources.set(id, source);
  }
  const own = entries.get(language);
  return [...sources]
    .map(([id, source]): Term => ({ id, source, text: own?.get(id)?.text }))
    .sort((a, b) => a.source.localeCompare(b.source));
}

/**
 * A new term, ready to be stored.
 * @throws TranslationError naming what is wrong with it
 */
export function newTerm(
  source: string,
  text: string,
  known: readonly Term[],
): { readonly id: string; readonly entry: { readonly source: string; readonly text: string } } {
  const [term, words] = [source, text].map((one) => one.trim().replace(/\s+/g, ' '));
  if (!term || !words) throw new TranslationError('Write the term and its translation.');
  for (const one of [term, words]) {
    if (one.length > MAX_TERM) throw new TranslationError(`A term has at most ${MAX_TERM} characters.`);
  }
  const id = termId(term);
  const same = known.find((one) => one.id === id);
  if (same?.text !== undefined) {
    throw new TranslationError(`“${same.source}” is in the list already: change its translation there.`);
  }
  if (!same && known.length >= MAX_TERMS) {
    throw new TranslationError(`A project has at most ${MAX_TERMS} terms: remove others first.`);
  }
  return { id, entry: { source: same?.source ?? term, text: words } };
}

/** A word or a name with the translation that it should have. */
interface Wanted {
  readonly source: string;
  readonly text: string;
  /** True for names of cards, which count only as they are written: `Oak` is a card, and `oak` a tree. */
  readonly exact: boolean;
  /** The text that says so itself. */
  readonly unit?: string | undefined;
}

/** Longest first, so that `Ash Tree` is not taken for `Ash`. */
const byLength = (a: Wanted, b: Wanted): number => b.source.length - a.source.length;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds a term as whole words; a plural of English counts. */
const patternOf = ({ source, exact }: Wanted): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(source)}(?:e?s)?(?![\\p{L}\\p{N}])`, exact ? 'u' : 'iu');

/** A text without any markup that could stand between a term's words and those beside it. */
const plain = (text: string): string => text.replace(/\{[^{}]*\}|[*_]+/g, ' ').replace(/\s+/g, ' ');

/**
 * Departures from the list of terms and from the names of cards, in words, by the ids of their units. A translation
 * may inflect a term: it departs from it when it does not have its words at all.
 * @param names names of cards
 */
export function departures(
  units: readonly TranslatedUnit[],
  terms: readonly Term[],
  names: readonly TranslatedUnit[],
): ReadonlyMap<string, readonly string[]> {
  const listed = terms.flatMap(({ source, text }): Wanted[] =>
    text === undefined ? [] : [{ source, text, exact: false }],
  );
  const ids = new Set(listed.map(({ source }) => termId(source)));
  const named = new Map<string, Wanted>();
  for (const { unit, text, fault } of names) {
    if (text === undefined || fault !== undefined) continue;
    const source = plain(unit.source).trim();
    // A name that is a term of the list has its translation there.
    if (source.length < MIN_NAME || ids.has(termId(source)) || named.has(source)) continue;
    named.set(source, { source, text: plain(text).trim(), exact: true, unit: unit.id });
  }
  const wanted = [...listed, ...named.values()]
    .sort(byLength)
    .map((one) => ({ ...one, lower: one.source.toLowerCase(), pattern: patternOf(one) }));
  const found = new Map<string, readonly string[]>();
  for (const { unit, text } of units) {
    if (text === undefined) continue;
    const words = plain(text).toLowerCase();
    let source = plain(unit.source);
    const folded = source.toLowerCase();
    const missing: string[] = [];
    for (const { pattern, lower, ...one } of wanted) {
      // Most terms stand in few texts, and patterns are slow to try.
      if (!folded.includes(lower) || !pattern.test(source)) continue;
      source = source.replace(new RegExp(pattern, `${pattern.flags}g`), ' ');
      if (one.unit === unit.id || words.includes(one.text.toLowerCase())) continue;
      missing.push(
        one.exact
          ? `The card “${one.source}” is called “${one.text}”.`
          : `The term “${one.source}” is translated as “${one.text}”.`,
      );
    }
    if (missing.length > 0) found.set(unit.id, missing);
  }
  return found;
}
