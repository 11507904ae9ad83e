import { receiveTransaction, sendableSteps } from 'prosemirror-collab';
import { undo } from 'prosemirror-history';
import { type EditorState, NodeSelection, Selection, TextSelection } from 'prosemirror-state';
import { expect, test, vi } from 'vitest';
import { LIMITS } from '../../../../core/book/document/limits.ts';
import { blocksOfProse, noTermsOfProse, toProse } from '../../../../core/book/prose/convert.ts';
import {
  checkDoc,
  emptyDoc,
  readStep,
  replay,
  stepsOf,
  writeSteps,
} from '../../../../core/book/prose/steps.ts';
import { sampleRulebook } from '../../../../core/testing/sample-rulebook.ts';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { blockAtCursor, positionOf } from '../state/block-places.ts';
import { editorState } from '../state/editor-state.ts';
import { COMMANDS } from './commands.ts';
import { INSERTS } from './inserts.ts';
import { noTermHere } from './no-term.ts';

test('no two commands share a shortcut or an id', () => {
  const keys = COMMANDS.flatMap((command) => command.keys ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(COMMANDS.map(({ id }) => id)).size).toBe(COMMANDS.length);
});

test.each(INSERTS.map((insert) => [insert.label, insert] as const))(
  '%s can be inserted wherever the cursor stands, and leaves a text that can be stored',
  (_, { command }) => {
    const doc = toProse(sampleRulebook().blocks);
    doc.descendants((node, pos) => {
      if (!node.isTextblock) return;
      const state = editorState(doc, 'a');
      let next = state.apply(state.tr.setSelection(TextSelection.create(doc, pos + 1)));
      if (!command(next)) return;
      command(next, (tr) => {
        next = next.apply(tr);
      });
      checkDoc(next.doc);
      expect(next.doc.eq(doc)).toBe(false);
    });
    let empty = editorState(emptyDoc(), 'a');
    command(empty, (tr) => {
      empty = empty.apply(tr);
    });
    checkDoc(empty.doc);
    const ids = JSON.stringify(blocksOfProse(empty.doc)).match(/"id":"[^"]*"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(empty.doc.toJSON())).not.toContain('"id":""');
  },
);

test('a paragraph that is divided keeps its id, and its second half gets another', () => {
  let state = editorState(
    toProse([{ type: 'paragraph', id: 'one', content: [{ type: 'text', text: 'Shells' }] }]),
    'a',
  );
  state = state.apply(state.tr.split(4));
  const [first, second] = blocksOfProse(state.doc);
  expect(first?.id).toBe('one');
  expect(second?.id).not.toBe('one');
});

test('the block at the cursor is found by its id, and the cursor by the block', () => {
  const state = editorState(toProse(sampleRulebook().blocks), 'a');
  for (const { type, id } of sampleRulebook().blocks) {
    const at = positionOf(state, id);
    expect(at, id).toBeDefined();
    if (!['heading', 'paragraph', 'rule', 'definition'].includes(type)) continue;
    const selection = Selection.near(state.doc.resolve((at ?? 0) + 1), 1);
    expect(blockAtCursor(state.apply(state.tr.setSelection(selection)))).toBe(id);
  }
});

test('selected words, or a linked term, are no term in their block from then on; undo takes it back', () => {
  const doc = toProse([
    {
      type: 'paragraph',
      id: 'p',
      content: [
        { type: 'text', text: 'Find it: ' },
        { type: 'term', definition: 'd', text: 'finds' },
      ],
    },
  ]);
  let state = editorState(doc, 'a');
  const run = (selection: Selection) => {
    state = state.apply(state.tr.setSelection(selection));
    return noTermHere(state, (tr) => {
      state = state.apply(tr);
    });
  };
  expect(run(TextSelection.create(doc, 1))).toBe(false);
  expect(run(TextSelection.create(doc, 1, 6))).toBe(true);
  expect(noTermsOfProse(state.doc)).toEqual([{ words: 'Find', at: 'p' }]);
  expect(run(NodeSelection.create(state.doc, 10))).toBe(true);
  expect(noTermsOfProse(state.doc)).toEqual([
    { words: 'Find', at: 'p' },
    { words: 'finds', at: 'p' },
  ]);
  expect(blocksOfProse(state.doc)).toEqual([
    { type: 'paragraph', id: 'p', content: [{ type: 'text', text: 'Find it: finds' }] },
  ]);
  checkDoc(state.doc);
  const back = () =>
    undo(state, (tr) => {
      state = state.apply(tr);
    });
  back();
  expect(noTermsOfProse(state.doc)).toEqual([{ words: 'Find', at: 'p' }]);
  back();
  expect(state.doc.eq(doc)).toBe(true);
});

test('words that two windows say to be no terms come together, and undo takes back only its own window’s', () => {
  const doc = toProse([{ type: 'paragraph', id: 'p', content: [{ type: 'text', text: 'Find the deck' }] }]);
  const windows = ['a', 'b'].map((name) => ({ name, state: editorState(doc, name) }));
  const [one, two] = windows as [(typeof windows)[0], (typeof windows)[0]];
  const say = (window: (typeof windows)[0], from: number, to: number) => {
    window.state = window.state.apply(
      window.state.tr.setSelection(TextSelection.create(window.state.doc, from, to)),
    );
    noTermHere(window.state, (tr) => {
      window.state = window.state.apply(tr);
    });
  };
  /** Stores what a window has not sent yet, for both. */
  const send = ({ name, state }: { name: string; state: EditorState }) => {
    const steps = readStep(writeSteps(sendableSteps(state)?.steps ?? []));
    for (const window of windows) {
      window.state = window.state.apply(
        receiveTransaction(
          window.state,
          steps,
          steps.map(() => name),
        ),
      );
    }
  };
  const words = () => windows.map(({ state }) => noTermsOfProse(state.doc).map((term) => term.words));
  say(one, 1, 5);
  say(two, 10, 14);
  send(one);
  send(two);
  expect(words()).toEqual([
    ['Find', 'deck'],
    ['Find', 'deck'],
  ]);
  undo(one.state, (tr) => {
    one.state = one.state.apply(tr);
  });
  send(one);
  expect(words()).toEqual([['deck'], ['deck']]);
  // Both say the same: the later has nothing to send, and nothing to take back.
  say(one, 6, 9);
  say(two, 6, 9);
  send(one);
  expect(sendableSteps(two.state)).toBeNull();
  undo(two.state, (tr) => {
    two.state = two.state.apply(tr);
  });
  send(two);
  expect(words()).toEqual([['the'], ['the']]);
});

test('a linked term stays, and a warning says why, when no more words can be no terms', () => {
  const noTerms = Array.from({ length: LIMITS.noTerms }, (_, at) => ({ words: `w${at}`, at: 'p' }));
  const { doc } = replay(
    stepsOf(
      [{ type: 'paragraph', id: 'p', content: [{ type: 'term', definition: 'd', text: 'finds' }] }],
      noTerms,
    ),
  );
  let state = editorState(doc, 'a');
  state = state.apply(state.tr.setSelection(NodeSelection.create(doc, 1)));
  const shown = vi.spyOn(toasts, 'show').mockReturnValue(0);
  const done = noTermHere(state, (tr) => {
    state = state.apply(tr);
  });
  expect(done).toBe(true);
  expect(shown.mock.calls.map(([message]) => message)).toEqual([
    expect.stringMatching(/at most 500 words .*remove one first/),
  ]);
  expect(state.doc.eq(doc)).toBe(true);
  shown.mockRestore();
});
