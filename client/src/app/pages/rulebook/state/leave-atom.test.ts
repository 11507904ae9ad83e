import { EditorState, NodeSelection } from 'prosemirror-state';
import { expect, test } from 'vitest';
import { toProse } from '../../../../core/book/prose/convert.ts';
import { leaveAtom } from './leave-atom.ts';

const withValueChosen = (): EditorState => {
  const doc = toProse([
    {
      type: 'paragraph',
      id: 'p',
      content: [
        { type: 'text', text: 'there are ' },
        { type: 'value', formula: '1 + 1' },
        { type: 'text', text: ' tides' },
      ],
    },
  ]);
  const state = EditorState.create({ doc });
  return state.apply(state.tr.setSelection(NodeSelection.create(doc, 'xthere are '.length)));
};

/** Paragraph after a letter is typed, once a key is pressed and the browser's own move is not known yet. */
const typedAfter = (key: string, shiftKey = false): string => {
  let state = withValueChosen();
  leaveAtom({ key, shiftKey })(state, (tr) => {
    state = state.apply(tr);
  });
  const { doc } = state.apply(state.tr.insertText('!'));
  return doc.textBetween(0, doc.content.size, '', '2');
};

test('a value is kept when a letter follows a key by which the browser moves the cursor', () => {
  for (const key of ['End', 'ArrowDown', 'PageDown']) expect(typedAfter(key)).toBe('there are 2! tides');
  for (const key of ['Home', 'ArrowUp', 'PageUp']) expect(typedAfter(key)).toBe('there are !2 tides');
});

test('a value is replaced when a letter follows no move, or a move that chooses', () => {
  for (const key of ['a', 'Tab']) expect(typedAfter(key)).toBe('there are ! tides');
  for (const key of ['Home', 'End']) expect(typedAfter(key, true)).toBe('there are ! tides');
});
