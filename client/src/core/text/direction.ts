/** Letters that are read from right to left. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** True if a text has letters that are read from right to left. */
export const hasLeftwards = (text: string): boolean => LEFTWARDS.test(text);

/** Scripts that run right to left, as ISO 15924 has them. */
const RIGHT_TO_LEFT_SCRIPTS = ['arab', 'hebr', 'syrc', 'thaa', 'nkoo', 'adlm', 'rohg'];
/** Languages that are written in one of them unless their tag says otherwise. */
const RIGHT_TO_LEFT = [
  'ar',
  'arc',
  'ckb',
  'dv',
  'fa',
  'he',
  'ks',
  'nqo',
  'ps',
  'sd',
  'syr',
  'ug',
  'ur',
  'yi',
];

/** True if a language, by its BCP 47 tag, is written from right to left. */
export function runsRightToLeft(language: string): boolean {
  const [main = '', ...rest] = language.toLowerCase().split('-');
  const script = rest.find((part) => /^[a-z]{4}$/.test(part));
  return script === undefined ? RIGHT_TO_LEFT.includes(main) : RIGHT_TO_LEFT_SCRIPTS.includes(script);
}
