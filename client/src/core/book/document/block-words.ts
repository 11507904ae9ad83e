import type { Block, Live } from './schema.ts';
import { allBlocks, inlinesOf, plainText } from './walk.ts';

/** Characters of a block that tell it from others. */
const SHOWN = 40;

const LIVE: Readonly<Record<Live['show'], string>> = {
  contents: 'the table of contents',
  glossary: 'the glossary',
  index: 'the index',
  components: 'the list of components',
  icons: 'the legend of icons',
  setup: 'the set-up picture',
};

/** The first words of a text, in quotation marks. */
export function quoted(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim();
  return `“${words.length > SHOWN ? `${words.slice(0, SHOWN).trimEnd()}…` : words}”`;
}

/** The words of a block itself, of a container those of all that is in it. */
function textOf(block: Block): string {
  const own = inlinesOf(block).map(plainText).join(' ');
  if (block.type === 'list') return block.items.flatMap(({ blocks }) => blocks.map(textOf)).join(' ');
  if (block.type === 'callout') return [block.title, ...block.blocks.map(textOf)].join(' ');
  if (block.type === 'columns') return block.blocks.map(textOf).join(' ');
  return block.type === 'definition' ? `${block.term} ${own}` : own;
}

/** A block by its first words; by what it shows where it has none. */
export function blockWords(block: Block): string {
  const text = textOf(block).trim();
  if (text !== '') return quoted(text);
  switch (block.type) {
    case 'live':
      return LIVE[block.show];
    case 'figure':
      return block.alt.trim() === '' ? 'a picture' : `the picture of ${quoted(block.alt)}`;
    case 'cards':
      return `the row of cards ${quoted(block.names.join(', '))}`;
    case 'table':
      return 'an empty table';
    default:
      return `an empty ${block.type}`;
  }
}

/** The place of a block in words: its first words, and the heading that it stands below. */
export function blockPlace(blocks: readonly Block[], id: string): string | undefined {
  let heading: Block | undefined;
  for (const block of allBlocks(blocks)) {
    const found = block.id === id || (block.type === 'list' && block.items.some((item) => item.id === id));
    if (found) {
      const words = blockWords(block);
      return block.type === 'heading'
        ? `the heading ${words}`
        : heading
          ? `${words}, below the heading ${blockWords(heading)}`
          : words;
    }
    if (block.type === 'heading') heading = block;
  }
  return undefined;
}
