import { type ReactNode, useCallback, useRef, useState } from 'react';
import { isolated } from '../../../../core/text/names.ts';
import { CARD_STATUSES, type TableColumn } from '../../../../data/documents/documents.ts';
import { STATUS_KEY, understand, withColumn } from '../../../../data/table/changes/edits.ts';
import type { CardTable } from '../../../../data/table/sync/card-table.ts';
import type { TableState } from '../../../../data/table/sync/table-state.ts';
import { PLAIN_VIEW, type TableView, type ViewRow } from '../../../../data/table/view.ts';
import { canRun } from '../../../../ui/commands/command.ts';
import { ContextMenu, type ContextMenuItem } from '../../../../ui/menu/context-menu.tsx';
import type { MenuItem } from '../../../../ui/menu/menu.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { yieldToEventLoop } from '../../../../workers/yield-to-event-loop.ts';
import type { CardResults } from './columns/result-columns.tsx';
import { useColumnActions } from './columns/use-column-actions.ts';
import { REDO, ROW_MENU, SHORTCUTS, type TableContext, UNDO } from './commands.ts';
import type { Searched } from './dialogs/find-replace.tsx';
import { type TableDialog, TableDialogs } from './dialogs/table-dialogs.tsx';
import { SyncNote } from './saving/sync-note.tsx';
import { CellImagePicker } from './sheet/image-cell.tsx';
import { Sheet, type SheetEdit, type SheetHandle } from './sheet/sheet.tsx';
import { useSheetColumns } from './sheet/use-sheet-columns.tsx';
import { useTableHeight } from './sheet/use-table-height.ts';
import { TableToolbar, type ToolbarActions } from './table-toolbar.tsx';
import css from './table-view.module.css';
import { useCardActions } from './use-card-actions.ts';
import { type RowMenuPlace, useTableCommands } from './use-table-commands.ts';
import { type TableCursor, type TableTarget, useDestination, useGoTo } from './use-table-cursor.ts';
import { useTableRows } from './use-table-rows.ts';
import { columnOfWords, isWords, splitEdits, type TableWords, withoutWords } from './words/table-words.ts';
import { useWordsEdits } from './words/use-words-edits.ts';

const SHORT_ROW_PX = 36;
const TALL_ROW_PX = 92;

export interface TableViewProps {
  readonly table: CardTable;
  readonly state: TableState;
  readonly zones: readonly string[];
  readonly imports: readonly MenuItem[];
  readonly exports: readonly MenuItem[];
  /** A new object goes there again. */
  readonly target: TableTarget | undefined;
  readonly onCursor: (cursor: TableCursor | undefined) => void;
  readonly onOpenCard: (card: string) => void;
  readonly onScroll: (scroller: HTMLElement, rows: readonly ViewRow[], rowHeight: number) => void;
  readonly peers: ReactNode;
  /** Results of playtests by card, while they are shown. */
  readonly results: CardResults | undefined;
  readonly onResults: (shown: boolean) => void;
  /** The words of a language, while they are shown. */
  readonly words: TableWords | undefined;
  /** The choice of the language, where there are several. */
  readonly languages: ReactNode;
}

