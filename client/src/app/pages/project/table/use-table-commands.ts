import type { RefObject } from 'react';
import type { CardTable } from '../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import type { TableView, ViewRow } from '../../../../data/table/view.ts';
import { runShortcut } from '../../../../ui/commands/keys.ts';
import { TABLE_COMMANDS, type TableContext } from './commands.ts';
import { tellReplayed } from './saving/show-undoable.ts';
import { cleared, type SheetColumn, type SheetHandle, type SheetSelection } from './sheet/sheet.tsx';
import type { useCardActions } from './use-card-actions.ts';

/** Place of the menu of rows, in CSS pixels of the window, and the rows it is for. */
export interface RowMenuPlace {
  readonly x: number;
  readonly y: number;
  readonly rows: readonly number[];
}

/** Parts of the table that its commands work on. */
export interface TableParts {
  readonly table: CardTable;
  readonly state: TableState;
  readonly view: TableView;
  readonly rows: readonly ViewRow[];
  readonly columns: readonly SheetColumn[];
  readonly wholeTextOf: (row: ViewRow, key: string) => string;
  readonly sheet: RefObject<SheetHandle | null>;
  readonly editing: RefObject<boolean>;
  readonly cards: ReturnType<typeof useCardActions>;
  readonly openDialog: (dialog: 'find' | 'keys') => void;
  readonly openMenu: (at: RowMenuPlace) => void;
  readonly onOpenCard: (card: string) => void;
  /** Takes the last change back if it was one of translations; false if it was none. */
  readonly undoWords: () => boolean;
}

const indexesOf = (at: SheetSelection | undefined): number[] =>
  at ? Array.from({ length: at.toRow - at.fromRow + 1 }, (_, i) => at.fromRow + i) : [];

function fillDown({ rows, columns, wholeTextOf, cards }: TableParts, at: SheetSelection): void {
  const first = rows.slice(at.fromRow).find(({ kind }) => kind === 'card');
  if (!first) return;
  const kept = columns.slice(at.fromColumn, at.toColumn + 1).filter(({ readOnly }) => !readOnly);
  cards.edit(
    'fill down',
    rows
      .slice(at.fromRow, at.toRow + 1)
      .filter((row) => row.kind === 'card' && row !== first)
      .flatMap((row) => kept.map(({ key }) => ({ id: row.id, key, text: wholeTextOf(first, key) }))),
  );
}

function actionsOn(parts: TableParts): TableContext['actions'] {
  const { table, sheet, cards, rows, columns } = parts;
  return {
    undo: () => parts.undoWords?.() || tellReplayed(table.undo()),
    redo: () => tellReplayed(table.redo()),
    find() {
      sheet.current?.leave();
      parts.openDialog('find');
    },
    showShortcuts: () => parts.openDialog('keys'),
    fillDown: (at) => fillDown(parts, at),
    clear: (at) => cards.edit('clear', cleared({ rows, columns }, at)),
    addCard: cards.addCard,
    duplicate: cards.duplicate,
    move: cards.moveCards,
    remove: cards.removeCards,
    openCard: parts.onOpenCard,
    openMenu() {
      const box = sheet.current?.element()?.querySelector('.dsg-active-cell')?.getBoundingClientRect();
      const chosen = indexesOf(sheet.current?.selection());
      if (box) parts.openMenu({ x: box.left, y: box.bottom, rows: chosen });
    },
  };
}

/** The commands' context, and the keys that run them. */
export function useTableCommands(parts: TableParts) {
  const { state, view, sheet, editing, cards } = parts;
  const contextOf = (menu?: RowMenuPlace): TableContext => {
    const selection = sheet.current?.selection();
    const chosen = menu?.rows ?? indexesOf(selection);
    return {
      selection,
      fromMenu: menu !== undefined,
      onCells: menu !== undefined || (selection !== undefined && !editing.current),
      chosen,
      cards: cards.cardsAt(chosen).map(({ id }) => id),
      readOnly: state.readOnly,
      inOrder: !view.sort && view.groupBy === undefined,
      actions: actionsOn(parts),
    };
  };
  const onKey = (event: KeyboardEvent) => {
    if (!runShortcut(TABLE_COMMANDS, event, contextOf())) return;
    // The grid would take the key for its own.
    event.preventDefault();
    event.stopPropagation();
  };
  const onMenu = (at: { x: number; y: number }) =>
    parts.openMenu({ ...at, rows: indexesOf(sheet.current?.selection()) });
  return { contextOf, onKey, onMenu };
}
