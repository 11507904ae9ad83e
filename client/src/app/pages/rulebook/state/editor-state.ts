import { collab } from 'prosemirror-collab';
import { gapCursor } from 'prosemirror-gapcursor';
import { history } from 'prosemirror-history';
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import {
  type Node as ProseNode,
  DOMParser as ProseParser,
  type ResolvedPos,
  type Slice,
} from 'prosemirror-model';
import { EditorState, Plugin } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { hasId, proseSchema } from '../../../../core/book/prose/schema.ts';
import { alignNewCells } from '../commands/align-columns.ts';
import { type CardTexts, exampleCards } from './example-cards.ts';
import { isReceived } from './is-received.ts';
import { marksPlugin } from './marks.ts';
import { pastedHtml } from './paste/pasted-html.ts';
import { pastedText } from './paste/pasted-text.ts';

const { nodes } = proseSchema;

/** Gives every block an id of its own: new ones, and those that are there twice after a split or a paste. */
export function blockIds(newId: () => string): Plugin {
  return new Plugin({
    appendTransaction(transactions, _, state) {
      if (!transactions.some((one) => one.docChanged && !isReceived(one))) return null;
      const seen = new Set<string>();
      const { tr } = state;
      state.doc.descendants((node, pos) => {
        if (!hasId(node.type.name)) return !node.inlineContent;
        const { id } = node.attrs;
        if (id === '' || seen.has(id)) tr.setNodeAttribute(pos, 'id', newId());
        else seen.add(id);
        return !node.inlineContent;
      });
      return tr.docChanged ? tr : null;
    },
  });
}

/** Begins a list, or goes on with the one above if that has the same marker. */
const listRule = (begin: RegExp, marker: 'bullets' | 'steps'): InputRule =>
  wrappingInputRule(begin, nodes.list, { marker }, (_, { attrs }) => attrs['marker'] === marker);

/** Short forms while writing: `# ` for a heading, `- ` and `1. ` for lists, `> ` for a note. */
const shortForms = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,4})\s$/, nodes.heading, ([, marks]) => ({ level: marks?.length ?? 1 })),
    listRule(/^[-*]\s$/, 'bullets'),
    listRule(/^1\.\s$/, 'steps'),
    wrappingInputRule(/^>\s$/, nodes.callout, { kind: 'note' }),
    new InputRule(/(?:^|\s)--\s$/, (state, _, from, to) => state.tr.insertText(' – ', from, to)),
  ],
});

/** Makes lists of the lines of plain text that are items, unless somebody wants its letters alone. */
const listsInText = (text: string, $context: ResolvedPos, plain: boolean): Slice => {
  const body = plain ? undefined : pastedText(text);
  // Without an answer the editor makes paragraphs, but its types ask for one.
  if (!body) return undefined as unknown as Slice;
  const options = { preserveWhitespace: true, context: $context } as const;
  return ProseParser.fromSchema(proseSchema).parseSlice(body, options);
};

export const newBlockId = (): string => crypto.randomUUID().slice(0, 12);

const NO_CARDS: CardTexts = () => undefined;

/** State of an editor on a stored text. */
export function editorState(doc: ProseNode, client: string, cardTexts = NO_CARDS): EditorState {
  return EditorState.create({
    doc,
    plugins: [
      collab({ clientID: client }),
      history(),
      shortForms,
      gapCursor(),
      tableEditing(),
      blockIds(newBlockId),
      exampleCards(cardTexts),
      marksPlugin(),
      new Plugin({
        appendTransaction: (transactions, _, state) =>
          transactions.some((one) => one.docChanged && !isReceived(one)) ? alignNewCells(state) : null,
      }),
      new Plugin({ props: { transformPastedHTML: pastedHtml, clipboardTextParser: listsInText } }),
    ],
  });
}
