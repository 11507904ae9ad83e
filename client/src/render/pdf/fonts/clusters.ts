import type { GlyphWord } from '../../../core/scene/display/display-list.ts';

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
 * glyph, in order; else its widest glyph stands for all of them.
 * @param advance of a glyph, in any unit
 */
export function textsOfGlyphs(word: GlyphWord, advance: Advance): string[] {
  const backward = isBackward(word);
  return clustersOf(word).flatMap(({ text, from, to }) => {
    const glyphs = word.glyphs.slice(from, to);
    if (glyphs.length === 1) return [text];
    const characters = [...text];
    if (characters.length === glyphs.length) return backward ? characters.reverse() : characters;
    const widest = widestOf(glyphs, advance);
    return glyphs.map((_, index) => (index === widest ? text : NO_TEXT));
  });
}

/** Advance of a glyph, in any unit. */
export type Advance = (glyph: number) => number;

function widestOf(glyphs: readonly number[], advance: Advance): number {
  const widths = glyphs.map(advance);
  return widths.indexOf(Math.max(...widths));
}

/** True if the word's glyphs run right to left. */
const isBackward = ({ clusters }: GlyphWord): boolean => (clusters[0] ?? 0) > (clusters.at(-1) ?? 0);

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
