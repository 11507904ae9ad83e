import type { Node as ProseNode } from 'prosemirror-model';
import { type EditorState, Plugin, PluginKey, type Transaction } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import type { Presence, WithId } from '../../../../data/documents/documents.ts';
import type { TextCursor } from '../../../../data/presence/use-presence.ts';
import { peerColour } from '../../../peers/peer-colours.ts';
import css from '../rulebook.module.css';

/** Others in the text, and blocks that somebody has said something about. They are shown and no part of the text. */
export interface Marks {
  readonly peers: readonly WithId<Presence>[];
  /** Blocks with comments that nobody has seen to. */
  readonly commented: ReadonlySet<string>;
}

const KEY = new PluginKey<DecorationSet>('marks');

/** A transaction that changes the marks and not the text. */
export const withMarks = ({ tr }: EditorState, marks: Marks): Transaction => tr.setMeta(KEY, marks);

/** Shows the marks, which move with the text between one news and the next. */
export const marksPlugin = (): Plugin =>
  new Plugin<DecorationSet>({
    key: KEY,
    state: {
      init: () => DecorationSet.empty,
      apply: (transaction, shown) => {
        const marks: Marks | undefined = transaction.getMeta(KEY);
        if (marks) return decorations(transaction.doc, marks);
        return transaction.docChanged ? shown.map(transaction.mapping, transaction.doc) : shown;
      },
    },
    props: { decorations: (state) => KEY.getState(state) },
  });

function decorations(doc: ProseNode, { peers, commented }: Marks): DecorationSet {
  const found: Decoration[] = [];
  const byBlock = new Map<string, WithId<Presence>[]>();
  for (const peer of peers) {
    if (peer.block !== null) byBlock.set(peer.block, [...(byBlock.get(peer.block) ?? []), peer]);
  }
  doc.descendants((node, pos) => {
    const { id } = node.attrs;
    if (typeof id !== 'string' || id === '') return !node.inlineContent;
    if (commented.has(id)) {
      found.push(Decoration.node(pos, pos + node.nodeSize, { class: css.commented ?? '' }));
    }
    for (const peer of byBlock.get(id) ?? []) {
      const at = node.inlineContent ? pos + 1 + Math.min(peer.offset, node.content.size) : pos;
      found.push(Decoration.widget(at, () => caretOf(peer), { key: `${peer.id} ${peer.name}`, side: 10 }));
    }
    return !node.inlineContent;
  });
  return DecorationSet.create(doc, found);
}

/** Somebody's cursor, with their name. Those who cannot see it hear who is there from the bar. */
function caretOf({ name, hue }: Presence): HTMLElement {
  const caret = document.createElement('span');
  caret.className = css.caret ?? '';
  caret.style.setProperty('--peer', peerColour(hue));
  caret.setAttribute('aria-hidden', 'true');
  const label = document.createElement('span');
  label.textContent = name || 'Somebody';
  caret.append(label);
  return caret;
}

/** The place of a cursor as others are told it. */
export function cursorOf({ selection }: EditorState): TextCursor | undefined {
  const { $head } = selection;
  for (let depth = $head.depth; depth > 0; depth--) {
    const { id } = $head.node(depth).attrs;
    if (typeof id !== 'string' || id === '') continue;
    return { block: id, offset: $head.node(depth).inlineContent ? $head.parentOffset : 0 };
  }
  return undefined;
}
