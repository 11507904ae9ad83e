import { undo } from 'prosemirror-history';
import type { EditorState, Transaction } from 'prosemirror-state';
import { expect, test } from 'vitest';
import { checkRulebook } from '../../../../core/book/checks/checks.ts';
import type { Block } from '../../../../core/book/document/schema.ts';
import { parseRulebook } from '../../../../core/book/document/schema.ts';
import { blocksOfProse, toProse, toRulebook } from '../../../../core/book/prose/convert.ts';
import { EMPTY_PROJECT } from '../../../../core/book/typesetting/context.ts';
import { positionOf } from './block-places.ts';
import { editorState } from './editor-state.ts';
import { holdsStill } from './example-cards.ts';

const BLOCKS: readonly Block[] = [
  { type: 'paragraph', id: 'p', content: [{ type: 'text', text: 'Before.' }] },
  {
    type: 'callout',
    id: 'e',
    kind: 'example',
    title: '',
    blocks: [
      {
        type: 'paragraph',
        id: 'w',
        content: [
          { type: 'text', text: 'Ann plays ' },
          { type: 'card', name: 'Fox' },
        ],
      },
      { type: 'cards', id: 'c', names: ['Owl', 'Elk'], caption: [] },
    ],
  },
  {
    type: 'callout',
    id: 'n',
    kind: 'note',
    title: '',
    blocks: [{ type: 'cards', id: 'd', names: ['Fox'], caption: [] }],
  },
];

/** An editor of the text on a project whose cards can be changed. */
function opened() {
  const cards = new Map([
    ['Fox', 'Fox\nCosts 3 shells'],
    ['Owl', 'Owl\nSees all'],
  ]);
  let known = true;
  let asked = 0;
  const cardTexts = () => {
    asked++;
    return known ? cards : undefined;
  };
  let state: EditorState = editorState(toProse(BLOCKS), 'a', cardTexts);
  const dispatch = (tr: Transaction) => {
    state = state.apply(tr);
  };
  return {
    cards,
    asked: () => asked,
    lose: () => {
      known = false;
    },
    type: (block: string, words: string) =>
      dispatch(state.tr.insertText(words, (positionOf(state, block) ?? 0) + 1)),
    undo: () => undo(state, dispatch),
    seen: (block: string) => {
      const found = blocksOfProse(state.doc).find(({ id }) => id === block);
      return found?.type === 'callout' ? found.seen : undefined;
    },
    holds: () => {
      const tr = holdsStill(state, 'e', cardTexts);
      if (tr) dispatch(tr);
    },
    findings: () => {
      const doc = toRulebook(state.doc, { title: 'T', subtitle: '', language: 'en' });
      // It can be stored.
      expect(parseRulebook(structuredClone(doc))).toEqual(doc);
      const texts = [...cards].map(([name, text]) => ({ name, text, icons: [] }));
      return checkRulebook({ doc, project: EMPTY_PROJECT, cards: texts, flowed: null })
        .filter(({ code }) => code === 'example-outdated')
        .map(({ block, message }) => `${block}: ${message}`);
    },
  };
}

test('an example keeps its cards as they were when it was written, and the checks name what changed since', () => {
  const editor = opened();
  editor.type('p', 'x');
  expect(editor.seen('e')).toBeUndefined();
  editor.type('w', 'x');
  expect(editor.seen('e')).toEqual([
    { name: 'Fox', text: 'Fox\nCosts 3 shells' },
    { name: 'Owl', text: 'Owl\nSees all' },
  ]);
  expect(editor.seen('n')).toBeUndefined();
  expect(editor.findings()).toEqual([]);
  editor.cards.set('Fox', 'Fox\nCosts 4 shells');
  editor.cards.delete('Owl');
  const end = 'Read the example again: mark it as still correct, or change it.';
  const outdated = [`e: The card Fox has changed since this example was written: “3” is “4” now. ${end}`];
  expect(editor.findings()).toEqual(outdated);
  // Writing elsewhere changes nothing.
  editor.type('p', 'y');
  expect(editor.findings()).toEqual(outdated);
  editor.type('w', 'y');
  expect(editor.findings()).toEqual([]);
});

test('a writer says that an example holds, and undo takes that back', () => {
  const editor = opened();
  editor.type('w', 'x');
  editor.cards.set('Fox', 'Fox\nCosts 3 shells. Hunts');
  expect(editor.findings()).toHaveLength(1);
  editor.holds();
  expect(editor.findings()).toEqual([]);
  editor.undo();
  expect(editor.findings()).toHaveLength(1);
});

test('while the cards are not known, an example keeps what it has of them', () => {
  const editor = opened();
  editor.type('w', 'x');
  const seen = editor.seen('e');
  expect(seen).toHaveLength(2);
  editor.lose();
  editor.type('w', 'y');
  expect(editor.seen('e')).toEqual(seen);
});

test('nobody asks for the cards while what is written is in no example', () => {
  const editor = opened();
  editor.type('p', 'x');
  editor.type('d', '');
  expect(editor.asked()).toBe(0);
  editor.type('w', 'x');
  expect(editor.asked()).toBe(1);
});
