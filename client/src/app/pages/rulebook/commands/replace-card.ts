import type { Command } from 'prosemirror-state';
import { proseSchema } from '../../../../core/book/prose/schema.ts';
import { positionOf } from '../state/block-places.ts';

const { nodes } = proseSchema;

/** Shows another card in place of one in a block: in its row of cards, and wherever its text names it. */
export const replaceCard =
  (block: string, from: string, to: string): Command =>
  (state, dispatch) => {
    const at = positionOf(state, block);
    const node = at === undefined ? null : state.doc.nodeAt(at);
    if (at === undefined || !node) return false;
    const { tr } = state;
    if (node.type === nodes.cards) {
      const names: readonly string[] = node.attrs.names;
      if (names.includes(from)) {
        tr.setNodeAttribute(
          at,
          'names',
          names.map((name) => (name === from ? to : name)),
        );
      }
    }
    node.descendants((child, offset) => {
      if (child.type === nodes.card && child.attrs.name === from) {
        tr.setNodeAttribute(at + 1 + offset, 'name', to);
      }
    });
    if (!tr.docChanged) return false;
    dispatch?.(tr);
    return true;
  };
