/**
 * Chinese characters have one code point in all languages and are drawn differently in Japan, on the mainland of China,
 * in Taiwan and in Korea: the language decides which font sets them.
 */
export type HanForms = 'jp' | 'sc' | 'tc' | 'kr';

/** Characters that fonts of Chinese, Japanese and Korean are for. */
export const EAST_ASIAN =
  /[\u1100-\u11ff\u2e80-\u303f\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef\u{1aff0}-\u{1b16f}\u{20000}-\u{3ffff}]/u;

/** Punctuation that is as wide as a character in Chinese and Japanese, and narrow elsewhere. */
export const WIDE_OR_NARROW = /[\u00b7\u2014\u2018\u2019\u201c\u201d\u2026]/;
/** Dashes and dots between East Asian characters stand without them when lines are broken. */
const DASHES = /^[\u2014\u2026]+$/;

/** True if punctuation in a word is that of East Asian text. */
export const isWideText = (word: string): boolean => EAST_ASIAN.test(word) || DASHES.test(word);

const KANA = /[\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff9d]/;
const HANGUL = /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7af]/;
/** Phonetic signs that Taiwan uses. */
const BOPOMOFO = /[\u3105-\u312f\u31a0-\u31bf]/;

/** The forms of a language; undefined for one that is not written with Chinese characters. */
export function hanFormsOf(language: string): HanForms | undefined {
  const [main = '', ...rest] = language.toLowerCase().split('-');
  if (main === 'ja') return 'jp';
  if (main === 'ko') return 'kr';
  if (main !== 'zh' && main !== 'yue') return undefined;
  if (rest.includes('hans')) return 'sc';
  return main === 'yue' || rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? 'tc' : 'sc';
}

/** The forms of texts whose language nobody said; simplified Chinese where nothing speaks for another. */
export function guessHanForms(texts: readonly string[]): HanForms {
  const any = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  if (any(KANA)) return 'jp';
  if (any(HANGUL)) return 'kr';
  return any(BOPOMOFO) ? 'tc' : 'sc';
}

const FAMILIES: Readonly<Record<HanForms, string>> = {
  jp: 'noto-sans-jp',
  sc: 'noto-sans-sc',
  tc: 'noto-sans-tc',
  kr: 'noto-sans-kr',
};
/** A family of the pack: known if the pack is installed. */
export const EAST_ASIAN_FAMILY = FAMILIES.jp;
/** The nearest forms first: a character of another country is better than none. */
const NEAREST: Readonly<Record<HanForms, readonly HanForms[]>> = {
  jp: ['jp', 'sc', 'tc', 'kr'],
  sc: ['sc', 'tc', 'jp', 'kr'],
  tc: ['tc', 'sc', 'jp', 'kr'],
  kr: ['kr', 'jp', 'tc', 'sc'],
};

/** Families tried, in order, for characters of Chinese, Japanese and Korean that other families lack. */
export const eastAsianFamilies = (forms: HanForms): readonly string[] =>
  NEAREST[forms].map((one) => FAMILIES[one]);
