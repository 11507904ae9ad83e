import type { GlyphWord } from '../../../core/scene/display/display-list.ts';
import { hasLeftwards } from '../../../core/text/direction.ts';

/** Glyphs of a word that belong together: a letter and its marks, or the letters of a ligature. */
export interface Cluster {
  readonly text: string;
  /** First glyph in the word, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** The clusters of a word in the order of their glyphs. */
export function clustersOf({ text, clusters }: Pick<GlyphWord, 'text' | 'clusters'>): Cluster[] {
  const starts = [...new Set(clusters)].sort((a, b) => a - b);
  const found: Cluster[] = [];
  for (let from = 0; from < clusters.length; ) {
    const start = clusters[from] ?? 0;
    let to = from + 1;
    while (to < clusters.length && clusters[to] === start) to++;
    found.push({ text: text.slice(start, starts[starts.indexOf(start) + 1] ?? text.length), from, to });
    from = to;
  }
  return found;
}

/** Word joiner: invisible, and letters of Arabic join across it. */
const NO_TEXT = '\u2060';

/**
 * The text that each glyph of a word stands for. Marks have characters of their own where a cluster has one for each
 * glyph, in order; else its widest glyph stands for all of them. In a word that runs right to left it always does, and
 * has them backward: readers take the characters of one glyph from left to right, and turn them with the word.
 * @param advance of a glyph, in any unit
 * @param plain leaves the marks of words that run right to left out, for fonts that can say one text for each glyph only
 */
export function textsOfGlyphs(word: GlyphWord, advance: Advance, plain = false): string[] {
  const backward = isBackward(word);
  return clustersOf(word).flatMap(({ text, from, to }) => {
    const glyphs = word.glyphs.slice(from, to);
    const characters = [...text];
    const whole = backward
      ? characters
          .reverse()
          .filter((one) => !(plain && MARK.test(one)))
          .join('')
      : text;
    if (glyphs.length === 1) return [whole];
    if (!backward && characters.length === glyphs.length) return characters;
    const widest = widestOf(glyphs, advance);
    return glyphs.map((_, index) => (index === widest ? whole : NO_TEXT));
  });
}

/** Marks of letters. */
const MARK = /\p{M}/u;

/** Advance of a glyph, in any unit. */
export type Advance = (glyph: number) => number;

function widestOf(glyphs: readonly number[], advance: Advance): number {
  const widths = glyphs.map(advance);
  return widths.indexOf(Math.max(...widths));
}

/** True if the word's glyphs run right to left. Of one letter with its marks, its script tells. */
function isBackward({ clusters, text }: GlyphWord): boolean {
  const [first = 0, last = 0] = [clusters[0], clusters.at(-1)];
  return first === last ? hasLeftwards(text) : first > last;
}

/** True if a letter of the word has several glyphs. */
const hasMarks = ({ clusters }: GlyphWord): boolean =>
  clusters.some((cluster, index) => index > 0 && cluster === clusters[index - 1]);

/** Glyphs of a word, by their numbers, that are shown together. */
export interface Span {
  readonly glyphs: readonly number[];
  /** Text that readers take in place of that of the glyphs. */
  readonly text: string | undefined;
}

/**
 * A word in the parts that tell readers its text. From the glyphs alone they would take a letter for each dot of Arabic
 * and each vowel sign of Thai, with spaces between them. A word with marks states its text; one that runs right to left
 * shows its marks last and without text, because readers do not agree on the order of stated text there.
 */
export function spansOf(word: GlyphWord, advance: Advance): Span[] {
  const all = word.glyphs.map((_, index) => index);
  if (!hasMarks(word)) return [{ glyphs: all, text: undefined }];
  if (!isBackward(word)) return [{ glyphs: all, text: word.text }];
  const letters = new Set(
    clustersOf(word).flatMap(({ from, to }) => {
      const widest = widestOf(word.glyphs.slice(from, to), advance);
      return all
        .slice(from, to)
        .filter((index) => index === from + widest || advance(word.glyphs[index] ?? 0) > 0);
    }),
  );
  return [
    { glyphs: [...letters], text: undefined },
    { glyphs: all.filter((index) => !letters.has(index)), text: '' },
  ].filter(({ glyphs }) => glyphs.length > 0);
}
