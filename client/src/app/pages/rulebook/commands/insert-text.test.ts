import fc from 'fast-check';
import { undo } from 'prosemirror-history';
import { TextSelection } from 'prosemirror-state';
import { expect, test } from 'vitest';
import type { Block } from '../../../../core/book/document/schema.ts';
import { allBlocks } from '../../../../core/book/document/walk.ts';
import { blocksOfProse, toProse } from '../../../../core/book/prose/convert.ts';
import { checkDoc, MAX_STEP_LENGTH, writeSteps } from '../../../../core/book/prose/steps.ts';
import { sampleRulebook } from '../../../../core/testing/sample-rulebook.ts';
import { editorState } from '../state/editor-state.ts';
import { withText } from './insert-text.ts';

const { blocks } = sampleRulebook();
const paragraph = (id: string, words: string): Block => ({
  type: 'paragraph',
  id,
  content: words === '' ? [] : [{ type: 'text', text: words }],
});

test('a text comes in below the block of the cursor, with ids of its own, and one undo takes it back', () => {
  const doc = toProse(blocks);
  fc.assert(
    fc.property(fc.nat(), (chance) => {
      let state = editorState(doc, 'a');
      const at = TextSelection.near(doc.resolve(chance % doc.content.size));
      // Just before, somebody writes: that is another act.
      state = state.apply(state.tr.setSelection(at).insertText('x'));
      const before = state.doc;
      const index = state.selection.$from.index(0);
      // The text itself once more: all its ids are taken.
      state = state.apply(withText(state, blocks));
      checkDoc(state.doc);
      expect(state.doc.childCount).toBe(before.childCount + blocks.length);
      for (let i = 0; i <= index; i++) expect(state.doc.child(i).eq(before.child(i))).toBe(true);
      const ids = [...allBlocks(blocksOfProse(state.doc))].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      undo(state, (tr) => {
        state = state.apply(tr);
      });
      expect(state.doc.eq(before)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('references in it lead to its own blocks', () => {
  const given: Block[] = [
    { type: 'heading', id: 'a', level: 1, content: [{ type: 'text', text: 'Tide' }] },
    { type: 'paragraph', id: 'b', content: [{ type: 'reference', block: 'a', show: 'title' }] },
  ];
  let state = editorState(toProse([paragraph('a', 'It is here.')]), 'a');
  state = state.apply(withText(state, given));
  const [old, heading, text] = blocksOfProse(state.doc);
  expect(old?.id).toBe('a');
  expect(heading?.id).not.toBe('a');
  expect(text).toMatchObject({ content: [{ type: 'reference', block: heading?.id }] });
});

test('it takes the place of an empty paragraph, and a long text fits into stored steps', () => {
  const long = Array.from({ length: 60 }, (_, at) => paragraph(`p${at}`, 'sea '.repeat(4_000)));
  const state = editorState(toProse([paragraph('e', '')]), 'a');
  const tr = withText(state, long);
  expect(tr.doc.childCount).toBe(60);
  expect(tr.steps.length).toBeGreaterThan(1);
  for (const step of tr.steps) expect(writeSteps([step]).length).toBeLessThanOrEqual(MAX_STEP_LENGTH);
});
