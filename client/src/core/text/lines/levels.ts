import bidiFactory, { type Bidi } from 'bidi-js';
import type { TextStyle } from '../../scene/style/text-style.ts';

/** Bidirectional levels of a paragraph's characters (UAX #9). */
export interface Levels {
  /** 0 for a paragraph that runs left to right, 1 for one that runs right to left. */
  readonly base: 0 | 1;
  at(index: number): number;
}

const LEFT_TO_RIGHT: Levels = { base: 0, at: () => 0 };
/** Letters, digits and marks that run right to left, or ask others to. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

let bidi: Bidi | undefined;

export function levelsOf(text: string, direction: TextStyle['direction']): Levels {
  if (direction !== 'rtl' && !RIGHT_TO_LEFT.test(text)) return LEFT_TO_RIGHT;
  bidi ??= bidiFactory();
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, direction === 'auto' ? undefined : direction);
  const base = (paragraphs[0]?.level ?? 0) % 2 === 1 ? 1 : 0;
  return { base, at: (index) => levels[index] ?? base };
}

/** Items of a line as they are seen, left to right, by their levels (rule L2). */
export function visualOrder<T extends { readonly level: number }>(items: readonly T[]): T[] {
  const order = [...items];
  const levels = items.map(({ level }) => level);
  const highest = Math.max(0, ...levels);
  const lowestOdd = Math.min(...levels.filter((level) => level % 2 === 1), highest + 1);
  for (let level = highest; level >= lowestOdd; level--) {
    for (let start = 0; start < order.length; start++) {
      if ((order[start]?.level ?? 0) < level) continue;
      let end = start;
      while (end + 1 < order.length && (order[end + 1]?.level ?? 0) >= level) end++;
      order.splice(start, end - start + 1, ...order.slice(start, end + 1).reverse());
      start = end;
    }
  }
  return order;
}
