import { escapePattern } from '../text/escape-pattern.ts';
import { termsAt } from './no-terms.ts';
import type { Definition, Rulebook } from './schema.ts';
import { allBlocks, inlinesOf, plainText } from './walk.ts';

/** A defined term and the blocks that use it. */
export interface TermUse {
  readonly definition: Definition;
  /** Ids of the blocks, in reading order, the definition itself left out. */
  readonly blocks: readonly string[];
}

/** A pattern for whole words, in any case; undefined without words. */
export function wordsPattern(words: readonly string[]): RegExp | undefined {
  const given = words.map((word) => word.trim()).filter((word) => word !== '');
  if (given.length === 0) return undefined;
  const escaped = given.map((word) => escapePattern(word).replace(/\s+/g, '\\s+'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}

/** Stretches of letters and digits, in one case: those that a search in any case takes for the same are the same. */
const runsOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((run) => run.toLowerCase().toUpperCase());

/** Finds texts that have one of several words. Only where all runs of a word stand the pattern is tried. */
function wordsIn(words: readonly string[]): (text: string, runs: ReadonlySet<string>) => boolean {
  const pattern = wordsPattern(words);
  if (!pattern) return () => false;
  const wanted = words.filter((word) => word.trim() !== '').map(runsOf);
  return (text, runs) => wanted.some((word) => word.every((run) => runs.has(run))) && pattern.test(text);
}

/** The terms of a document in the order of its language, with their uses. */
export function termUses(doc: Rulebook): TermUse[] {
  const texts = [...allBlocks(doc.blocks)].map((block) => {
    const text = inlinesOf(block).map(plainText).join('\n');
    const linked = new Set(
      inlinesOf(block).flatMap((content) =>
        content.flatMap((inline) => (inline.type === 'term' ? [inline.definition] : [])),
      ),
    );
    return { block, linked, text, runs: new Set(runsOf(text)) };
  });
  const definitions = texts.flatMap(({ block }) => (block.type === 'definition' ? [block] : []));
  const wordsAt = termsAt(doc);
  const order = new Intl.Collator(doc.language);
  return definitions
    .map((definition) => {
      const words = [definition.term, ...definition.variants];
      const isAnywhere = wordsIn(words);
      const isIn = (block: string, text: string, runs: ReadonlySet<string>): boolean => {
        const left = wordsAt(words, block);
        return (left === words ? isAnywhere : wordsIn(left))(text, runs);
      };
      const blocks = texts
        .filter(({ block, linked, text, runs }) => {
          return block !== definition && (linked.has(definition.id) || isIn(block.id, text, runs));
        })
        .map(({ block }) => block.id);
      return { definition, blocks };
    })
    .sort((a, b) => order.compare(a.definition.term, b.definition.term));
}

/** Page numbers in rising order, neighbours joined: `3, 7–9`. */
export function pageList(pages: readonly number[]): string {
  const sorted = [...new Set(pages)].sort((a, b) => a - b);
  const spans: [number, number][] = [];
  for (const page of sorted) {
    const last = spans.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else spans.push([page, page]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