/** The table as a component shows it: rows, columns, and what can be done with them. */
function useTableModel({ table, state, target, onOpenCard, onCursor, results, words }: TableViewProps) {
  const { component, readOnly } = state;
  const [view, setWholeView] = useState<TableView>(PLAIN_VIEW);
  const [tall, setTall] = useState(false);
  const [dialog, setDialog] = useState<TableDialog>();
  const [menu, setMenu] = useState<RowMenuPlace>();
  const sheet = useRef<SheetHandle>(null);
  const editing = useRef(false);
  const shown = useTableRows(state, view, results, words);
  const { columns, rows, wholeTextOf, workOut } = shown;
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const setView = useCallback(
    (change: Partial<TableView>) => setWholeView((old) => ({ ...old, ...change })),
    [],
  );
  const startForm = useRef<(name: string) => void>(() => undefined);
  const destination = useDestination(target, (name) => startForm.current(name), readOnly);
  const [, goTo] = destination;
  const own = useCardActions(table, state, rows, (card) => goTo({ card, column: undefined }));
  const { cards, undoes, undoWords } = useWordsEdits(own, table, state, words);
  const column = useColumnActions(table, state, cards.run, {
    set: setView,
    filter: (key) => setDialog({ name: 'filters', first: key }),
  });
  startForm.current = (name) => column.startColumn(component.columns.length, name);
  const { sheetColumns, gutter } = useSheetColumns({
    state,
    columns,
    view,
    tall,
    columnActions: column.columnActions,
    onOpenCard,
    results,
    words,
  });
  useGoTo(sheet, destination, { state, rows, columns: sheetColumns, view, setView: setWholeView });
  const active = useRef<{ row: number; column: number }>(undefined);
  const tellCursor = () => {
    const at = active.current;
    const row = at && rowsNow.current[at.row];
    const under = at && sheetColumns[at.column];
    onCursor(
      row?.kind === 'card' && under
        ? {
            card: row.id,
            column: isWords(under.key) ? columnOfWords(under.key) : under.key,
            editing: editing.current,
          }
        : undefined,
    );
  };
  const commands = useTableCommands({
    table,
    state,
    view,
    rows,
    columns: sheetColumns,
    wholeTextOf,
    sheet,
    editing,
    cards,
    openDialog: (name) => setDialog({ name }),
    openMenu: setMenu,
    onOpenCard,
    undoWords,
  });
  const searched = async (): Promise<Searched[]> => {
    await workOut(yieldToEventLoop);
    return rowsNow.current.flatMap((row) =>
      row.kind === 'card'
        ? sheetColumns.map(({ key, readOnly }) => ({
            id: row.id,
            key,
            text: wholeTextOf(row, key),
            readOnly,
          }))
        : [],
    );
  };
  return {
    ...shown,
    ...commands,
    rowsNow,
    view,
    setView,
    tall,
    setTall,
    dialog,
    setDialog,
    menu,
    setMenu,
    sheet,
    cards,
    undoes,
    column,
    sheetColumns,
    gutter,
    goTo,
    searched,
    mayReplace: sheetColumns.some((one) => !one.readOnly),
    onActive(cell: { row: number; column: number } | undefined) {
      active.current = cell;
      tellCursor();
    },
    onEditing(now: boolean) {
      editing.current = now;
      tellCursor();
    },
  };
}

type TableModel = ReturnType<typeof useTableModel>;

function toolbarActions(model: TableModel, { component }: TableState): ToolbarActions {
  const { contextOf, column, setDialog } = model;
  return {
    undo: () => UNDO.run(contextOf()),
    redo: () => REDO.run(contextOf()),
    addCard: () => model.cards.addCard(),
    addColumn: () => column.startColumn(component.columns.length),
    showColumn: (key) =>
      column.setColumns('show column', withColumn(component.columns, key, { hidden: false })),
    filters: () => setDialog({ name: 'filters' }),
    find: () => setDialog({ name: 'find' }),
    keys: () => SHORTCUTS.run(contextOf()),
    setView: model.setView,
    setTall: model.setTall,
  };
}

/** The commands of the menu that can run on its rows. */
function menuItems(context: TableContext): ContextMenuItem[] {
  return ROW_MENU.flatMap((commands, group) =>
    commands
      .filter((command) => canRun(command, context))
      .map(({ label, menuLabel, danger, run }, index) => ({
        label: menuLabel ?? label,
        danger: danger === true,
        divided: group > 0 && index === 0,
        onSelect: () => run(context),
      })),
  );
}

