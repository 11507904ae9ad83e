import type { Block, Inline, ListItem } from '../schema.ts';

type Inside = 'page' | 'item' | 'callout' | 'columns';

/** Blocks as they may stand in each place of a rulebook: what may not becomes text, and none of its words goes. */
export function fitting(blocks: readonly Block[], inside: Inside = 'page'): Block[] {
  const fit = blocks.flatMap((block) => fitted(block, inside));
  return fit.length > 0 || inside === 'page' ? fit : [];
}

const REFUSED: Readonly<Record<Inside, readonly Block['type'][]>> = {
  page: [],
  item: ['heading', 'columns', 'pageBreak', 'live', 'callout', 'table', 'definition', 'rule'],
  callout: ['heading', 'columns', 'pageBreak', 'live', 'callout', 'definition', 'rule'],
  columns: ['columns', 'pageBreak'],
};

function fitted(block: Block, inside: Inside): Block[] {
  if (REFUSED[inside].includes(block.type)) return asText(block, inside);
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

/** A container has one block at least. */
const orEmpty = (blocks: Block[], id: string): Block[] =>
  blocks.length > 0 ? blocks : [{ type: 'paragraph', id: `${id.slice(0, 32)}-e`, content: [] }];

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
      return block.rows.map((cells, n) =>
        paragraph(
          cells.flatMap((cell, at) => (at > 0 ? [GAP, ...cell] : cell)),
          n,
        ),
      );
    default:
      return [];
  }
}

const GAP: Inline = { type: 'text', text: ' · ' };

const strong = (inline: Inline): Inline =>
  inline.type === 'text'
    ? { ...inline, marks: ['strong', ...(inline.marks?.includes('emphasis') ? (['emphasis'] as const) : [])] }
    : inline;
