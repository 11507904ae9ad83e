import * as basic from 'prosemirror-commands';
import { chainCommands, deleteSelection, joinBackward, selectNodeBackward } from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command as ProseCommand } from 'prosemirror-state';
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  goToNextCell,
  isInTable,
} from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { proseSchema } from '../../../../core/book/prose/schema.ts';
import type { Command as UiCommand } from '../../../../ui/commands/command.ts';
import { INSERTS } from './inserts.ts';
import { noTermHere } from './no-term.ts';

const { nodes, marks } = proseSchema;

/** The editor and the windows around it. */
export interface RulebookContext {
  readonly view: EditorView;
  readonly open: (window: 'insert' | 'file' | 'shortcuts') => void;
  /** Puts the keyboard into the fields of the block. */
  readonly toFields: () => void;
}

export type RulebookCommand = UiCommand<
  RulebookContext,
  'Text' | 'Blocks' | 'Tables' | 'Insert' | 'Rulebook'
>;

/** A command from one of the editor's own. */
function prose(
  base: Omit<RulebookCommand, 'run' | 'when'>,
  command: ProseCommand,
  focus = true,
): RulebookCommand {
  return {
    ...base,
    inFields: false,
    when: ({ view }) => view.editable && command(view.state),
    run: ({ view }) => {
      command(view.state, view.dispatch, view);
      if (focus) view.focus();
    },
  };
}

const listOf = (marker: 'bullets' | 'steps'): ProseCommand =>
  chainCommands(liftOf(marker), wrapInList(nodes.list, { marker }));

/** Takes a list of this kind away again. */
const liftOf =
  (marker: string): ProseCommand =>
  (state, dispatch) => {
    const { $from } = state.selection;
    for (let depth = $from.depth; depth > 0; depth--) {
      const node = $from.node(depth);
      if (node.type !== nodes.list) continue;
      if (node.attrs.marker === marker) return liftListItem(nodes.listItem)(state, dispatch);
      dispatch?.(state.tr.setNodeAttribute($from.before(depth), 'marker', marker));
      return true;
    }
    return false;
  };

const deleteTable: ProseCommand = (state, dispatch) => {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type !== nodes.tableBlock) continue;
    dispatch?.(state.tr.delete($from.before(depth), $from.after(depth)).scrollIntoView());
    return true;
  }
  return false;
};

/** Moves the block of the cursor, among those beside it. */
const moveBlock =
  (by: -1 | 1): ProseCommand =>
  (state, dispatch) => {
    const { $from } = state.selection;
    const index = $from.index(0);
    const block = state.doc.maybeChild(index);
    const other = state.doc.maybeChild(index + by);
    if (!block || !other) return false;
    if (!dispatch) return true;
    const start = $from.posAtIndex(index, 0);
    const [from, to] =
      by < 0
        ? [start - other.nodeSize, start]
        : [start + block.nodeSize, start + block.nodeSize + other.nodeSize];
    // The neighbour moves, so that the cursor stays where it is.
    const { tr } = state;
    const target = by < 0 ? start + block.nodeSize : start;
    if (by < 0) tr.insert(target, other).delete(from, to);
    else tr.delete(from, to).insert(target, other);
    dispatch(tr.scrollIntoView());
    return true;
  };

export const STRONG = prose(
  { id: 'strong', label: 'Strong', group: 'Text', keys: ['Ctrl+B'] },
  basic.toggleMark(marks.strong),
);
export const EMPHASIS = prose(
  { id: 'emphasis', label: 'Emphasis', group: 'Text', keys: ['Ctrl+I'] },
  basic.toggleMark(marks.emphasis),
);
export const UNDO = prose({ id: 'undo', label: 'Undo', group: 'Text', keys: ['Ctrl+Z'] }, undo);
export const REDO = prose(
  { id: 'redo', label: 'Redo', group: 'Text', keys: ['Ctrl+Shift+Z', 'Ctrl+Y'] },
  redo,
);

