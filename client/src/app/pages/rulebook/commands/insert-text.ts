import { closeHistory } from 'prosemirror-history';
import { Fragment, Slice } from 'prosemirror-model';
import { type EditorState, Selection, type Transaction } from 'prosemirror-state';
import type { Block } from '../../../../core/book/document/schema.ts';
import { withNewIds } from '../../../../core/book/document/with-new-ids.ts';
import { toProse } from '../../../../core/book/prose/convert.ts';
import { proseSchema } from '../../../../core/book/prose/schema.ts';
import { partsOf } from '../../../../core/book/prose/steps.ts';
import { newBlockId } from '../state/editor-state.ts';

/**
 * Puts a whole text below the block of the page that the cursor is in, or in place of that one if it is an empty
 * paragraph. It comes in parts that each fit into a stored step; undo takes it back as one.
 */
export function withText(state: EditorState, blocks: readonly Block[]): Transaction {
  const { doc, selection } = state;
  const index = Math.min(selection.$from.index(0), doc.childCount - 1);
  const block = doc.child(index);
  const start = selection.$from.posAtIndex(index, 0);
  const empty = block.type === proseSchema.nodes.paragraph && block.content.size === 0;
  const tr = closeHistory(state.tr);
  const first = empty ? start : start + block.nodeSize;
  let from = first;
  let to = start + block.nodeSize;
  for (const part of partsOf(toProse(withNewIds(blocks, newBlockId)).content.content)) {
    const content = Fragment.from(part);
    tr.replace(from, to, new Slice(content, 0, 0));
    from += content.size;
    to = from;
  }
  return tr
    .setSelection(Selection.near(tr.doc.resolve(Math.min(first + 1, tr.doc.content.size))))
    .scrollIntoView();
}
