import type { Node as ProseNode } from 'prosemirror-model';
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state';
import { seenText } from '../../../../core/book/checks/examples-check.ts';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import type { SeenCard } from '../../../../core/book/document/schema.ts';
import { proseSchema } from '../../../../core/book/prose/schema.ts';
import { isReceived } from './is-received.ts';

const { nodes } = proseSchema;

/** Texts of the project's cards by their names, as they are now; undefined while they are not known. */
export type CardTexts = () => ReadonlyMap<string, string> | undefined;

/** Notes in each example that its writer changes the cards in it, as they are then. */
export function exampleCards(cardTexts: CardTexts): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, { doc, tr }) {
      const written = transactions.some(
        (one) => one.docChanged && !isReceived(one) && one.getMeta('history$') === undefined,
      );
      if (!written) return null;
      const known = new Map(examplesIn(before.doc).map(({ node }) => [node.attrs.id, node]));
      // Nodes that did not change stay the same objects.
      const changed = examplesIn(doc).filter(
        ({ node }) => known.get(node.attrs.id)?.content !== node.content,
      );
      const texts = changed.length > 0 ? cardTexts() : undefined;
      if (!texts) return null;
      for (const { node, pos } of changed) note(tr, node, pos, texts);
      return tr.docChanged ? tr : null;
    },
  });
}

/** Says that an example still holds, whatever its cards say now. */
export function holdsStill(state: EditorState, block: string, cardTexts: CardTexts): Transaction | undefined {
  const { tr } = state;
  const texts = cardTexts();
  if (!texts) return undefined;
  for (const { node, pos } of examplesIn(state.doc)) {
    if (node.attrs.id === block) note(tr, node, pos, texts);
  }
  return tr.docChanged ? tr : undefined;
}

function note(tr: Transaction, node: ProseNode, pos: number, texts: ReadonlyMap<string, string>): void {
  const seen = [...cardsIn(node)].slice(0, LIMITS.seenCards).flatMap((name): SeenCard[] => {
    const text = texts.get(name);
    return text === undefined ? [] : [{ name, text: seenText(text) }];
  });
  if (JSON.stringify(seen) !== JSON.stringify(node.attrs.seen)) tr.setNodeAttribute(pos, 'seen', seen);
}

function examplesIn(doc: ProseNode): { readonly node: ProseNode; readonly pos: number }[] {
  const found: { node: ProseNode; pos: number }[] = [];
  doc.descendants((node, pos) => {
    if (node.type === nodes.callout && node.attrs.kind === 'example') found.push({ node, pos });
    return node.type === nodes.columns;
  });
  return found;
}

/** Names of the cards that an example shows or names. */
function cardsIn(example: ProseNode): Set<string> {
  const names = new Set<string>();
  example.descendants((node) => {
    if (node.type === nodes.card) names.add(node.attrs.name);
    if (node.type === nodes.cards) for (const name of node.attrs.names) names.add(name);
  });
  return names;
}
