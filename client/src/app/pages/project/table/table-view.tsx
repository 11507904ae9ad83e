import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { CARD_STATUSES } from '../../../../data/documents.ts';
import type { CardTable } from '../../../../data/table/card-table.ts';
import { STATUS_KEY, understand, withColumn } from '../../../../data/table/edits.ts';
import type { TableState } from '../../../../data/table/table-state.ts';
import { PLAIN_VIEW, type TableView, type ViewRow } from '../../../../data/table/view.ts';
import type { MenuItem } from '../../../../ui/menu.tsx';
import { toasts } from '../../../../ui/toasts/engine.ts';
import { yieldToEventLoop } from '../../../../workers/yield-to-event-loop.ts';
import { ColumnForm } from './column-form.tsx';
import { FilterForm } from './filter-form.tsx';
import { FindReplace, type Searched } from './find-replace.tsx';
import { CellImagePicker } from './image-cell.tsx';
import { RowMenu, type RowMenuItem } from './row-menu.tsx';
import { cleared, Sheet, type SheetHandle, type SheetSelection } from './sheet.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { tellReplayed } from './show-undoable.ts';
import { SyncNote } from './sync-note.tsx';
import { TableToolbar } from './table-toolbar.tsx';
import css from './table-view.module.css';
import { useCardActions } from './use-card-actions.ts';
import { useColumnActions } from './use-column-actions.ts';
import { useSheetColumns } from './use-sheet-columns.tsx';
import { useTableHeight } from './use-table-height.ts';
import { useTableRows } from './use-table-rows.ts';

const SHORT_ROW_PX = 36;
const TALL_ROW_PX = 92;

/** Position of the cursor: a card and a column. */
export interface TableCursor {
  readonly card: string;
  readonly column: string;
  readonly editing: boolean;
}

/** Destination of the table: a cell, or the form of a new column. */
export interface TableTarget {
  readonly card: string;
  readonly column: string | undefined;
  /** Name of a column to add. */
  readonly newColumn?: string;
}

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
}

