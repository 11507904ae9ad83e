import type { Block, Heading, Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import type { Finding } from './checks.ts';

/** Fewer words say nothing about a text. */
const FEWEST_WORDS = 100;
/** Hardest text that players read at the table: school years for English, the LIX for other languages. */
const [MAX_GRADE, MAX_LIX] = [12, 55];
/** Words longer than this are long ones, in the LIX. */
const LONG_WORD = 6;

/** A measure of how hard a text is to read, with its name. */
export interface Readability {
  readonly measure: 'Flesch–Kincaid grade' | 'LIX';
  readonly value: number;
  readonly words: number;
}

const english = (language: string): boolean => /^en\b/i.test(language);

/** Flesch–Kincaid grade of English (Kincaid, 1975); elsewhere LIX (Björnsson, 1968), which needs no syllables. */
export function readability(text: string, language: string): Readability {
  const sentences = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)].filter(
    ({ segment }) => /[\p{L}\p{N}]/u.test(segment),
  ).length;
  const words = [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)].flatMap(
    ({ segment, isWordLike }) => (isWordLike ? [segment] : []),
  );
  const count = words.length;
  const measure = english(language) ? 'Flesch–Kincaid grade' : 'LIX';
  if (count === 0 || sentences === 0) return { measure, value: 0, words: count };
  const perSentence = count / sentences;
  if (measure === 'LIX') {
    const long = words.filter((word) => [...word].length > LONG_WORD).length;
    return { measure, value: perSentence + (100 * long) / count, words: count };
  }
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return { measure, value: 0.39 * perSentence + 11.8 * (syllables / count) - 15.59, words: count };
}

/** Syllables of an English word: groups of vowels, without an e at the end that is not heard. */
export function syllablesOf(word: string): number {
  const plain = word.toLowerCase().replace(/[^a-z]/g, '');
  if (plain === '') return 1;
  const heard = plain.replace(/(?:[^laeiou]es?|[^laeioudt]ed)$/, (end) => end.slice(0, 1));
  return Math.max(1, heard.match(/[aeiou]+y?|y/g)?.length ?? 0);
}

/** Readability of the chapters that were looked at last, by the block that each begins with. */
const known = new WeakMap<
  Block,
  { readonly text: string; readonly language: string; readonly found: Readability }
>();

function readabilityOf(first: Block, text: string, language: string): Readability {
  const before = known.get(first);
  if (before?.text === text && before.language === language) return before.found;
  const found = readability(text, language);
  known.set(first, { text, language, found });
  return found;
}

/** Chapters that are hard to read, each with its heading. Tables and lists of words are no sentences. */
export function hardChapters(doc: Rulebook): Finding[] {
  const chapters: { heading: Heading | undefined; first: Block; texts: string[] }[] = [];
  for (const block of allBlocks(doc.blocks)) {
    if (block.type === 'heading' || chapters.length === 0) {
      chapters.push({ heading: block.type === 'heading' ? block : undefined, first: block, texts: [] });
      if (block.type === 'heading') continue;
    }
    if (block.type !== 'paragraph' && block.type !== 'rule' && block.type !== 'definition') continue;
    chapters.at(-1)?.texts.push(...inlinesOf(block).map(plainText));
  }
  return chapters.flatMap(({ heading, first, texts }): Finding[] => {
    const { measure, value, words } = readabilityOf(first, texts.join('\n'), doc.language);
    const most = measure === 'LIX' ? MAX_LIX : MAX_GRADE;
    if (words < FEWEST_WORDS || value <= most) return [];
    const title = heading && plainText(heading.content);
    const message = `${title ? `The chapter ${title}` : 'The beginning'} is hard to read, with a ${measure} of ${Math.round(value)}: shorter sentences and words bring it to ${most} or less.`;
    return [{ code: 'hard-to-read', block: first.id, message }];
  });
}
