import type { Command } from '../../../../ui/commands/command.ts';
import type { SheetNotes } from '../../../../ui/commands/shortcut-sheet.tsx';
import type { SheetSelection } from './sheet/sheet.tsx';

/** Input of a command of the table. */
export interface TableContext {
  readonly selection: SheetSelection | undefined;
  /** True if the command is one of the menu of the rows. */
  readonly fromMenu: boolean;
  /** True if the cells, or the rows of a menu, are addressed: nobody types into a cell. */
  readonly onCells: boolean;
  /** Indices of the addressed rows. */
  readonly chosen: readonly number[];
  /** Ids of the cards among them. */
  readonly cards: readonly string[];
  readonly readOnly: boolean;
  /** True if the cards are shown in their own order. */
  readonly inOrder: boolean;
  readonly actions: {
    undo(): void;
    redo(): void;
    find(): void;
    showShortcuts(): void;
    fillDown(selection: SheetSelection): void;
    clear(selection: SheetSelection): void;
    addCard(below?: number): void;
    duplicate(rows: readonly number[]): void;
    move(rows: readonly number[], by: -1 | 1): void;
    remove(rows: readonly number[]): void;
    openCard(card: string): void;
    openMenu(): void;
  };
}

type TableCommand = Command<TableContext, 'Table' | 'Cells' | 'Cards'>;

const changesCells = ({ onCells, readOnly }: TableContext): boolean => onCells && !readOnly;
const movesCards = (context: TableContext): boolean => changesCells(context) && context.inOrder;

export const UNDO: TableCommand = {
  id: 'undo',
  label: 'Undo',
  group: 'Table',
  keys: ['Ctrl+Z'],
  run: ({ actions }) => actions.undo(),
};

export const REDO: TableCommand = {
  id: 'redo',
  label: 'Redo',
  group: 'Table',
  keys: ['Ctrl+Y', 'Ctrl+Shift+Z'],
  run: ({ actions }) => actions.redo(),
};

export const FIND: TableCommand = {
  id: 'find',
  label: 'Find and replace',
  group: 'Table',
  keys: ['Ctrl+F', 'Ctrl+H'],
  when: ({ selection }) => selection !== undefined,
  run: ({ actions }) => actions.find(),
};

export const SHORTCUTS: TableCommand = {
  id: 'shortcuts',
  label: 'Keyboard shortcuts',
  group: 'Table',
  run: ({ actions }) => actions.showShortcuts(),
};

const FILL_DOWN: TableCommand = {
  id: 'fill-down',
  label: 'Fill the selection from its first row',
  group: 'Cells',
  keys: ['Ctrl+D'],
  when: changesCells,
  run: ({ selection, actions }) => selection && actions.fillDown(selection),
};

const CLEAR: TableCommand = {
  id: 'clear',
  label: 'Clear cells',
  group: 'Cells',
  when: changesCells,
  run: ({ selection, actions }) => selection && actions.clear(selection),
};

const OPEN: TableCommand = {
  id: 'open',
  label: 'Open card',
  group: 'Cards',
  keys: ['Ctrl+Enter'],
  // A menu of several rows does not say which of them.
  when: ({ onCells, cards, fromMenu }) => onCells && (fromMenu ? cards.length === 1 : cards.length > 0),
  run({ cards: [card], actions }) {
    if (card !== undefined) actions.openCard(card);
  },
};

export const ADD_CARD: TableCommand = {
  id: 'add-card',
  label: 'Insert card below',
  group: 'Cards',
  keys: ['Shift+Enter'],
  when: changesCells,
  run: ({ chosen, actions }) => actions.addCard(chosen.at(-1)),
};

const DUPLICATE: TableCommand = {
  id: 'duplicate',
  label: 'Duplicate cards',
  menuLabel: 'Duplicate',
  group: 'Cards',
  when: changesCells,
  run: ({ chosen, actions }) => actions.duplicate(chosen),
};

const MOVE_UP: TableCommand = {
  id: 'move-up',
  label: 'Move cards up',
  menuLabel: 'Move up',
  group: 'Cards',
  keys: ['Alt+Shift+ArrowUp'],
  when: movesCards,
  run: ({ chosen, actions }) => actions.move(chosen, -1),
};

const MOVE_DOWN: TableCommand = {
  id: 'move-down',
  label: 'Move cards down',
  menuLabel: 'Move down',
  group: 'Cards',
  keys: ['Alt+Shift+ArrowDown'],
  when: movesCards,
  run: ({ chosen, actions }) => actions.move(chosen, 1),
};

const DELETE: TableCommand = {
  id: 'delete',
  label: 'Delete cards',
  menuLabel: 'Delete',
  danger: true,
  group: 'Cards',
  keys: ['Ctrl+Backspace', 'Ctrl+Delete'],
  when: changesCells,
  run: ({ chosen, actions }) => actions.remove(chosen),
};

const MENU: TableCommand = {
  id: 'menu',
  label: 'Menu of the row',
  group: 'Cards',
  keys: ['Shift+F10', 'ContextMenu'],
  when: ({ onCells }) => onCells,
  run: ({ actions }) => actions.openMenu(),
};

/** Everything the table can do by keys or by the menu of its rows. */
export const TABLE_COMMANDS: readonly TableCommand[] = [
  UNDO,
  REDO,
  FIND,
  SHORTCUTS,
  FILL_DOWN,
  CLEAR,
  OPEN,
  ADD_CARD,
  DUPLICATE,
  MOVE_UP,
  MOVE_DOWN,
  DELETE,
  MENU,
];

/** The menu of the rows, parted by lines. */
export const ROW_MENU: readonly (readonly TableCommand[])[] = [
  [OPEN, ADD_CARD, DUPLICATE, MOVE_UP, MOVE_DOWN, CLEAR],
  [DELETE],
];

/** Keys of the grid itself. */
export const GRID_KEYS: SheetNotes = {
  title: 'Moving and writing',
  notes: [
    ['Arrows, Tab', 'Move; with Ctrl to the edge, with Shift select'],
    ['Enter, F2, any letter', 'Edit the cell'],
    ['Alt+Enter, Ctrl+Enter', 'New line within the cell'],
    ['Escape', 'Leave the cell as it was; then leave the table'],
    ['Ctrl+C, X, V', 'Copy, cut and paste, with spreadsheets too'],
    ['Delete', 'Empty the selected cells'],
    ['Ctrl+A', 'Select everything'],
  ],
};
