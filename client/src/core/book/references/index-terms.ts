import { escapePattern } from '../../text/escape-pattern.ts';
import type { Block, Definition, Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import { termsAt } from './no-terms.ts';

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

/** A block's own text, and the definitions that its terms lead to. */
interface BlockText {
  readonly block: Block;
  readonly text: string;
  readonly runs: ReadonlySet<string>;
  readonly linked: ReadonlySet<string>;
  /** True for words that were found in it, false for those that were not. */
  readonly found: Map<string, boolean>;
}

/** Between two flows of a document most blocks stay the same objects. */
const texts = new WeakMap<Block, BlockText>();

function textOf(block: Block): BlockText {
  const known = texts.get(block);
  if (known) return known;
  const contents = inlinesOf(block);
  const text = contents.map(plainText).join('\n');
  const linked = contents.flatMap((content) =>
    content.flatMap((inline) => (inline.type === 'term' ? [inline.definition] : [])),
  );
  const made = { block, text, runs: new Set(runsOf(text)), linked: new Set(linked), found: new Map() };
  texts.set(block, made);
  return made;
}

/** A test for texts that have one of several words. Only where all runs of a word stand the pattern is tried. */
function wordsIn(words: readonly string[]): (text: BlockText) => boolean {
  const pattern = wordsPattern(words);
  if (!pattern) return () => false;
  const wanted = words.filter((word) => word.trim() !== '').map(runsOf);
  const key = words.join('\n');
  return ({ text, runs, found }) => {
    const known =
      found.get(key) ?? (wanted.some((word) => word.every((run) => runs.has(run))) && pattern.test(text));
    found.set(key, known);
    return known;
  };
}

/** Finds the texts that may use a definition, in order: those that link to it, or have a run of one of its words. */
function candidates(
  all: readonly BlockText[],
): (id: string, words: readonly string[]) => readonly BlockText[] {
  const byRun = new Map<string, number[]>();
  const byLink = new Map<string, number[]>();
  const add = (to: Map<string, number[]>, key: string, at: number) => {
    const list = to.get(key);
    if (list) list.push(at);
    else to.set(key, [at]);
  };
  for (const [at, { runs, linked }] of all.entries()) {
    for (const run of runs) add(byRun, run, at);
    for (const id of linked) add(byLink, id, at);
  }
  return (id, words) => {
    const firsts = words.filter((word) => word.trim() !== '').map((word) => runsOf(word)[0]);
    // Words of signs alone may stand anywhere.
    if (firsts.includes(undefined)) return all;
    const found = [byLink.get(id), ...firsts.map((run) => byRun.get(run ?? ''))];
    return [...new Set(found.flatMap((list) => list ?? []))]
      .sort((a, b) => a - b)
      .flatMap((at) => all[at] ?? []);
  };
}

/** The terms of a document in the order of its language, with their uses. */
export function termUses(doc: Rulebook): TermUse[] {
  const all = [...allBlocks(doc.blocks)].map(textOf);
  const near = candidates(all);
  const definitions = all.flatMap(({ block }) => (block.type === 'definition' ? [block] : []));
  const wordsAt = termsAt(doc);
  const order = new Intl.Collator(doc.language);
  return definitions
    .map((definition) => {
      const words = [definition.term, ...definition.variants];
      const isAnywhere = wordsIn(words);
      const isIn = (one: BlockText): boolean => {
        const left = wordsAt(words, one.block.id);
        return (left === words ? isAnywhere : wordsIn(left))(one);
      };
      const blocks = near(definition.id, words)
        .filter((one) => one.block !== definition && (one.linked.has(definition.id) || isIn(one)))
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