export const PARAGRAPH = prose(
  { id: 'paragraph', label: 'Paragraph', group: 'Blocks' },
  basic.setBlockType(nodes.paragraph),
);
export const HEADINGS = [1, 2, 3, 4].map((level) =>
  prose(
    { id: `heading-${level}`, label: `Heading ${level}`, group: 'Blocks', keys: [`Ctrl+Alt+${level}`] },
    basic.setBlockType(nodes.heading, { level }),
  ),
);
export const RULE = prose(
  { id: 'rule', label: 'Numbered rule', group: 'Blocks' },
  basic.setBlockType(nodes.rule),
);
export const BULLETS = prose({ id: 'bullets', label: 'List', group: 'Blocks' }, listOf('bullets'));
export const STEPS = prose({ id: 'steps', label: 'Numbered steps', group: 'Blocks' }, listOf('steps'));
const MOVE_UP = prose(
  { id: 'move-up', label: 'Move block up', group: 'Blocks', keys: ['Alt+ArrowUp'] },
  moveBlock(-1),
);
const MOVE_DOWN = prose(
  { id: 'move-down', label: 'Move block down', group: 'Blocks', keys: ['Alt+ArrowDown'] },
  moveBlock(1),
);
const LIFT = prose(
  { id: 'lift', label: 'Move out of the block around it', group: 'Blocks', keys: ['Ctrl+['] },
  basic.lift,
);

export const TABLE_COMMANDS = [
  prose({ id: 'row', label: 'Row below', group: 'Tables' }, addRowAfter),
  prose({ id: 'column', label: 'Column to the right', group: 'Tables' }, addColumnAfter),
  prose({ id: 'delete-row', label: 'Delete row', group: 'Tables', danger: true }, deleteRow),
  prose({ id: 'delete-column', label: 'Delete column', group: 'Tables', danger: true }, deleteColumn),
  prose({ id: 'delete-table', label: 'Delete table', group: 'Tables', danger: true }, deleteTable),
];

export const INSERT: RulebookCommand = {
  id: 'insert',
  label: 'Insert',
  group: 'Rulebook',
  keys: ['Ctrl+Enter'],
  when: ({ view }) => view.editable,
  run: ({ open }) => open('insert'),
};
export const INSERT_FILE: RulebookCommand = {
  id: 'insert-file',
  label: 'Text of a file',
  group: 'Insert',
  when: ({ view }) => view.editable,
  run: ({ open }) => open('file'),
};
export const NO_TERM = prose(
  { id: 'no-term', label: 'The selected words are not a term here', group: 'Rulebook', keys: ['Ctrl+Alt+T'] },
  noTermHere,
);
const FIELDS: RulebookCommand = {
  id: 'fields',
  label: 'Go to the fields of this block',
  group: 'Rulebook',
  keys: ['Alt+Enter'],
  run: ({ toFields }) => toFields(),
};
export const SHORTCUTS: RulebookCommand = {
  id: 'shortcuts',
  label: 'Keyboard shortcuts',
  group: 'Rulebook',
  keys: ['Ctrl+/'],
  run: ({ open }) => open('shortcuts'),
};

/** Every insertion as a command. */
export const INSERT_COMMANDS = INSERTS.map(({ id, label, command }) =>
  prose({ id: `insert-${id}`, label, group: 'Insert' }, command, false),
);

/** Everything that can be done in the editor. */
export const COMMANDS: readonly RulebookCommand[] = [
  STRONG,
  EMPHASIS,
  UNDO,
  REDO,
  PARAGRAPH,
  ...HEADINGS,
  RULE,
  BULLETS,
  STEPS,
  MOVE_UP,
  MOVE_DOWN,
  LIFT,
  ...TABLE_COMMANDS,
  INSERT,
  ...INSERT_COMMANDS,
  INSERT_FILE,
  NO_TERM,
  FIELDS,
  SHORTCUTS,
];

const lineBreak: ProseCommand = (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent) return false;
  dispatch?.(state.tr.replaceSelectionWith(nodes.break.create()).scrollIntoView());
  return true;
};

/** Makes a row below the last one, and goes to its first cell. */
const toNewRow: ProseCommand = (state, dispatch, view) => {
  if (!addRowAfter(state, dispatch)) return false;
  return !view || goToNextCell(1)(view.state, view.dispatch);
};

/** Keys that write rather than command: what they do depends on where the cursor is. */
export const WRITING_KEYS: Readonly<Record<string, ProseCommand>> = {
  ...basic.baseKeymap,
  Enter: chainCommands(splitListItem(nodes.listItem), basic.baseKeymap.Enter as ProseCommand),
  'Shift-Enter': lineBreak,
  Backspace: chainCommands(deleteSelection, joinBackward, selectNodeBackward),
  Tab: (state, dispatch, view) =>
    (isInTable(state) ? chainCommands(goToNextCell(1), toNewRow) : sinkListItem(nodes.listItem))(
      state,
      dispatch,
      view,
    ),
  'Shift-Tab': (state, dispatch) =>
    (isInTable(state) ? goToNextCell(-1) : liftListItem(nodes.listItem))(state, dispatch),
};
