import { hasLeftwards } from './direction.ts';

/** Names that people chose, for the middle of sentences: none moves what stands beside it. */

/** Embeddings, overrides and isolates: they turn what follows a name too. Marks of direction do not, and stay. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

const [BEGIN, END] = ['\u2068', '\u2069'];

/** A name without characters that turn the text around it. */
export const withoutTurns = (name: string): string => name.replace(TURNING, '');

/** A name in a sentence that is one string. Only for what is shown: the marks around it must not be stored. */
export function isolated(name: string): string {
  const plain = withoutTurns(name);
  return hasLeftwards(plain) ? `${BEGIN}${plain}${END}` : plain;
}
