import { undo } from 'prosemirror-history';
import { expect, test } from 'vitest';
import type { Block } from '../../../../core/book/document/schema.ts';
import { blocksOfProse, toProse } from '../../../../core/book/prose/convert.ts';
import { editorState } from '../state/editor-state.ts';
import { replaceCard } from './replace-card.ts';

const blocks: Block[] = [
  { type: 'cards', id: 'row', names: ['Ebb', 'Neap', 'Ebb'], caption: [{ type: 'card', name: 'Ebb' }] },
  {
    type: 'paragraph',
    id: 'text',
    content: [
      { type: 'text', text: 'Take ' },
      { type: 'card', name: 'Ebb' },
    ],
  },
];

test('a card is replaced everywhere in its block and in no other, and one undo takes it back', () => {
  let state = editorState(toProse(blocks), 'a');
  const apply = (tr: Parameters<typeof state.apply>[0]) => {
    state = state.apply(tr);
  };
  expect(replaceCard('row', 'Ebb', 'Flood')(state, apply)).toBe(true);
  expect(blocksOfProse(state.doc)).toEqual([
    {
      ...blocks[0],
      names: ['Flood', 'Neap', 'Flood'],
      caption: [{ type: 'card', name: 'Flood' }],
    },
    blocks[1],
  ]);
  undo(state, apply);
  expect(blocksOfProse(state.doc)).toEqual(blocks);
  expect(replaceCard('text', 'Ebb', 'Flood')(state, apply)).toBe(true);
  expect(blocksOfProse(state.doc)[1]).toMatchObject({ content: [{ text: 'Take ' }, { name: 'Flood' }] });
  for (const [block, name] of [
    ['text', 'Neap'],
    ['gone', 'Ebb'],
  ] as const) {
    expect(replaceCard(block, name, 'Flood')(state, apply)).toBe(false);
  }
});
