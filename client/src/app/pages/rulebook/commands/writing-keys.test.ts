import { type EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { expect, test } from 'vitest';
import type { Block } from '../../../../core/book/document/schema.ts';
import { blocksOfProse, toProse } from '../../../../core/book/prose/convert.ts';
import { checkDoc } from '../../../../core/book/prose/steps.ts';
import { editorState } from '../state/editor-state.ts';
import { WRITING_KEYS } from './commands.ts';

/** A view without a window: its state, and keys and text as they are typed. */
class Typing {
  state: EditorState;
  readonly editable = true;
  readonly composing = false;

  constructor(blocks: readonly Block[]) {
    this.state = editorState(toProse(blocks), 'a');
  }

  readonly dispatch = (tr: Transaction): void => {
    this.state = this.state.apply(tr);
  };

  at(position: number): this {
    this.dispatch(this.state.tr.setSelection(TextSelection.create(this.state.doc, position)));
    return this;
  }

  press(key: string): boolean {
    return WRITING_KEYS[key]?.(this.state, this.dispatch, this as unknown as EditorView) ?? false;
  }

  type(text: string): void {
    for (const letter of text) {
      const { from, to } = this.state.selection;
      const taken = this.state.plugins.some((plugin) =>
        plugin.props.handleTextInput?.call(plugin, this as unknown as EditorView, from, to, letter, () =>
          this.state.tr.insertText(letter, from, to),
        ),
      );
      if (!taken) this.dispatch(this.state.tr.insertText(letter, from, to));
    }
  }

  get blocks(): readonly Block[] {
    checkDoc(this.state.doc);
    return blocksOfProse(this.state.doc);
  }
}

const text = (words: string) => [{ type: 'text' as const, text: words }];
const paragraph = (id: string, words = '') => ({
  type: 'paragraph' as const,
  id,
  content: words === '' ? [] : text(words),
});
const list = (marker: 'bullets' | 'steps'): Block => ({
  type: 'list',
  id: 'l',
  marker,
  items: [{ id: 'i', blocks: [paragraph('p', 'crate')] }],
});

test.each([
  ['1. ', 'bullets', ['bullets', 'steps']],
  ['- ', 'steps', ['steps', 'bullets']],
  ['- ', 'bullets', ['bullets']],
  ['1. ', 'steps', ['steps']],
] as const)('“%s” below a list of %s makes %j', (begin, above, expected) => {
  const typing = new Typing([list(above), paragraph('q')]);
  typing.at(typing.state.doc.content.size - 1).type(begin);
  expect(typing.blocks.map((block) => block.type === 'list' && block.marker)).toEqual(expected);
});

test('Tab in the last cell of a table makes a row, and goes to its first cell', () => {
  const typing = new Typing([
    { type: 'table', id: 't', caption: [], headRows: 1, rows: [[text('Players'), text('Crates')]] },
    paragraph('p'),
  ]);
  let last = 0;
  typing.state.doc.descendants((node, position) => {
    if (node.type.name === 'tableCell') last = position + 1;
  });
  typing.at(last);
  expect(typing.press('Tab')).toBe(true);
  typing.type('2');
  expect(typing.press('Tab')).toBe(true);
  typing.type('12');
  const [table] = typing.blocks;
  expect(table?.type === 'table' && table.rows).toEqual([
    [text('Players'), text('Crates')],
    [text('2'), text('12')],
  ]);
});
