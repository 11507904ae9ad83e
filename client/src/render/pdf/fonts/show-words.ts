import type { GlyphWord } from '../../../core/scene/display/display-list.ts';
import { number } from '../content.ts';
import { spansOf } from './clusters.ts';
import { hex, type UsedFace, utf16 } from './fonts.ts';

/**
 * Begins a word whose letters have marks or are several glyphs. Readers take its text from here: from the glyphs they
 * would take a letter for each dot of Arabic and each vowel sign of Thai, with spaces between them.
 */
export const beginSpan = (text: string): string => `/Span <</ActualText <FEFF${utf16(text)}>>> BDC`;
export const END_SPAN = 'EMC';

/** Least difference of places that is written, in thousandths of the em. */
const LEAST_CORRECTION = 0.5;
/** Least height above the line that is written, in em. */
const LEAST_RISE_EM = 1e-4;
/** Least room between words that is a space, as a share of the size. */
const LEAST_SPACE = 0.05;

/**
 * Operators that show one line of text: glyphs with corrections that put each where layout placed it. A space glyph goes
 * between words, so that copied text has its spaces.
 * @param slant of the text matrix, which moves what rises above the line
 */
export function showWords(used: UsedFace, words: readonly GlyphWord[], size: number, slant: number): string {
  const line = new Line(used, slant);
  const origin = words[0]?.x ?? 0;
  const thousandths = (x: number): number => ((x - origin) / size) * 1000;
  for (const [index, word] of words.entries()) {
    const previous = words[index - 1];
    if (previous && word.x - previous.x - previous.width > LEAST_SPACE * size) {
      line.space(thousandths(previous.x + previous.width));
    }
    line.word(word, thousandths(word.x));
  }
  return line.finish();
}

class Line {
  readonly #used: UsedFace;
  readonly #slant: number;
  readonly #operators: string[] = [];
  /** Operands of the TJ being made, and the codes of its last string. */
  #operands: string[] = [];
  #codes = '';
  /** Thousandths of the em from the line's start. */
  #pen = 0;
  /** Em above the line. */
  #rise = 0;

  constructor(used: UsedFace, slant: number) {
    this.#used = used;
    this.#slant = slant;
  }

  space(at: number): void {
    const { space } = this.#used;
    if (space !== undefined) this.#show(space, space, at, 0);
  }

  word(word: GlyphWord, start: number): void {
    const codes = this.#used.codes(word);
    const show = (index: number): void => {
      const x = (word.offsets[2 * index] ?? 0) * 1000;
      const glyph = word.glyphs[index] ?? 0;
      this.#show(glyph, codes[index] ?? glyph, start + x, word.offsets[2 * index + 1] ?? 0);
    };
    for (const { glyphs, text } of spansOf(word, this.#used.width)) {
      if (text !== undefined) this.#operator(beginSpan(text));
      glyphs.forEach(show);
      if (text !== undefined) this.#operator(END_SPAN);
    }
  }

  finish(): string {
    this.#riseTo(0);
    this.#flush();
    return this.#operators.join('\n');
  }

  #show(glyph: number, code: number, at: number, rise: number): void {
    this.#riseTo(rise);
    const place = at - this.#slant * this.#rise * 1000;
    const correction = this.#pen - place;
    if (Math.abs(correction) > LEAST_CORRECTION) {
      this.#endString();
      this.#operands.push(number(Math.round(correction * 10) / 10));
      this.#pen = place;
    }
    this.#codes += hex(code);
    this.#pen += this.#used.width(glyph);
  }

  /** The rise is part of the text state, which outlives the line. */
  #riseTo(rise: number): void {
    const wanted = Math.abs(rise) < LEAST_RISE_EM ? 0 : rise;
    if (wanted === this.#rise) return;
    this.#operator(`${number(wanted)} Ts`);
    this.#rise = wanted;
  }

  #operator(text: string): void {
    this.#flush();
    this.#operators.push(text);
  }

  #endString(): void {
    if (this.#codes !== '') this.#operands.push(`<${this.#codes}>`);
    this.#codes = '';
  }

  #flush(): void {
    this.#endString();
    if (this.#operands.length > 0) this.#operators.push(`[${this.#operands.join(' ')}] TJ`);
    this.#operands = [];
  }
}
