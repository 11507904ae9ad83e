import { orEmpty } from './fitting-blocks.ts';
import type { Block, Inline, ListItem } from './schema.ts';

/** Blocks whose figures have other sources. Of a figure without one the words stay, as a paragraph. */
export function withSources(blocks: readonly Block[], sources: ReadonlyMap<string, string>): Block[] {
  return blocks.flatMap((block): Block[] => {
    switch (block.type) {
      case 'figure': {
        const source = sources.get(block.source);
        if (source !== undefined) return [{ ...block, source }];
        const alt: Inline[] = block.alt === '' ? [] : [{ type: 'text', text: block.alt }];
        const content = block.caption.length > 0 ? block.caption : alt;
        return content.length > 0 ? [{ type: 'paragraph', id: block.id, content }] : [];
      }
      case 'callout':
      case 'columns':
        return [{ ...block, blocks: orEmpty(withSources(block.blocks, sources), block.id) }];
      case 'list':
        return [
          {
            ...block,
            items: block.items.map(
              (item): ListItem => ({ ...item, blocks: orEmpty(withSources(item.blocks, sources), item.id) }),
            ),
          },
        ];
      default:
        return [block];
    }
  });
}
