import { absentCards, sharedNames } from '../cards/cards-check.ts';
import { LIMITS } from '../document/limits.ts';
import type { Block, NoTerm, Rulebook } from '../document/schema.ts';
import { allBlocks, inlinesOf, plainText } from '../document/walk.ts';
import type { Flowed } from '../paging/flow.ts';
import { wordsPattern } from '../references/index-terms.ts';
import { EVERYWHERE, placeOfCard, termsAt } from '../references/no-terms.ts';
import type { Project } from '../typesetting/context.ts';
import { countFindings } from './counts-check.ts';
import { outdatedExamples } from './examples-check.ts';
import { hardChapters } from './readability.ts';

export type CheckCode =
  | 'term-undefined'
  | 'term-unused'
  | 'forbidden-word'
  | 'dead-reference'
  | 'component-unmentioned'
  | 'icon-unexplained'
  | 'card-absent'
  | 'card-shared'
  | 'example-outdated'
  | 'count-differs'
  | 'long-sentence'
  | 'hard-to-read'
  | 'page';

/** A finding, with the block to jump to; null where it concerns the project. */
export interface Finding {
  readonly code: CheckCode;
  readonly block: string | null;
  /** Names the fault and the remedy. */
  readonly message: string;
  /** Words that can be replaced at once: on a card if it is named, else in the block. */
  readonly replace?: {
    readonly words: string;
    readonly by: string;
    readonly card?: CardPlace;
  };
  /** A card of the project that can take the place of one that is gone. */
  readonly exchange?: { readonly from: string; readonly to: string };
  /** The block is an example of which the writer may say that it still holds. */
  readonly holds?: boolean;
  /** Words of which the designer may say that they are no term there. */
  readonly noTerm?: NoTerm;
}

/** A card by its id and its component's. */
export interface CardPlace {
  readonly component: string;
  readonly card: string;
}

/** The text of a card and the icons on it. */
export interface CardText {
  readonly name: string;
  /** Another name that means it, where its name is that of several. */
  readonly also?: string;
  readonly place?: CardPlace;
  readonly text: string;
  readonly icons: readonly string[];
}

export interface CheckInput {
  readonly doc: Rulebook;
  readonly project: Project;
  readonly cards: readonly CardText[];
  /** The set pages, for what only they show. */
  readonly flowed: Flowed | null;
}

/** A word that stands on so many cards with a capital inside a sentence is taken for a term. */
const CARDS_OF_A_TERM = 3;
/** Longest sentence that players read without a second try, in words. */
const MAX_SENTENCE_WORDS = 30;

/** Compares a rulebook with itself and with its project. */
export function checkRulebook(input: CheckInput): Finding[] {
  const blocks = [...allBlocks(input.doc.blocks)].map((block) => ({ block, text: textOf(block) }));
  return [
    ...undefinedTerms(input),
    ...terms(input, blocks),
    ...deadReferences(blocks),
    ...absentCards(input.doc.blocks, input.project).map(
      ({ block, name, message, instead }): Finding => ({
        code: 'card-absent',
        block,
        message,
        ...(instead !== undefined && { exchange: { from: name, to: instead } }),
      }),
    ),
    ...sharedNames(input.doc.blocks, input.project).map(
      ({ block, name, message, instead }): Finding => ({
        code: 'card-shared',
        block,
        message,
        exchange: { from: name, to: instead },
      }),
    ),
    ...outdatedExamples(input.doc.blocks, input.cards),
    ...unmentioned(input, blocks),
    ...icons(input, blocks),
    ...countFindings(input.doc, input.project),
    ...longSentences(input.doc, blocks),
    ...hardChapters(input.doc),
    ...(input.flowed?.issues ?? [])
      .filter(({ code }) => code !== 'dead-reference' && !(code === 'missing-card' && input.project.absent))
      .map(({ block, message }): Finding => ({ code: 'page', block, message })),
  ];
}

interface Read {
  readonly block: Block;
  readonly text: string;
}

const textOf = (block: Block): string => inlinesOf(block).map(plainText).join('\n');

