import { type EditorState, NodeSelection } from 'prosemirror-state';

/** Place before the block with an id. */
export function positionOf({ doc }: EditorState, block: string): number | undefined {
  let found: number | undefined;
  doc.descendants((node, pos) => {
    if (found === undefined && node.attrs.id === block) found = pos;
    return found === undefined && !node.inlineContent;
  });
  return found;
}

/** Id of the innermost block with one around the cursor. */
export function blockAtCursor({ selection }: EditorState): string | undefined {
  if (selection instanceof NodeSelection && selection.node.attrs.id) return selection.node.attrs.id;
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const { id } = $from.node(depth).attrs;
    // Items are set as the paragraphs in them.
    if (typeof id === 'string' && id !== '' && $from.node(depth).type.name !== 'listItem') return id;
  }
  return undefined;
}
