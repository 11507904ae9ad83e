import type { Block, Inline } from './schema.ts';

/** A container has one block at least. */
export const orEmpty = (blocks: Block[], id: string): Block[] =>
  blocks.length > 0 ? blocks : [{ type: 'paragraph', id: `${id.slice(0, 32)}-e`, content: [] }];

/** Text between cells that stand in one line. */
const GAP: Inline = { type: 'text', text: ' · ' };

/** Cells in one line. */
export const inOneLine = (cells: readonly (readonly Inline[])[]): Inline[] =>
  cells.flatMap((cell, at) => (at > 0 ? [GAP, ...cell] : cell));
