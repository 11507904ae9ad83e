// @vitest-environment happy-dom
import { TextSelection } from 'prosemirror-state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toProse } from '../../../../core/book/prose/convert.ts';
import { writeSteps } from '../../../../core/book/prose/steps.ts';
import { NO_STEPS } from '../../../../core/book/prose/versions.ts';
import type { StepStore, StoredStep } from '../../../../data/rulebooks/step-store.ts';
import { RulebookEditor } from './rulebook-editor.ts';

const paragraph = (id: string, text: string) => ({
  type: 'paragraph' as const,
  id,
  content: [{ type: 'text' as const, text }],
});
const DOC = toProse([paragraph('a', 'Draw two cards.'), paragraph('b', 'Then the tide comes.')]);

let arrive: (steps: readonly StoredStep[]) => void;
let editor: RulebookEditor;
let leave: () => void;
let late = false;
const hold = (event: Event): void => {
  if (late) event.stopImmediatePropagation();
};

beforeEach(() => {
  document.addEventListener('selectionchange', hold);
  const store: StepStore = {
    follow: (_, take) => {
      arrive = take;
      return () => undefined;
    },
    append: () => new Promise(() => undefined),
  };
  editor = new RulebookEditor(
    store,
    { doc: DOC, number: 0, hash: NO_STEPS },
    'mine',
    () => undefined,
    () => undefined,
  );
  const host = {
    editable: true,
    open: () => undefined,
    toFields: () => undefined,
    takePictures: () => undefined,
  };
  leave = editor.mount(document.body, () => host);
  editor.sync.start((error) => {
    throw error;
  });
  editor.view?.focus();
  editor.dispatch(editor.state.tr.setSelection(TextSelection.create(DOC, 3)));
});
afterEach(() => {
  leave();
  document.removeEventListener('selectionchange', hold);
});

/** Puts the cursor at the beginning of the second paragraph, as browsers do: they tell of it later. */
function putCursor(): void {
  const words = document.querySelectorAll('p')[1]?.firstChild;
  if (!words) throw new Error('there is no text');
  late = true;
  document.getSelection()?.collapse(words, 0);
  late = false;
  expect(cursor()).toContain('Draw two cards.');
}
const cursor = (): string => editor.state.selection.$from.parent.textContent;

test('a key acts where the cursor is, although the browser has not told of it', () => {
  putCursor();
  editor.view?.dom.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Backspace', keyCode: 8, bubbles: true, cancelable: true }),
  );
  expect(editor.state.doc.textContent).toBe('Draw two cards.Then the tide comes.');
  expect(editor.state.doc.childCount).toBe(1);
});

test('neither marks nor the steps of others put the cursor back', () => {
  putCursor();
  editor.mark({ peers: [], commented: new Set(['a']) });
  expect(cursor()).toBe('Then the tide comes.');
  editor.dispatch(editor.state.tr.setSelection(TextSelection.create(editor.state.doc, 3)));
  putCursor();
  const { steps } = editor.state.tr.insertText('Quick! ', 1);
  arrive([{ number: 1, client: 'theirs', by: 'ben', at: 1, text: writeSteps(steps) }]);
  expect(cursor()).toBe('Then the tide comes.');
  expect(editor.state.doc.textContent).toContain('Quick! Draw');
});
