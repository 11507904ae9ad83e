import type { Block, Inline, Rulebook } from './schema.ts';

/** Every block in reading order, containers before the blocks inside them. */
export function* allBlocks(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    if (block.type === 'callout' || block.type === 'columns') yield* allBlocks(block.blocks);
    else if (block.type === 'list') for (const item of block.items) yield* allBlocks(item.blocks);
  }
}

/** The inlines of a block itself, not of the blocks inside it. */
export function inlinesOf(block: Block): readonly (readonly Inline[])[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
    case 'rule':
    case 'definition':
      return [block.content];
    case 'table':
      return [block.caption, ...block.rows.flat()];
    case 'figure':
    case 'cards':
      return [block.caption];
    default:
      return [];
  }
}

/** The text as typed: references and values are not in it. */
export function plainText(content: readonly Inline[]): string {
  return content.map(wordsOf).join('');
}

function wordsOf(inline: Inline): string {
  switch (inline.type) {
    case 'text':
    case 'term':
      return inline.text;
    case 'card':
      return inline.name;
    case 'break':
      return '\n';
    default:
      return '';
  }
}

/** Everything that setting a top-level block takes of fonts: its characters, each once, and its formulas. */
interface BlockNeeds {
  readonly characters: string;
  readonly formulas: readonly string[];
}

/** Between two flows of a document most blocks stay the same objects. */
const needs = new WeakMap<Block, BlockNeeds>();

function needsOf(top: Block): BlockNeeds {
  const known = needs.get(top);
  if (known) return known;
  const texts: string[] = [];
  const formulas: string[] = [];
  for (const block of allBlocks([top])) {
    for (const content of inlinesOf(block)) {
      texts.push(plainText(content));
      for (const inline of content) if (inline.type === 'value') formulas.push(inline.formula);
    }
    if (block.type === 'definition') texts.push(block.term);
    if (block.type === 'callout') texts.push(block.title);
  }
  const made = { characters: [...new Set(texts.join(''))].join(''), formulas };
  needs.set(top, made);
  return made;
}

/** Every character that setting the document as typed may need. */
export const charactersOf = ({ title, subtitle, blocks }: Rulebook): string =>
  [title, subtitle, ...blocks.map((block) => needsOf(block).characters)].join('');

/** The formulas of the values that a document shows. */
export const formulasIn = ({ blocks }: Rulebook): string[] =>
  blocks.flatMap((block) => needsOf(block).formulas);