/** The spreadsheet of a component. */
export function CardTableView(props: TableViewProps) {
  const { table, state, target, onCursor } = props;
  const { component } = state;
  const [view, setWholeView] = useState<TableView>(PLAIN_VIEW);
  const [tall, setTall] = useState(false);
  const [dialog, setDialog] = useState<'find' | 'filters' | 'keys'>();
  const [filtering, setFiltering] = useState<string>();
  const [menu, setMenu] = useState<{ x: number; y: number; rows: readonly number[] }>();
  const sheet = useRef<SheetHandle>(null);
  const editing = useRef(false);
  const { columns, rows, textOf, wholeTextOf, workOut } = useTableRows(state, view);
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const height = useTableHeight();
  const rowHeight = tall ? TALL_ROW_PX : SHORT_ROW_PX;
  const setView = useCallback(
    (change: Partial<TableView>) => setWholeView((old) => ({ ...old, ...change })),
    [],
  );

  const [goTo, setGoTo] = useState<TableViewProps['target']>();
  const { run, edit, addCards, addCard, cardsAt, removeCards, duplicate, moveCards } = useCardActions(
    table,
    state,
    rows,
    (card) => setGoTo({ card, column: undefined }),
  );
  const { setColumns, startColumn, saveColumn, columnActions, draft, closeDraft } = useColumnActions(
    table,
    state,
    run,
    {
      set: setView,
      filter: (key) => {
        setFiltering(key);
        setDialog('filters');
      },
    },
  );
  const { sheetColumns, gutter } = useSheetColumns({
    state,
    columns,
    view,
    tall,
    columnActions,
    onOpenCard: props.onOpenCard,
  });

  const openForm = useRef(startColumn);
  openForm.current = startColumn;
  const { readOnly } = state;
  const count = useRef(0);
  count.current = component.columns.length;
  useEffect(() => {
    // A cell under the cursor would take the keys typed into the form.
    if (target?.newColumn !== undefined && !readOnly) openForm.current(count.current, target.newColumn);
    else setGoTo(target);
  }, [target, readOnly]);
  useEffect(() => {
    if (!goTo) return;
    const row = rows.findIndex(({ id }) => id === goTo.card);
    if (row < 0) {
      // Filters are cleared if they hide the destination.
      if (state.byId.has(goTo.card) && view !== PLAIN_VIEW) setWholeView(PLAIN_VIEW);
      return;
    }
    const column = sheetColumns.findIndex(({ key }) => key === goTo.column);
    sheet.current?.select(row, Math.max(0, column));
    setGoTo(undefined);
  }, [goTo, rows, sheetColumns, state.byId, view]);

  const active = useRef<{ row: number; column: number }>(undefined);
  const tellCursor = () => {
    const at = active.current;
    const row = at && rowsNow.current[at.row];
    const column = at && sheetColumns[at.column];
    onCursor(
      row?.kind === 'card' && column
        ? { card: row.id, column: column.key, editing: editing.current }
        : undefined,
    );
  };

  const indexesOf = (at: SheetSelection | undefined): number[] =>
    at ? Array.from({ length: at.toRow - at.fromRow + 1 }, (_, i) => at.fromRow + i) : [];
  const fillDown = (at: SheetSelection) => {
    const first = rows.slice(at.fromRow).find(({ kind }) => kind === 'card');
    if (!first) return;
    const kept = sheetColumns.slice(at.fromColumn, at.toColumn + 1).filter(({ readOnly }) => !readOnly);
    edit(
      'fill down',
      rows
        .slice(at.fromRow, at.toRow + 1)
        .filter((row) => row.kind === 'card' && row !== first)
        .flatMap((row) => kept.map(({ key }) => ({ id: row.id, key, text: wholeTextOf(first, key) }))),
    );
  };
  const onKey = (event: KeyboardEvent, at: SheetSelection | undefined) => {
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const done = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (command && key === 'z') {
      tellReplayed(event.shiftKey ? table.redo() : table.undo());
      done();
    } else if (command && key === 'y') {
      tellReplayed(table.redo());
      done();
    } else if (command && (key === 'f' || key === 'h') && at) {
      sheet.current?.leave();
      setDialog('find');
      done();
    } else if (!at || editing.current) {
      return;
    } else if (command && key === 'd') {
      fillDown(at);
      done();
    } else if (command && (key === 'backspace' || key === 'delete')) {
      removeCards(indexesOf(at));
      done();
    } else if (event.altKey && event.shiftKey && (key === 'arrowup' || key === 'arrowdown')) {
      moveCards(indexesOf(at), key === 'arrowup' ? -1 : 1);
      done();
    } else if (event.shiftKey && key === 'enter') {
      addCard(at.toRow);
      done();
    } else if (command && key === 'enter') {
      const row = rows[at.fromRow];
      if (row?.kind === 'card') props.onOpenCard(row.id);
      done();
    } else if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      const box = sheet.current?.element()?.querySelector('.dsg-active-cell')?.getBoundingClientRect();
      if (box) setMenu({ x: box.left, y: box.bottom, rows: indexesOf(at) });
      done();
    }
  };
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
  const leaveSheet = useCallback(() => sheet.current?.leave(), []);
  const plain = !view.sort && view.groupBy === undefined;
  const changesTo = (chosen: readonly number[]): RowMenuItem[] => [
    { label: 'Insert card below', onSelect: () => addCard(chosen[chosen.length - 1]) },
    { label: 'Duplicate', onSelect: () => duplicate(chosen) },
    ...(plain
      ? [
          { label: 'Move up', onSelect: () => moveCards(chosen, -1) },
          { label: 'Move down', onSelect: () => moveCards(chosen, 1) },
        ]
      : []),
    {
      label: 'Clear cells',
      onSelect: () => {
        const at = sheet.current?.selection();
        if (at) edit('clear', cleared({ rows, columns: sheetColumns }, at));
      },
    },
    { label: 'Delete', danger: true, divided: true, onSelect: () => removeCards(chosen) },
  ];

  return (
    <div className={css.table}>
      <TableToolbar
        columns={component.columns}
        view={view}
        undo={state.undo}
        redo={state.redo}
        tall={tall}
        sync={
          <>
            {props.peers}
            <SyncNote table={table} state={state} />
          </>
        }
        readOnly={state.readOnly}
        imports={state.readOnly ? [] : props.imports}
        exports={props.exports}
        actions={{
          undo: () => tellReplayed(table.undo()),
          redo: () => tellReplayed(table.redo()),
          addCard: () => addCard(),
          addColumn: () => startColumn(component.columns.length),
          showColumn: (key) =>
            setColumns('show column', withColumn(component.columns, key, { hidden: false })),
          filters: () => setDialog('filters'),
          find: () => setDialog('find'),
          keys: () => setDialog('keys'),
          setView,
          setTall,
        }}
      />
      {columns.map(
        ({ key, options }) =>
          (key === STATUS_KEY || (options && options.length > 0)) && (
            <datalist key={key} id={`options-${key}`}>
              {(key === STATUS_KEY ? CARD_STATUSES : (options ?? [])).map((option) => (
                <option key={option} value={option} />
              ))}
            </datalist>
          ),
      )}
      <CellImagePicker onOpen={leaveSheet} />
      <Sheet
        handle={sheet}
        label={`${component.name}, ${state.cards.length} cards`}
        rows={rows}
        columns={sheetColumns}
        textOf={textOf}
        wholeTextOf={wholeTextOf}
        gutter={gutter}
        rowHeight={rowHeight}
        height={height}
        onEdit={edit}
        onPasteBelow={(texts, edits) => {
          const { intents, faults } = understand(edits, component);
          for (const fault of faults) toasts.show(fault, { type: 'warning', autoCloseTime: 6_000 });
          run('paste', [...intents, ...addCards(texts)]);
        }}
        onTooMuch={(cells) =>
          toasts.show(
            `${cells.toLocaleString('en')} cells are more than fit in one go. Import them as a file.`,
            {
              type: 'error',
              autoCloseTime: 8_000,
            },
          )
        }
        onActive={(cell) => {
          active.current = cell;
          tellCursor();
        }}
        onSelection={() => {}}
        onEditing={(now) => {
          editing.current = now;
          tellCursor();
        }}
        onMenu={(at) => setMenu({ ...at, rows: indexesOf(sheet.current?.selection()) })}
        onScroll={(scroller) => props.onScroll(scroller, rowsNow.current, rowHeight)}
        onKey={onKey}
      />
      {rows.length === 0 && (
        <p className={css.none}>
          {state.cards.length === 0
            ? state.readOnly
              ? 'No cards yet.'
              : 'No cards yet. Add one, paste rows from a spreadsheet, or import a file.'
            : 'No card matches the search and filters.'}
        </p>
      )}
      {menu && (!state.readOnly || cardsAt(menu.rows).length === 1) && (
        <RowMenu
          at={menu}
          cards={cardsAt(menu.rows).length}
          onClose={() => setMenu(undefined)}
          items={[
            ...(cardsAt(menu.rows).length === 1
              ? [{ label: 'Open card', onSelect: () => props.onOpenCard(cardsAt(menu.rows)[0]?.id ?? '') }]
              : []),
            ...(state.readOnly ? [] : changesTo(menu.rows)),
          ]}
        />
      )}
      <ColumnForm
        draft={draft?.draft}
        isNew={draft?.isNew ?? false}
        names={
          new Set(
            component.columns
              .filter(({ key }) => key !== draft?.draft.column.key)
              .map(({ name }) => name.toLowerCase()),
          )
        }
        zones={props.zones}
        onClose={closeDraft}
        onSave={saveColumn}
      />
      <FilterForm
        open={dialog === 'filters'}
        columns={columns}
        filters={view.filters}
        first={filtering}
        onClose={() => {
          setDialog(undefined);
          setFiltering(undefined);
        }}
        onSave={(filters) => setView({ filters })}
      />
      <FindReplace
        open={dialog === 'find'}
        cells={searched}
        onClose={() => setDialog(undefined)}
        onShow={({ id, key }) => setGoTo({ card: id, column: key })}
        onReplace={(edits) => edit('replace', edits)}
      />
      <ShortcutSheet open={dialog === 'keys'} onClose={() => setDialog(undefined)} />
    </div>
  );
}
