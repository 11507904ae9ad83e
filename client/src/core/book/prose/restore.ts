import { Fragment, type Node as ProseNode, Slice } from 'prosemirror-model';
import type { EditorState, Transaction } from 'prosemirror-state';
import { partsOf } from './steps.ts';

/**
 * Makes an editor's text another: what both begin and end with stays, so that cursors there do too. The rest comes in
 * parts that each fit into a stored step; it is taken back as one.
 */
export function restored({ tr, doc }: EditorState, wanted: ProseNode): Transaction | undefined {
  if (doc.eq(wanted)) return undefined;
  if (!doc.hasMarkup(wanted.type, wanted.attrs)) {
    tr.setDocAttribute('noTerms', wanted.attrs.noTerms);
  }
  const most = Math.min(doc.childCount, wanted.childCount);
  let head = 0;
  while (head < most && doc.child(head).eq(wanted.child(head))) head++;
  let tail = 0;
  while (
    tail < most - head &&
    doc.child(doc.childCount - 1 - tail).eq(wanted.child(wanted.childCount - 1 - tail))
  ) {
    tail++;
  }
  const blocks = wanted.content.content.slice(head, wanted.childCount - tail);
  let from = sizeOf(doc, 0, head);
  let to = from + sizeOf(doc, head, doc.childCount - tail);
  // Of no blocks at all one empty part is made, which takes away those between.
  for (const part of blocks.length > 0 ? partsOf(blocks) : [[]]) {
    const content = Fragment.from(part);
    tr.replace(from, to, new Slice(content, 0, 0));
    from += content.size;
    to = from;
  }
  return tr.scrollIntoView();
}

const sizeOf = (doc: ProseNode, first: number, end: number): number =>
  doc.content.content.slice(first, end).reduce((size, { nodeSize }) => size + nodeSize, 0);