/** Words with a capital inside a sentence on several cards, without a definition. */
function undefinedTerms({ doc, cards }: CheckInput): Finding[] {
  const known = new Set<string>();
  const wordsAt = termsAt(doc);
  for (const block of allBlocks(doc.blocks)) {
    if (block.type !== 'definition') continue;
    for (const word of [block.term, ...block.variants]) known.add(word.trim().toLowerCase());
  }
  for (const { name } of cards) known.add(name.toLowerCase());
  const counts = new Map<string, number>();
  for (const { text } of cards) {
    for (const word of new Set(text.match(/(?<=[\p{Ll}\p{N},;] )\p{Lu}[\p{L}’'-]{2,}/gu) ?? [])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([word, count]) => count >= CARDS_OF_A_TERM && !known.has(word.toLowerCase()))
    .filter(([word]) => wordsAt([word], EVERYWHERE).length > 0)
    .map(([word, count]) => ({
      code: 'term-undefined',
      block: null,
      message: `${word} is on ${count} cards and not defined: add a definition, or mark it as not a term.`,
      noTerm: { words: word, at: EVERYWHERE },
    }));
}

function terms({ doc, cards }: CheckInput, blocks: readonly Read[]): Finding[] {
  const findings: Finding[] = [];
  const wordsAt = termsAt(doc);
  for (const { block } of blocks) {
    if (block.type !== 'definition') continue;
    const pattern = wordsPattern([block.term, ...block.variants]);
    const used =
      blocks.some((one) => one.block !== block && pattern?.test(one.text)) ||
      cards.some(({ text }) => pattern?.test(text));
    if (!used) {
      const message = `${block.term.trim()} is defined and used neither in the text nor on a card: use it, or remove it.`;
      findings.push({ code: 'term-unused', block: block.id, message });
    }
    const forbidden = wordsPattern(block.forbidden);
    if (!forbidden) continue;
    const foundIn = (text: string, at: string): string | undefined => {
      const left = wordsAt(block.forbidden, at);
      return (left === block.forbidden ? forbidden : wordsPattern(left))?.exec(text)?.[0];
    };
    for (const one of blocks) {
      const found = foundIn(one.text, one.block.id);
      if (found) findings.push(forbiddenWord(one.block.id, found, block.term, 'This text', undefined));
    }
    for (const card of cards) {
      const found = foundIn(card.text, card.place ? placeOfCard(card.place) : EVERYWHERE);
      if (found) findings.push(forbiddenWord(null, found, block.term, `The card ${card.name}`, card.place));
    }
  }
  return findings;
}

function forbiddenWord(
  block: string | null,
  words: string,
  term: string,
  where: string,
  card: CardPlace | undefined,
): Finding {
  const by = term.trim();
  const message = `${where} says ${words}; the term is ${by}.`;
  const at = block ?? (card && placeOfCard(card));
  return {
    code: 'forbidden-word',
    block,
    message,
    ...(at !== undefined && { replace: { words, by, ...(card && { card }) }, noTerm: { words, at } }),
  };
}

function deadReferences(blocks: readonly Read[]): Finding[] {
  const ids = new Set(blocks.map(({ block }) => block.id));
  return blocks.flatMap(({ block }) =>
    inlinesOf(block)
      .flat()
      .flatMap((inline): Finding[] => {
        const target =
          inline.type === 'reference' ? inline.block : inline.type === 'term' ? inline.definition : undefined;
        if (target === undefined || ids.has(target)) return [];
        const message = `The block ${target} that this text refers to is gone: point the reference elsewhere or remove it.`;
        return [{ code: 'dead-reference', block: block.id, message }];
      }),
  );
}

function unmentioned({ project }: CheckInput, blocks: readonly Read[]): Finding[] {
  if (blocks.some(({ block }) => block.type === 'live' && block.show === 'components')) return [];
  return project.components
    .filter(({ name }) => {
      const pattern = wordsPattern([name]);
      return !blocks.some(({ text }) => pattern?.test(text));
    })
    .slice(0, LIMITS.names)
    .map(({ name }) => ({
      code: 'component-unmentioned',
      block: null,
      message: `The component ${name} is in the box and not in the rulebook: mention it, or insert the list of components.`,
    }));
}

function icons({ cards }: CheckInput, blocks: readonly Read[]): Finding[] {
  if (blocks.some(({ block }) => block.type === 'live' && block.show === 'icons')) return [];
  const explained = new Set(
    blocks.flatMap(({ block }) =>
      inlinesOf(block)
        .flat()
        .flatMap((inline) => (inline.type === 'icon' ? [inline.name] : [])),
    ),
  );
  const missing = new Set(cards.flatMap((card) => card.icons.filter((name) => !explained.has(name))));
  return [...missing].map((name) => ({
    code: 'icon-unexplained',
    block: null,
    message: `The icon ${name} is on cards and not in the rulebook: explain it, or insert the legend of icons.`,
  }));
}

/** Words of the longest sentence of blocks, by the language that they were counted in. */
const longest = new WeakMap<Block, { readonly language: string; readonly words: number }>();

function longSentences({ language }: Rulebook, blocks: readonly Read[]): Finding[] {
  const sentences = new Intl.Segmenter(language, { granularity: 'sentence' });
  const words = new Intl.Segmenter(language, { granularity: 'word' });
  const length = (text: string): number =>
    [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length;
  const longestIn = ({ block, text }: Read): number => {
    const known = longest.get(block);
    if (known?.language === language) return known.words;
    const found = Math.max(0, ...[...sentences.segment(text)].map(({ segment }) => length(segment)));
    longest.set(block, { language, words: found });
    return found;
  };
  return blocks.flatMap((one): Finding[] => {
    const most = one.block.type === 'table' ? 0 : longestIn(one);
    if (most <= MAX_SENTENCE_WORDS) return [];
    const message = `A sentence has ${most} words: divide it, ${MAX_SENTENCE_WORDS} are easy to read.`;
    return [{ code: 'long-sentence', block: one.block.id, message }];
  });
}
