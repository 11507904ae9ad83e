import { inOneLine, orEmpty } from '../document/fitting-blocks.ts';
import { type Block, type Inline, type ListItem, TOP_LEVEL_ONLY } from '../document/schema.ts';

type Inside = 'page' | keyof typeof TOP_LEVEL_ONLY;

/** Blocks as they may stand in each place of a rulebook: what may not becomes text, and none of its words goes. */
export function fitting(blocks: readonly Block[], inside: Inside = 'page'): Block[] {
  return blocks.flatMap((block) => fitted(block, inside));
}

function fitted(block: Block, inside: Inside): Block[] {
  if (inside !== 'page' && TOP_LEVEL_ONLY[inside].includes(block.type)) return asText(block, inside);
  switch (block.type) {
    case 'list':
      return [{ ...block, items: block.items.map(itemOf) }];
    case 'callout':
      return [{ ...block, blocks: orEmpty(fitting(block.blocks, 'callout'), block.id) }];
    case 'columns':
      return [{ ...block, blocks: orEmpty(fitting(block.blocks, 'columns'), block.id) }];
    default:
      return [block];
  }
}

const itemOf = ({ id, blocks }: ListItem): ListItem => ({ id, blocks: orEmpty(fitting(blocks, 'item'), id) });

function asText(block: Block, inside: Inside): Block[] {
  const paragraph = (content: readonly Inline[], n = 0): Block => ({
    type: 'paragraph',
    id: n === 0 ? block.id : `${block.id.slice(0, 32)}-${n}`,
    content: [...content],
  });
  switch (block.type) {
    case 'heading':
      return [paragraph(block.content.map(strong))];
    case 'rule':
      return [paragraph(block.content)];
    case 'definition':
      return [paragraph([strong({ type: 'text', text: `${block.term} ` }), ...block.content])];
    case 'callout':
    case 'columns':
      return fitting(block.blocks, inside);
    case 'table':
      return block.rows.map((cells, n) => paragraph(inOneLine(cells), n));
    default:
      return [];
  }
}

const strong = (inline: Inline): Inline =>
  inline.type === 'text'
    ? { ...inline, marks: ['strong', ...(inline.marks?.includes('emphasis') ? (['emphasis'] as const) : [])] }
    : inline;
