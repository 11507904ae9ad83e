/** Names that people chose, for the middle of sentences: none moves what stands beside it. */

/** Embeddings, overrides and isolates: they turn what follows a name too. Marks of direction do not, and stay. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Letters that are read from right to left. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const [BEGIN, END] = ['\u2068', '\u2069'];

/** A name without characters that turn the text around it. */
export const withoutTurns = (name: string): string => name.replace(TURNING, '');

/** A name in a sentence that is one string. Only for what is shown: the marks around it must not be stored. */
export function isolated(name: string): string {
  const plain = withoutTurns(name);
  return LEFTWARDS.test(plain) ? `${BEGIN}${plain}${END}` : plain;
}
