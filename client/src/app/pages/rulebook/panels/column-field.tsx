import type { EditorState } from 'prosemirror-state';
import { ALIGNMENTS } from '../../../../core/book/document/schema.ts';
import { alignColumns, alignmentAt } from '../commands/align-columns.ts';
import type { RulebookEditor } from '../state/rulebook-editor.ts';
import { Choice } from './attribute-fields.tsx';

const SIDES = [
  { value: 'left', label: 'Left' },
  { value: 'center', label: 'Centre' },
  { value: 'right', label: 'Right' },
];

/** Alignment of the columns of a table that are selected. */
export function ColumnField({ editor, state }: { editor: RulebookEditor; state: EditorState }) {
  const align = alignmentAt(state);
  if (align === undefined) return null;
  return (
    <Choice
      label="Text of the column"
      value={align}
      options={SIDES}
      onChange={(side) => {
        const wanted = ALIGNMENTS.find((one) => one === side);
        if (wanted) alignColumns(wanted)(editor.state, editor.dispatch);
      }}
    />
  );
}
