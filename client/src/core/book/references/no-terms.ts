import { LIMITS } from '../document/limits.ts';
import type { NoTerm, Rulebook } from '../document/schema.ts';

/** Place of words in the whole rulebook. */
export const EVERYWHERE = '';

const folded = (words: string): string => words.trim().replace(/\s+/g, ' ').toLowerCase();
const keyOf = (words: string, at: string): string => `${at}\n${folded(words)}`;

export const placeOfCard = ({ component, card }: { component: string; card: string }): string =>
  `${component}/${card}`;

/** Takes the words away that are no terms at a place, or anywhere in the rulebook. */
export function termsAt({
  noTerms = [],
}: Pick<Rulebook, 'noTerms'>): (words: readonly string[], at: string) => readonly string[] {
  if (noTerms.length === 0) return (words) => words;
  const none = new Set(noTerms.map(({ words, at }) => keyOf(words, at)));
  const places = new Set(noTerms.map(({ at }) => at));
  return (words, at) => {
    if (!places.has(at) && !places.has(EVERYWHERE)) return words;
    const left = words.filter((one) => !none.has(keyOf(one, at)) && !none.has(keyOf(one, EVERYWHERE)));
    return left.length === words.length ? words : left;
  };
}

/** True if a list says that words are no term at just this place. */
export function hasNoTerm(all: readonly NoTerm[], { words, at }: NoTerm): boolean {
  const key = keyOf(words, at);
  return all.some((one) => keyOf(one.words, one.at) === key);
}

/** The list with one more; the same where it is there already, `undefined` when no more fit. */
export function withNoTerm(all: readonly NoTerm[], { words, at }: NoTerm): readonly NoTerm[] | undefined {
  if (hasNoTerm(all, { words, at })) return all;
  return all.length < LIMITS.noTerms ? [...all, { words: words.trim(), at }] : undefined;
}

/** The list without one. */
export const withoutNoTerm = (all: readonly NoTerm[], { words, at }: NoTerm): readonly NoTerm[] =>
  all.filter((one) => keyOf(one.words, one.at) !== keyOf(words, at));
