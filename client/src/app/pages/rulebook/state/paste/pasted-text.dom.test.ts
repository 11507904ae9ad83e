// @vitest-environment happy-dom
import { EditorView } from 'prosemirror-view';
import { expect, test } from 'vitest';
import type { Block } from '../../../../../core/book/document/schema.ts';
import { blocksOfProse } from '../../../../../core/book/prose/convert.ts';
import { checkDoc, emptyDoc } from '../../../../../core/book/prose/steps.ts';
import { editorState } from '../editor-state.ts';

/** Blocks in short. */
function short(block: Block): unknown {
  if (block.type === 'list') return [block.marker, ...block.items.map(({ blocks }) => blocks.map(short))];
  return 'content' in block
    ? block.content.map((one) => (one.type === 'text' ? one.text : '?')).join('')
    : block.type;
}

/** The blocks of an empty text after this was pasted into it. */
function pasted(text: string, plain = false): unknown[] {
  const view = new EditorView(document.createElement('div'), { state: editorState(emptyDoc(), 'a') });
  const clipboardData = { getData: (type: string) => (type === 'text/plain' ? text : '') };
  if (plain) view.pasteText(text);
  else view.dispatchEvent(Object.assign(new Event('paste'), { clipboardData }) as ClipboardEvent);
  checkDoc(view.state.doc);
  const blocks = blocksOfProse(view.state.doc).map(short);
  view.destroy();
  return blocks;
}

test('lines that begin with a sign or with numbers are lists, deeper ones inside', () => {
  expect(
    pasted(
      'You need\n- a ship\r\n  * its sail\n  * its flag,\n    which is red\n- a crate\n\nThen\n1. load\n2) sail\n\n3. rest\nDone',
    ),
  ).toEqual([
    'You need',
    ['bullets', ['a ship', ['bullets', ['its sail'], ['its flag, which is red']]], ['a crate']],
    'Then',
    ['steps', ['load'], ['sail'], ['rest']],
    'Done',
  ]);
  expect(pasted('- one\n- two', true)).toEqual(['- one', '- two']);
  expect(pasted('• one\n• two')).toEqual([['bullets', ['one'], ['two']]]);
});

test('text without lists is pasted in paragraphs, as are years and dashes', () => {
  expect(pasted('One\nTwo')).toEqual(['One', 'Two']);
  expect(pasted('2024. A year\n-5 points\n- \n*not a list*')).toEqual([
    '2024. A year',
    '-5 points',
    '- ',
    '*not a list*',
  ]);
});
