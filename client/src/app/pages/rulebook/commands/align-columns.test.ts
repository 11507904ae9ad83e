import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { addColumnAfter, addRowBefore, CellSelection } from 'prosemirror-tables';
import { expect, test } from 'vitest';
import type { Block } from '../../../../core/book/document/schema.ts';
import { blocksOfProse, toProse } from '../../../../core/book/prose/convert.ts';
import { checkDoc } from '../../../../core/book/prose/steps.ts';
import { editorState } from '../state/editor-state.ts';
import { alignColumns, alignmentAt } from './align-columns.ts';

const cell = (text: string) => [{ type: 'text' as const, text }];
const TABLE: Block = {
  type: 'table',
  id: 't',
  caption: [],
  headRows: 1,
  rows: [
    [cell('Card'), cell('Points')],
    [cell('Ebb'), cell('2')],
  ],
};

/** An editor on the table, with the cursor in the cell that says `at`. */
function opened(at: string) {
  let state: EditorState = editorState(toProse([TABLE]), 'a');
  const positions = new Map<string, number>();
  state.doc.descendants((node, pos) => {
    if (node.isText) positions.set(node.text ?? '', pos);
  });
  const dispatch = (tr: Transaction) => {
    state = state.apply(tr);
    checkDoc(state.doc);
  };
  dispatch(state.tr.setSelection(TextSelection.create(state.doc, positions.get(at) ?? 0)));
  const align = () => {
    const [block] = blocksOfProse(state.doc);
    return block?.type === 'table' ? block.align : 'none';
  };
  const cells = () => {
    const found: unknown[] = [];
    state.doc.descendants((node) => {
      if (node.type.name === 'tableCell') found.push(node.attrs['align']);
    });
    return found;
  };
  return { now: () => state, dispatch, align, cells, at: positions };
}

test('the column with the cursor is aligned, and back to the left again', () => {
  const editor = opened('2');
  expect(alignmentAt(editor.now())).toBe('left');
  alignColumns('right')(editor.now(), editor.dispatch);
  expect(editor.align()).toEqual(['left', 'right']);
  expect(alignmentAt(editor.now())).toBe('right');
  alignColumns('left')(editor.now(), editor.dispatch);
  expect(editor.align()).toBeUndefined();
});

test('all columns that are selected are aligned', () => {
  const editor = opened('Card');
  const [from, to] = ['Card', '2'].map((text) => (editor.at.get(text) ?? 0) - 1);
  editor.dispatch(editor.now().tr.setSelection(CellSelection.create(editor.now().doc, from ?? 0, to ?? 0)));
  alignColumns('center')(editor.now(), editor.dispatch);
  expect(editor.align()).toEqual(['center', 'center']);
});

test('a row that comes in above has the alignment of the columns, and a column that comes in has its own', () => {
  const editor = opened('Points');
  alignColumns('right')(editor.now(), editor.dispatch);
  addRowBefore(editor.now(), editor.dispatch);
  expect(editor.align()).toEqual(['left', 'right']);
  expect(editor.cells()).toEqual([null, 'right', null, 'right', null, 'right']);
  addColumnAfter(editor.now(), editor.dispatch);
  expect(editor.align()).toEqual(['left', 'right', 'left']);
});

test('a cursor outside tables aligns nothing', () => {
  const state = editorState(toProse([{ type: 'paragraph', id: 'p', content: cell('Text') }]), 'a');
  expect(alignmentAt(state)).toBeUndefined();
  expect(alignColumns('right')(state)).toBe(false);
});
