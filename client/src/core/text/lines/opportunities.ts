import LineBreaker, { type Break } from 'linebreak';

/**
 * Places at which a line may end, by Unicode (UAX #14). Two things are added to the rules of the `linebreak` package, which
 * leaves them to dictionaries and languages: words of scripts without spaces, and quotation marks of Chinese.
 */
export interface Opportunities {
  nextBreak(): Break | null;
}

/** Thai, Lao, Burmese, Khmer and their relatives, which have no spaces between words. */
const UNSPACED =
  /[\u0e01-\u0e4e\u0e81-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u1950-\u19df\u1a20-\u1aad\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaadf]+/g;
/** A sign of repetition or abbreviation ends the word before it. */
const ENDS_WORD = /[\u0e2f\u0e46\u0eaf\u0ec6]/;
/** Western quotation marks, in text whose characters are as wide as they are high. */
const QUOTED = /[\u2e80-\u9fff\uac00-\ud7af\uff01-\uff60][“‘”’][\u2e80-\u9fff\uac00-\ud7af\uff01-\uff60]/;
const SOUTH_EAST_ASIAN = /[\u0e01-\u109f\u1780-\u1aad\ua9e0-\uaadf]/;

export function opportunitiesOf(text: string): Opportunities {
  const further = SOUTH_EAST_ASIAN.test(text) || QUOTED.test(text);
  return further ? new ScriptOpportunities(text) : new LineBreaker(text);
}

class ScriptOpportunities implements Opportunities {
  readonly #breaks: readonly Break[];
  #next = 0;

  constructor(text: string) {
    const breaks = new Map<number, Break>();
    const further = [...wordEnds(text), ...quotationEnds(text)];
    for (const position of further) breaks.set(position, { position, required: false });
    const breaker = new LineBreaker(text);
    for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) breaks.set(next.position, next);
    this.#breaks = [...breaks.values()].sort((a, b) => a.position - b.position);
  }

  nextBreak(): Break | null {
    return this.#breaks[this.#next++] ?? null;
  }
}

let words: Intl.Segmenter | undefined;

/** Ends of words in runs without spaces. The words are those of the dictionaries of the browser or of Node. */
function* wordEnds(text: string): Iterable<number> {
  for (const { 0: run, index } of text.matchAll(UNSPACED)) {
    words ??= new Intl.Segmenter('th', { granularity: 'word' });
    for (const { index: at } of words.segment(run)) {
      if (at > 0 && !ENDS_WORD.test(run[at] ?? '')) yield index + at;
    }
  }
}

/** Characters that begin a line in East Asian text: letters but small kana and signs of length and repetition. */
const BEGINS_LINE =
  /[\u3042\u3044\u3046\u3048\u304a-\u3062\u3064-\u3082\u3084\u3086\u3088-\u308d\u308f-\u3094\u30a2\u30a4\u30a6\u30a8\u30aa-\u30c2\u30c4-\u30e2\u30e4\u30e6\u30e8-\u30ed\u30ef-\u30f4\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]/;
/** Letters and closing punctuation. */
const ENDS_LINE = /[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3、。，．！？：；）」』】》〉]/;

/** Lines may end before an opening and after a closing quotation mark between East Asian characters (rule LB19a). */
function* quotationEnds(text: string): Iterable<number> {
  if (!QUOTED.test(text)) return;
  for (let at = 1; at < text.length - 1; at++) {
    const [before = '', mark = '', after = ''] = [text[at - 1], text[at], text[at + 1]];
    if ((mark === '“' || mark === '‘') && ENDS_LINE.test(before)) yield at;
    if ((mark === '”' || mark === '’') && ENDS_LINE.test(before) && BEGINS_LINE.test(after)) yield at + 1;
  }
}
