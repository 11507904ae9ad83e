import type { EditorState, Command as ProseCommand, Transaction } from 'prosemirror-state';
import { isInTable, selectedRect, TableMap } from 'prosemirror-tables';
import type { Alignment } from '../../../../core/book/document/schema.ts';
import { alignmentsOf } from '../../../../core/book/prose/convert.ts';
import { proseSchema } from '../../../../core/book/prose/schema.ts';

/** Alignment of the column with the cursor; nothing where that is in no cell. */
export function alignmentAt(state: EditorState): Alignment | undefined {
  if (!isInTable(state)) return undefined;
  const { table, left } = selectedRect(state);
  return alignmentsOf(table)[left];
}

const attrOf = (align: Alignment): Alignment | null => (align === 'left' ? null : align);

/** Aligns the columns that are selected, or the one with the cursor. */
export const alignColumns =
  (align: Alignment): ProseCommand =>
  (state, dispatch) => {
    if (!isInTable(state)) return false;
    if (!dispatch) return true;
    const { map, tableStart, left, right } = selectedRect(state);
    const { tr } = state;
    for (const cell of map.cellsInRect({ left, right, top: 0, bottom: map.height })) {
      tr.setNodeAttribute(tableStart + cell, 'align', attrOf(align));
    }
    dispatch(tr);
    return true;
  };

/** Gives the cells of rows that came into tables the alignment of their columns. Nothing if they have it. */
export function alignNewCells({ doc, tr }: EditorState): Transaction | null {
  doc.descendants((node, pos) => {
    if (node.type !== proseSchema.nodes.table) return !node.inlineContent;
    const align = alignmentsOf(node);
    if (align.every((one) => one === 'left')) return false;
    const map = TableMap.get(node);
    for (const [at, one] of align.entries()) {
      for (const cell of map.cellsInRect({ left: at, right: at + 1, top: 0, bottom: map.height })) {
        if (node.nodeAt(cell)?.attrs['align'] === attrOf(one)) continue;
        tr.setNodeAttribute(pos + 1 + cell, 'align', attrOf(one));
      }
    }
    return false;
  });
  return tr.docChanged ? tr : null;
}
