import equal from 'fast-deep-equal';
import type { Block, Rulebook } from './schema.ts';

/** A document with the blocks of an earlier one where they are equal: what was made of those is still true. */
export function sameBlocks(earlier: Rulebook | undefined, doc: Rulebook): Rulebook {
  if (!earlier) return doc;
  const known = new Map(earlier.blocks.map((block) => [block.id, block]));
  const same = (block: Block): Block => {
    const before = known.get(block.id);
    if (before && equal(before, block)) return before;
    if (block.type !== 'columns' || before?.type !== 'columns') return block;
    return {
      ...block,
      blocks: sameBlocks({ ...doc, blocks: before.blocks }, { ...doc, blocks: block.blocks }).blocks,
    };
  };
  return { ...doc, blocks: doc.blocks.map(same) };
}
