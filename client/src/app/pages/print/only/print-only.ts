import { useMemo } from 'react';
import { useLocation } from 'react-router';

/** Cards that a link to this page asks for, and no others. */
export interface PrintOnly {
  /** Ids. */
  readonly cards: readonly string[];
  /** Words that go after “cards”: `that changed since v0.7`. */
  readonly words: string;
}

const WORDS = 'only';
const CARDS = 'cards';

/**
 * End of the address of the page that prints some cards only. It stands in the address, so that a page that is loaded
 * anew, or opened in another window, prints no others; behind the `#`, because it may be longer than what servers take.
 */
export const printOnlyHash = ({ cards, words }: PrintOnly): string =>
  `#${new URLSearchParams({ [WORDS]: words, [CARDS]: cards.join(' ') })}`;

/** The cards that an address asks for; `undefined` for all. */
export function readPrintOnly(hash: string): PrintOnly | undefined {
  const found = new URLSearchParams(hash.replace(/^#/, ''));
  const [words, cards] = [found.get(WORDS), found.get(CARDS)];
  if (words === null || cards === null) return undefined;
  return { words, cards: cards.split(' ').filter((id) => id !== '') };
}

/** The cards that the address of this page asks for; `undefined` for all. */
export function usePrintOnly(): PrintOnly | undefined {
  const { hash } = useLocation();
  return useMemo(() => readPrintOnly(hash), [hash]);
}
