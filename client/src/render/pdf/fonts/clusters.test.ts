import { describe, expect, test } from 'vitest';
import type { GlyphWord } from '../../../core/scene/display/display-list.ts';
import { spansOf, textsOfGlyphs } from './clusters.ts';

/** Marks are glyphs from 100 up and have no advance. */
const advance = (glyph: number): number => (glyph >= 100 ? 0 : 1);

const word = (text: string, glyphs: number[], clusters: number[]): GlyphWord => ({
  text,
  x: 0,
  width: glyphs.length,
  glyphs,
  clusters,
  offsets: glyphs.flatMap(() => [0, 0]),
});

describe('what glyphs are read as', () => {
  test('letters and ligatures stand for their characters, without a stated text', () => {
    const office = word('office', [1, 2, 3, 4], [0, 1, 4, 5]);
    expect(textsOfGlyphs(office, advance)).toEqual(['o', 'ffi', 'c', 'e']);
    expect(spansOf(office, advance)).toEqual([{ glyphs: [0, 1, 2, 3], text: undefined }]);
  });

  test('a vowel sign of Thai stands for itself, and its word states the text', () => {
    const thai = word('ที่นา', [1, 100, 101, 2, 3], [0, 0, 0, 3, 4]);
    expect(textsOfGlyphs(thai, advance)).toEqual(['ท', 'ี', '่', 'น', 'า']);
    expect(spansOf(thai, advance)).toEqual([{ glyphs: [0, 1, 2, 3, 4], text: 'ที่นา' }]);
  });

  test('dots of Arabic stand for nothing, and are shown after the letters', () => {
    // Visual order: the last letter with its dot, then the first with two.
    const arabic = word('تب', [100, 1, 101, 102, 2], [1, 1, 0, 0, 0]);
    expect(textsOfGlyphs(arabic, advance)).toEqual(['\u2060', 'ب', '\u2060', '\u2060', 'ت']);
    expect(spansOf(arabic, advance)).toEqual([
      { glyphs: [1, 4], text: undefined },
      { glyphs: [0, 2, 3], text: '' },
    ]);
  });

  test('the letters of one glyph that runs from the right are stated backward, as readers turn them with the word', () => {
    expect(textsOfGlyphs(word('لا', [1], [0]), advance)).toEqual(['ال']);
    expect(textsOfGlyphs(word('fi', [1], [0]), advance)).toEqual(['fi']);
  });

  test('vowel marks of words that run from the right belong to their letters', () => {
    const hebrew = word('קַח', [1, 100, 2], [2, 0, 0]);
    expect(textsOfGlyphs(hebrew, advance)).toEqual(['ח', '\u2060', 'ַק']);
    expect(spansOf(hebrew, advance)).toEqual([
      { glyphs: [0, 2], text: undefined },
      { glyphs: [1], text: '' },
    ]);
    // A font that can say one text for each glyph says the letters alone.
    expect(textsOfGlyphs(hebrew, advance, true)).toEqual(['ח', '\u2060', 'ק']);
    // A letter by itself runs as its script does.
    expect(textsOfGlyphs(word('נָ', [100, 1], [0, 0]), advance)).toEqual(['\u2060', 'ָנ']);
  });
});
