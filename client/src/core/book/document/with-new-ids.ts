import type { Block, Inline } from './schema.ts';
import { allBlocks } from './walk.ts';

/** Blocks with ids that no other text has; what refers to one of them still does. */
export function withNewIds(blocks: readonly Block[], newId: () => string): Block[] {
  const ids = new Map(Array.from(allBlocks(blocks), ({ id }) => [id, newId()]));
  // References may point outside of these blocks.
  const idOf = (id: string): string => ids.get(id) ?? id;
  const inlines = (content: readonly Inline[]): Inline[] =>
    content.map((inline) => {
      if (inline.type === 'reference') return { ...inline, block: idOf(inline.block) };
      if (inline.type !== 'term') return inline;
      return { ...inline, definition: idOf(inline.definition) };
    });
  const renamed = (block: Block): Block => {
    const id = idOf(block.id);
    switch (block.type) {
      case 'list':
        return {
          ...block,
          id,
          items: block.items.map((item) => ({ id: newId(), blocks: item.blocks.map(renamed) })),
        };
      case 'callout':
      case 'columns':
        return { ...block, id, blocks: block.blocks.map(renamed) };
      case 'table': {
        const rows = block.rows.map((row) => row.map(inlines));
        return { ...block, id, caption: inlines(block.caption), rows };
      }
      case 'figure':
      case 'cards':
        return { ...block, id, caption: inlines(block.caption) };
      case 'pageBreak':
      case 'live':
        return { ...block, id };
      default:
        return { ...block, id, content: inlines(block.content) };
    }
  };
  return blocks.map(renamed);
}
