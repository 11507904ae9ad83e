import { NodeSelection, type Command as ProseCommand } from 'prosemirror-state';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import { proseSchema } from '../../../../core/book/prose/schema.ts';
import { blockAtCursor } from '../state/block-places.ts';
import { changeNoTerm } from '../state/no-terms.ts';

/** Says that the selected words are no term in their block. A linked term becomes the words alone. */
export const noTermHere: ProseCommand = (state, dispatch) => {
  const { selection, doc } = state;
  const { $from, $to, from, to } = selection;
  const linked = selection instanceof NodeSelection && selection.node.type.name === 'term';
  const words = linked
    ? String(selection.node.attrs.text)
    : $from.sameParent($to) && $from.parent.inlineContent
      ? doc.textBetween(from, to).trim()
      : '';
  const at = blockAtCursor(state);
  if (words === '' || words.length > LIMITS.title || at === undefined) return false;
  if (!dispatch) return true;
  const { tr } = state;
  if (linked) tr.replaceWith(from, to, proseSchema.text(words, selection.node.marks));
  changeNoTerm({ state, dispatch }, { words, at }, true, tr);
  return true;
};