/** Options of the columns with a list, for the fields of their cells. */
function Options({ columns }: { columns: readonly TableColumn[] }) {
  return columns.map(
    ({ key, options }) =>
      (key === STATUS_KEY || (options && options.length > 0)) && (
        <datalist key={key} id={`options-${key}`}>
          {(key === STATUS_KEY ? CARD_STATUSES : (options ?? [])).map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      ),
  );
}

function NoRows({ cards, readOnly }: { cards: number; readOnly: boolean }) {
  return (
    <p className={css.none}>
      {cards > 0
        ? 'No card matches the search and filters.'
        : readOnly
          ? 'No cards yet.'
          : 'No cards yet. Add one, paste rows from a spreadsheet, or import a file.'}
    </p>
  );
}

const tellTooMuch = (cells: number): void => {
  toasts.show(`${cells.toLocaleString('en')} cells are more than fit in one go. Import them as a file.`, {
    type: 'error',
    autoCloseTime: 8_000,
  });
};

/** The spreadsheet of a component. */
export function CardTableView(props: TableViewProps) {
  const { table, state } = props;
  const { component, readOnly } = state;
  const model = useTableModel(props);
  const { rows, columns, view, tall, menu, cards, sheet } = model;
  const height = useTableHeight();
  const rowHeight = tall ? TALL_ROW_PX : SHORT_ROW_PX;
  const leaveSheet = useCallback(() => sheet.current?.leave(), [sheet]);
  const pasteBelow = (texts: readonly Readonly<Record<string, string>>[], edits: readonly SheetEdit[]) => {
    const { cells } = splitEdits(edits);
    const { intents, faults } = understand(cells, component);
    for (const fault of faults) toasts.show(fault, { type: 'warning', autoCloseTime: 6_000 });
    // Cards that are new have nothing to translate yet.
    cards.run('paste', [...intents, ...cards.addCards(texts.map(withoutWords))]);
    cards.edit(
      'paste',
      edits.filter(({ key }) => isWords(key)),
    );
  };
  const chosen = menu ? cards.cardsAt(menu.rows).length : 0;
  return (
    <div className={css.table}>
      <TableToolbar
        columns={component.columns}
        view={view}
        undo={model.undoes}
        redo={state.redo}
        tall={tall}
        sync={
          <>
            {props.peers}
            <SyncNote table={table} state={state} />
          </>
        }
        readOnly={readOnly}
        mayReplace={model.mayReplace}
        imports={readOnly ? [] : props.imports}
        exports={props.exports}
        actions={toolbarActions(model, state)}
        results={{ shown: props.results !== undefined, show: props.onResults }}
        languages={props.languages}
      />
      <Options columns={columns} />
      <CellImagePicker onOpen={leaveSheet} />
      <Sheet
        handle={sheet}
        label={`${isolated(component.name)}, ${state.cards.length} cards`}
        rows={rows}
        columns={model.sheetColumns}
        textOf={model.textOf}
        wholeTextOf={model.wholeTextOf}
        gutter={model.gutter}
        rowHeight={rowHeight}
        height={height}
        onEdit={cards.edit}
        onPasteBelow={pasteBelow}
        onTooMuch={tellTooMuch}
        onActive={model.onActive}
        onSelection={() => {}}
        onEditing={model.onEditing}
        onMenu={model.onMenu}
        onScroll={(scroller) => props.onScroll(scroller, model.rowsNow.current, rowHeight)}
        onKey={model.onKey}
      />
      {rows.length === 0 && <NoRows cards={state.cards.length} readOnly={readOnly} />}
      {menu && (!readOnly || chosen === 1) && (
        <ContextMenu
          label={chosen === 1 ? 'Card' : `${chosen} cards`}
          at={menu}
          minWidth={190}
          onClose={() => model.setMenu(undefined)}
          items={menuItems(model.contextOf(menu))}
        />
      )}
      <TableDialogs
        open={model.dialog}
        onClose={() => model.setDialog(undefined)}
        all={component.columns}
        shown={columns}
        cells={model.searched}
        mayReplace={model.mayReplace}
        filters={view.filters}
        zones={props.zones}
        column={model.column}
        onFilters={(filters) => model.setView({ filters })}
        onShow={model.goTo}
        onReplace={(edits) => cards.edit('replace', edits)}
      />
    </div>
  );
}
