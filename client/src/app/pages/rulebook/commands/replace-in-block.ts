import type { Command } from 'prosemirror-state';
import { replacements } from '../../../../core/book/checks/replace-words.ts';
import { proseSchema } from '../../../../core/book/prose/schema.ts';
import { positionOf } from '../state/block-places.ts';

/** Replaces words in a block, with the marks that they have. Words of which a part is set otherwise stay. */
export const replaceInBlock =
  (block: string, words: string, by: string): Command =>
  (state, dispatch) => {
    const at = positionOf(state, block);
    const node = at === undefined ? null : state.doc.nodeAt(at);
    if (at === undefined || !node) return false;
    const { tr } = state;
    node.descendants((child, offset) => {
      if (!child.isText || !child.text) return;
      const start = tr.mapping.map(at + 1 + offset);
      // From the end, so that the places before stay where they are.
      for (const one of [...replacements(child.text, words, by)].reverse()) {
        tr.replaceWith(start + one.from, start + one.to, proseSchema.text(one.text, child.marks));
      }
    });
    if (!tr.docChanged) return false;
    dispatch?.(tr);
    return true;
  };
