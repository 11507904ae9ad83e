import { wordsPattern } from '../references/index-terms.ts';

/** A stretch of a text, and the words that come in its place. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The places of whole words in a text, in any case, each with the words that replace it. */
export function replacements(text: string, words: string, by: string): readonly Replacement[] {
  const pattern = wordsPattern([words]);
  if (!pattern) return [];
  return [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    text: likeFirst(by, match[0]),
  }));
}

/** Words that begin with a capital where the others did, and only there; names with capitals inside stay as they are. */
function likeFirst(words: string, others: string): string {
  const first = words.charAt(0);
  if (/^\p{Lu}/u.test(others)) return first.toUpperCase() + words.slice(1);
  return /\p{Lu}/u.test(words.slice(1)) ? words : first.toLowerCase() + words.slice(1);
}

/** A text with all of them replaced. */
export const replaceWords = (text: string, words: string, by: string): string =>
  [...replacements(text, words, by)]
    .reverse()
    .reduce((all, one) => all.slice(0, one.from) + one.text + all.slice(one.to), text);
